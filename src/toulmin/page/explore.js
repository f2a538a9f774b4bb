/** What a page shows beside the check of a certificate: its program in short, and what would follow without some statements. */
"use strict";
(() => {
  const { checkOf, filled, FORMAT, isSet, oneLine, sameValue, statementId } = Toulmin.values;

  /** A source without some statements, given by the first 8 or more digits of their ids. */
  class Struck {
    constructor(source, ids) { Object.assign(this, { source, ids, roots: source.roots }); }
    proved(graph) { return this.source.proved(graph); }
    document(source) { return this.source.document(source); }
    statements(...range) {
      const isStruck = (one) => this.ids.some((id) => id.length >= 8 && statementId(one).startsWith(id));
      return this.source.statements(...range).filter((one) => !isStruck(one));
    }
  }

  /** What a node of a check yields, in one line; "" for what depends on a variable. */
  function outlined(checked, { place, free }) {
    const value = checked.evaluator.values[place];
    if (free.size) return "";
    if (typeof value === "boolean" || value === null) return value === null ? "unknown" : value ? "yes" : "no";
    if (value.period) return "a time";
    const count = isSet(value) ? value.items.length : value.length, what = isSet(value) ? "node" : "row";
    return count ? oneLine(`${count} ${what}${count > 1 ? "s" : ""}: ${checked.lines(value).join("; ")}`, 200) : "nothing";
  }

  /** The program as a page draws it: [{place, short, yields}], of each node what it says with places for what it takes, and what it yields. */
  function outline(given, options = {}) {
    const found = checkOf(given, options), places = found.program.map(({ op, place }) => (op === "it" ? found.said[place] : `[${place}]`));
    return found.program.map((node) => {
      const short = node.op === "it" ? found.said[node.place] : filled(FORMAT.nodes[node.op], node.data, places, found.label);
      return { place: node.place, short: oneLine(short, 600), yields: outlined(found, node) };
    });
  }

  /** What would follow if statements (the first 8 digits of their ids, or more) were not there: {answer, same, yields}. @throws {KernelError} */
  function withoutStatement(given, ids, options = {}) {
    const wrap = (source) => new Struck(source, [ids].flat());
    const [before, after] = [checkOf(given, options), checkOf(given, { ...options, wrap })], { kind, of } = after.answer;
    for (const one of [before, after]) one[kind === "text" ? "text" : kind === "none" ? "none" : "value"]();
    const single = kind !== "text" && kind !== "none", value = single && after.evaluator.values[of], lost = single && after.evaluator.lost.has(of);
    const lines = lost ? ["not known"] : single ? after.lines(value) : after.found.answer;
    const tell = (one) => [...one.found.answer, ...one.found.problems].join("\n");
    const same = single ? !lost && sameValue(value, before.evaluator.values[of]) : tell(before) === tell(after);
    return { answer: lines.length ? lines : ["nothing"], same, yields: after.program.map((node) => outlined(after, node)) };
  }

  Object.assign(Toulmin, { outline, withoutStatement });
})();
