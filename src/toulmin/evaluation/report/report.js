/** Lists the questions of a report, finds among them, and opens their certificates. All text goes through textContent. */
"use strict";
(() => {
  const { at, el, visible, many, asTold } = globalThis.Dom;
  const SHOWN = 50; // questions at a time
  const MARKS = { right: "✓", wrong: "✗", abstained: "–", crashed: "!", "timed out": "!", answered: "•" };
  const OUTCOMES = ["right", "wrong", "abstained", "crashed", "timed out", "answered"];
  const FILTERS = ["outcome", "run", "data", "type", "hops"];

  /** What was packed with gzip and base64. */
  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  }

  const chunks = JSON.parse(at("certificates").textContent), evidence = JSON.parse(at("evidence").textContent), open = new Map();
  /** The certificate at a place: of a chunk, which is unpacked once. @returns {Promise<object>} */
  async function certificate([chunk, place]) {
    if (!open.has(chunk)) open.set(chunk, unpacked(chunks[chunk]).then(JSON.parse));
    return (await open.get(chunk))[place];
  }

  let given = null, found = [], shown = 0; // all that is asked; the places of the questions found; how many are listed

  // ------------------------------------------------------------------------------------------- finding

  const chosen = (name) => at(name).value;

  /** Whether a question has the outcome that is looked for, in the run that is looked at or in any. */
  function has(question, outcome, run) {
    const cells = run === "" ? question.runs : [question.runs[Number(run)]];
    const outcomes = cells.filter((cell) => cell !== null).map(({ outcome: one }) => one);
    if (outcome === "differs") return new Set(outcomes).size > 1;
    return outcome === "" ? outcomes.length > 0 : outcomes.includes(outcome);
  }

  function find() {
    const words = chosen("words").toLowerCase().split(/\s+/).filter(Boolean), [outcome, run, data, type, hops] = FILTERS.map(chosen);
    found = given.questions.filter((question) => has(question, outcome, run)
      && (data === "" || question.data === Number(data)) && (type === "" || question.type === type) && (hops === "" || String(question.hops) === hops)
      && words.every((word) => question.text.includes(word)));
    shown = 0;
    at("list").replaceChildren();
    more();
    at("count").textContent = found.length === given.questions.length ? many(found.length, "question") : `${many(found.length, "question")} of ${given.questions.length.toLocaleString("en")}`;
  }

  function more() {
    const first = shown;
    shown = Math.min(found.length, first + SHOWN);
    at("list").append(...found.slice(first, shown).map(item));
    at("more").hidden = shown === found.length;
    return first;
  }

  // ------------------------------------------------------------------------------------------- showing

  const clean = (text) => visible(String(text)).join("");

  function item(question) {
    const cells = question.runs.flatMap((cell, run) => (cell === null ? [] : [[cell, run]]));
    const marks = cells.map(([{ outcome }, run]) => el("span", { class: outcome, title: `${given.runs[run][0]}: ${outcome}` }, MARKS[outcome]));
    const judged = cells.filter(([{ right }]) => right !== null), rights = judged.filter(([{ right }]) => right).length;
    const spoken = judged.length ? `right in ${rights} of ${judged.length}` : "";
    const where = [given.data[question.data], question.type, question.hops === null ? "" : many(question.hops, "hop"), spoken].filter(Boolean).join(" · ");
    const details = el("details", {}, el("summary", {}, el("span", { dir: "auto" }, clean(question.question)), el("span", { class: "marks", "aria-hidden": "true" }, ...marks), el("span", { class: "where" }, clean(where))));
    details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) details.append(body(question, cells)); });
    return el("li", {}, details);
  }

  function body(question, cells) {
    return el("div", { class: "body" },
      question.gold ? el("p", { class: "gold" }, el("b", {}, "Gold "), el("span", { dir: "auto" }, clean(question.gold))) : "",
      el("div", { class: "runs" }, ...cells.map(([cell, run]) => answered(question, cell, given.runs[run][0]))));
  }

  /** What one run made of a question. */
  function answered(question, cell, name) {
    const metrics = Object.entries(cell.metrics).map(([metric, value]) => `${metric} ${Number(value.toFixed(3))}`).join(", ");
    const rows = [["Confidence", cell.confidence === null ? "" : cell.confidence.toFixed(3)], ["Check", cell.check], ["Problem", cell.problem], ["Metrics", metrics], ["Seconds", cell.seconds.toFixed(2)]];
    return el("article", { class: "given", "aria-label": name },
      el("h4", {}, el("span", { class: cell.outcome }, `${MARKS[cell.outcome]} ${cell.outcome}`), ` · ${name}`),
      cell.answer ? el("p", { class: "said", dir: "auto" }, clean(cell.answer)) : "",
      el("dl", {}, ...rows.filter(([, value]) => value).flatMap(([head, value]) => [el("dt", {}, head), el("dd", { dir: "auto" }, clean(value))])),
      ...(cell.place ? [el("button", { type: "button", onclick: () => prove(`${question.question} · ${name}`, cell) }, "Open the proof"), trace(cell.place)] : []));
  }

  /** How the answer came about, as its certificate tells it, once somebody wants to know. */
  function trace(place) {
    const told = el("pre", { tabindex: 0 }, "…"), details = el("details", {}, el("summary", {}, "Trace"), told);
    details.addEventListener("toggle", async () => {
      const found = await certificate(place);
      told.textContent = found.trace === undefined ? "The certificate tells none." : asTold(found.trace);
    }, { once: true });
    return details;
  }

  // ------------------------------------------------------------------------------------------- the proof

  const written = (value) => JSON.stringify(value).replace(/[&<>\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  let blank = null; // what stands before and after the certificate in the page of a proof

  async function prove(name, cell) {
    blank ??= unpacked(JSON.parse(at("blank").textContent)).then(JSON.parse);
    const [[before, after], proof] = [await blank, { ...await certificate(cell.place) }], pack = evidence.of[cell.place.join(".")];
    if (pack !== undefined) proof.evidence = JSON.parse(await unpacked(evidence.packs[pack]));
    const run = cell.check ? ` In the run it was checked against the graph: ${cell.check}.` : "";
    at("proof-note").textContent = proof.evidence ? "" : `The statements that it rests on are not in this file, so that it cannot be checked here.${run}`;
    const frame = el("iframe", { title: "The proof", srcdoc: before + written(proof) + after });
    frame.addEventListener("load", () => frame.contentWindow.addEventListener("keydown", (event) => { if (event.key === "Escape") at("proof").close(); }));
    at("proof-name").textContent = clean(name);
    at("frame").replaceChildren(frame);
    at("proof").showModal();
  }

  // ------------------------------------------------------------------------------------------- beginning

  /** The choices of a filter; with one alone there is nothing to choose. */
  function offer(name, any, choices) {
    at(name).append(el("option", { value: "" }, any), ...choices.map(([value, text]) => el("option", { value }, text)));
    at(name).closest("label").hidden = choices.length < 2;
  }

  async function begin() {
    given = JSON.parse(await unpacked(JSON.parse(at("asked").textContent)));
    for (const question of given.questions) {
      const cells = question.runs.filter((cell) => cell !== null);
      question.text = [question.question, question.gold, ...cells.map(({ answer }) => answer)].join("\n").toLowerCase();
    }
    const present = new Set(given.questions.flatMap(({ runs }) => runs.map((cell) => cell?.outcome)));
    const different = (key) => [...new Set(given.questions.map((question) => question[key]))].filter((one) => one !== null && one !== "").sort((a, b) => (a < b ? -1 : 1));
    const outcomes = OUTCOMES.filter((one) => present.has(one)).map((one) => [one, one]);
    offer("outcome", "any", given.runs.length > 1 ? [...outcomes, ["differs", "differs between runs"]] : outcomes);
    offer("run", "any", given.runs.map(([name, data], place) => [place, given.data.length > 1 ? `${name} · ${given.data[data]}` : name]));
    offer("data", "all", given.data.map((name, place) => [place, name]));
    offer("type", "all", different("type").map((one) => [one, clean(one)]));
    offer("hops", "all", different("hops").map((one) => [one, String(one)]));
    at("filter").addEventListener("input", find);
    at("filter").addEventListener("submit", (event) => event.preventDefault());
    at("more").addEventListener("click", () => at("list").children[more()]?.querySelector("summary").focus());
    at("close").addEventListener("click", () => at("proof").close());
    at("proof").addEventListener("close", () => at("frame").replaceChildren());
    at("filter").hidden = false;
    find();
    document.documentElement.dataset.ready = "true";
  }

  begin();
})();
