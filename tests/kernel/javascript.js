// Reads one case a line: {"call": name of Toulmin, "arguments": [...], "ranges": [[[graph, side, node, relation], statements]], "roots", "documents"}
// and writes what the call gives, a line each; ["thrown", message] where it throws.
"use strict";
if (process.argv[4]) globalThis.TOULMIN_FORMAT = JSON.parse(process.argv[4]); // another format than the one beside the kernel
const Toulmin = require(process.argv[2]);
require(process.argv[3]); // adds what a page asks beside the check
const lines = require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean);
const { values } = Toulmin;

/** A graph at hand, of recorded ranges. */
function graphOf({ ranges, roots, documents }) {
  const plain = (x) => JSON.stringify(x, (_, part) => (part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part));
  const known = new Map(ranges.map(([range, statements]) => [plain(range), statements]));
  return {
    roots: () => roots,
    range(...range) {
      if (!known.has(plain(range))) throw new Error(`a range that Python did not ask for: ${plain(range)}`);
      return known.get(plain(range));
    },
    document: (source) => (documents || {})[source] ?? null,
  };
}

/** One operation of vectors/values.json. */
function operation(labels, name, given) {
  const label = (id) => (Object.hasOwn(labels, id) ? labels[id] : null);
  const node = (one) => (one === null ? null : typeof one === "string" ? values.entity(one) : values.literalFrom(one, "test"));
  const span = (one) => (one?.period ? values.periodOf(...one.period.map(node), label) : node(one));
  const fraction = ({ n, d }) => (d === 1n ? `${n}` : `${n}/${d}`), json = (one) => one && values.asJson(one);
  if (["=", "≠", "<", "≤", ">", "≥", "contains", "starts", ...Object.keys(values.FORMAT.periods)].includes(name)) {
    const [a, b] = given.map(span);
    return a && b ? values.compared(name, a, b, label) : null;
  }
  if (name === "literal") {
    try { return json(values.literalFrom(given[0], "test")); } catch { return "refused"; }
  }
  if (name === "unit") {
    const unit = values.unitNamed(given[0]), powers = unit?.dimension ? unit.dimension.split(" ") : [];
    return unit && [fraction(unit.factor), fraction(unit.offset), powers.map((one) => [one.replace(/-?\d+$/, ""), Number(/-?\d+$/.exec(one)[0])])];
  }
  if (name === "time of text") {
    const time = values.textSpan(given[0]);
    return time && [`${time.start}`, `${time.end}`, time.precision];
  }
  if (name === "quantity of text") {
    const amount = values.textQuantity(given[0]);
    return amount && [fraction(amount.value), amount.unit];
  }
  const nodes = given.map(node);
  if (name === "window") return values.holdsInWindow(...nodes, label);
  if (name === "text") return values.textOf(nodes[0], label);
  if (name === "order key") {
    const key = values.orderKey(nodes[0], label);
    return key && [fraction(key.low), fraction(key.high), key.dimension];
  }
  if (["sum", "mean", "min", "max"].includes(name)) return json(values.aggregate(name, nodes, label));
  return json(values.arithmetic(name, nodes[0], nodes[1] ?? null, label));
}

/** What each node that depends on no variable yields, with its marks; null of a period, and of what is lost. */
function evaluated(text, options) {
  const { program, evaluator } = values.checkOf(text, options), json = (nodes) => nodes.map(values.asJson);
  return program.map(({ free, place, yields }) => {
    const value = evaluator.values[place];
    if (free.size || yields === "period" || evaluator.lost.has(place)) return null;
    if (Array.isArray(value)) return value.map((row) => row.map(json));
    if (value === null || typeof value === "boolean") return [value];
    const { items, open, hole, none, atLeast, preferred } = value;
    return [json(items), [open, hole, none, atLeast], json(items.filter((one) => preferred.has(one.key)))];
  });
}

for (const line of lines) {
  const { call, arguments: given, ...graph } = JSON.parse(line);
  let found;
  try {
    if (graph.ranges) given.splice(1, 1, { ...given[1], graph: graphOf(graph) });
    const others = { operation, evaluated, long: (piece, times) => Toulmin.check(piece.repeat(times)) };
    found = (others[call] || Toulmin[call])(...given);
  } catch (error) {
    found = ["thrown", String(error?.message)];
  }
  console.log(JSON.stringify(found));
}
