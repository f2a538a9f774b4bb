/** Shows the certificate that the page holds, as the kernel (`Toulmin`) finds it. All text of it goes through textContent. */
"use strict";
(() => {
  const { at, svg, el, visible, many, asTold } = globalThis.Dom;
  const given = document.getElementById("certificate").textContent;
  const FORMAT = globalThis.TOULMIN_FORMAT;
  const STATUSES = {
    holds: "looked up in the graph", recomputed: "computed again here", judged: "somebody's judgement", assumed: "taken to be so",
    unverifiable: "what would show it is not at hand", stale: "the graph is another now", fails: "it is not so",
  };
  const VERDICTS = { supported: "holds", contradicted: "fails", "not in the graph": "unverifiable", open: "unverifiable" };
  const DRAWN = 250, LISTED = 2000, NAMED = 200, SHOWN_VALUES = 100, BRIEF = 4; // boxes drawn, nodes listed, statements of a node; values the kernel writes
  const icon = (status) => svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#s-${status}` }));
  const marked = (status, word = status) => el("span", { class: `status ${status}` }, icon(status), ` ${word}`);
  const withCode = (text) => text.split(/([0-9a-f]{64})/).map((part, i) => (i % 2 ? el("code", {}, part) : part));

  /** The places that a node names, each with the fields that name it. @returns {Map<number, Set<string>>} */
  function partsOf(data) {
    const found = new Map();
    const walk = (value, shape, field) => {
      if (value === null || value === undefined) return;
      if (Array.isArray(shape)) for (const one of value) walk(one, shape[0], field);
      else if (typeof shape === "object") for (const [name, part] of Object.entries(shape)) walk(value[name.replace("?", "")], part, field || name.replace("?", ""));
      else if (shape.startsWith("@")) found.set(value, (found.get(value) || new Set()).add(field));
    };
    walk(data, FORMAT.nodes[data.op].fields, "");
    return found;
  }

  // ------------------------------------------------------------------------------------------- question and answer

  /** The question, with the words marked that nodes were read from and those that were not read. */
  function showQuestion(certificate, report) {
    const text = visible(String(certificate.question ?? "")), marks = [];
    if (report.exit_code < 2) {
      certificate.program.forEach((node, place) => node.words && marks.push({ words: node.words, place }));
      for (const reason of certificate.answer.reasons || []) {
        const words = reason.code === "unread" ? reason.words : reason.code === "unnamed" ? [reason.words] : [];
        for (const [start, end] of words) marks.push({ words: [start, end], place: null });
      }
    }
    const heading = at("question"), taken = at("reading");
    const row = (name, ...inner) => taken.append(el("dt", {}, name), el("dd", {}, ...inner));
    let from = 0;
    for (const { words: [start, end], place } of marks.sort((a, b) => a.words[0] - b.words[0]).slice(0, NAMED)) {
      if (start < from || end > text.length) continue;
      const words = text.slice(start, end).join("");
      heading.append(text.slice(from, start).join(""), el("mark", { class: place === null ? "unread" : null, title: place === null ? "not read" : null }, words));
      from = end;
      const node = report.nodes[place];
      if (node && node.op === "entity") row(`“${words}”`, `taken for ${node.sentence}`, el("span", { class: "by" }, ` (${node.status}${node.reason ? `: ${node.reason}` : ""})`));
    }
    heading.append(text.slice(from).join(""));
    heading.classList.toggle("long", text.length > 160);
    if (certificate.answer?.kind === "text") at("kind").textContent = "Text";
    if (asked(certificate)) row("Asked", el("span", { dir: "auto" }, visible(asked(certificate)).join("")), el("span", { class: "by" }, " as told"));
    if (report.read_as) row("Read as", el("span", { class: "sentence", dir: "auto" }, report.read_as), el("span", { class: "by" }, ` ${report.judge}`));
    document.title = `${text.slice(0, 80).join("").trim() || "A certificate"} · Toulmin`;
  }

  /** The question that a text was written to answer, as it is told; null where the text itself was given. */
  const asked = ({ answer, trace }) => (answer?.kind === "text" && typeof trace?.asked === "string" ? trace.asked : null);

  /** A line of an answer: the verdict of a sentence with its mark, a reason, or a value. */
  function answerLine(line, places = [], notes = []) {
    const [, verdict, rest] = /^(supported|contradicted|not in the graph|open|none): (.*)$/s.exec(line) || [null, "", line];
    const word = VERDICTS[verdict] ? el("b", {}, `${verdict[0].toUpperCase()}${verdict.slice(1)}: `) : "";
    const mark = VERDICTS[verdict] || (/^(uncited|not checked) /.test(line) ? "unverifiable" : "");
    return el("li", {}, mark ? icon(mark) : "", el("span", { dir: "auto" }, word, rest, ...notes.map((note) => el("sup", {}, `[${note}]`)), ...places.flatMap((place) => [" ", reference(place)])));
  }

  /** A line of a text that a question asked for, which was held against what its sentences cite, not against the graph. */
  const heldAgainst = (line) => line.replace(/^not in the graph(?=: )/, "open").replace(/^not checked(?= \()/, "uncited");

  function showAnswer(certificate, report) {
    const { kind, rows, values, sentences, reasons } = certificate.answer || {}, box = at("answers");
    const lines = report.answer.length ? report.answer : ["nothing that could be checked"], cells = lines.map((line) => line.split(" | "));
    const more = (count, one) => (count > 0 ? el("p", { class: "quiet" }, `… and ${many(count, one)} more`) : "");
    box.className = kind === "text" || kind === "none" || !report.answer.length ? "long" : lines.length > 1 || lines[0].length > 90 ? "many" : "";
    if (report.answer.length && (kind === "text" || kind === "none")) {
      const places = (i) => (kind === "text" ? sentences[i].claims.map(({ of }) => of) : [reasons[i].of ?? []].flat());
      const numbers = new Map(); // of the statements that a text rests on, in the order in which it cites them
      const cited = (i) => places(i).flatMap((of) => certificate.program[of].seen ?? []).filter((place) => certificate.program[place].op === "statement");
      const notes = (i) => (asked(certificate) ? [...new Set(cited(i))].map((place) => numbers.get(place) ?? numbers.set(place, numbers.size + 1).get(place)) : []);
      const footnotes = () => (numbers.size ? el("ol", { class: "notes" }, ...[...numbers.keys()].map((place) => el("li", { dir: "auto" }, report.nodes[place].sentence, " ", reference(place)))) : "");
      box.replaceChildren(kind === "none" ? el("p", { class: "none" }, "No answer") : "", el("ul", { class: "plain" }, ...lines.slice(0, LISTED).map((line, i) => answerLine(asked(certificate) ? heldAgainst(line) : line, places(i), notes(i)))), footnotes());
    } else if (kind === "rows" && report.answer.length && cells.every((cell, i) => cell.length === rows[i].length)) {
      box.replaceChildren(el("table", {}, el("tbody", {}, ...cells.map((row) => el("tr", {}, ...row.map((cell) => el("td", { dir: "auto" }, cell)))))), more(rows.length - cells.length, "row"));
    } else box.replaceChildren(...lines.map((line) => el("p", { dir: "auto" }, line)), more(kind === "nodes" && report.answer.length ? values.length - SHOWN_VALUES : 0, "value"));
  }

  /** What the check comes to, in a sentence. */
  function outcome({ exit_code: code, status, judge, nodes }) {
    if (code) return code === 2 ? "This is not a certificate that can be checked." : "The check does not pass.";
    if (status === "unverifiable") return "The check finds nothing wrong, and cannot show that all of it is right.";
    const trusted = ["judged", "assumed"].filter((one) => one === status || (one === "judged" && judge.startsWith(one)) || nodes.some((node) => node.used && node.status === one));
    return trusted.length ? `The check passes, if what is ${trusted.join(" and ")} is right.` : "The check passes.";
  }

  function showResult(report, milliseconds, root) {
    const counts = Object.keys(STATUSES).map((status) => [status, report.nodes.filter((node) => node.used && node.status === status).length]);
    const weakest = report.exit_code === 2 ? "" : ` Its weakest part is ${report.status}: ${STATUSES[report.status]}.`;
    const result = at("result");
    result.className = report.exit_code ? "bad" : report.status === "unverifiable" ? "open" : "";
    const shown = report.exit_code === 0 && report.status !== "unverifiable";
    at("answer").classList.toggle("claimed", !shown);
    at("answer-head").textContent = shown ? "Answer" : "Answer, as claimed";
    result.dataset.status = report.status;
    result.dataset.exit = String(report.exit_code);
    result.replaceChildren(
      el("p", {}, el("strong", {}, outcome(report)), weakest),
      el("p", { class: "counts" }, ...counts.filter(([, count]) => count).map(([status, count]) => marked(status, `${count.toLocaleString("en")} ${status}`))),
      ...report.problems.map((problem) => el("p", { class: "problem" }, icon("fails"), el("span", {}, problem))),
      el("p", { class: "quiet" }, `Checked in this page, in ${Math.max(1, Math.round(milliseconds)).toLocaleString("en")} ms${root ? ", against the root that you gave" : ""}.`),
    );
    at("graphs").replaceChildren(...report.graphs.map((line) => el("li", {}, "Graph ", ...withCode(line))));
    if (!report.graphs.length) at("graphs").append(el("li", { class: "quiet" }, "No graph."));
  }

  /** What the answer needs and nobody can look up or compute again. */
  function showTrust(certificate, report) {
    const weak = report.nodes.filter((node) => node.used && !["holds", "recomputed"].includes(node.status));
    const items = weak.slice(0, NAMED).map((node) => el("li", {}, marked(node.status), el("div", { dir: "auto" },
      shortened(node.sentence, 240), " ", reference(node.place), el("div", { class: "why" }, node.reason))));
    const status = { judged: "judged", nobody: "unverifiable" }[report.judge.split(" ")[0]];
    if (status) {
      items.unshift(el("li", {}, marked(status), el("div", {}, `That the ${certificate.answer.kind === "text" ? "text" : "question"} means what it was read as`, el("div", { class: "why" }, report.judge))));
    }
    at("weak").replaceChildren(...items);
    if (!items.length) at("weak").append(el("li", {}, "Nothing: all of it was looked up or computed again."));
  }

  const shortened = (text, longest) => (text.length > longest ? `${Array.from(text).slice(0, longest - 1).join("")}…` : text);
  const reference = (place) => el("button", { type: "button", class: "link", "aria-label": `Show node ${place}`, onclick: () => choose(place, true) }, `[${place}]`);

  // ------------------------------------------------------------------------------------------- statements

  const struck = new Set();
  let state = null; // certificate, report, outline, boxes, edges

  /** A statement as the kernel writes it, "A — r → B (…) [id]", each part with a direction of writing of its own. */
  function statementButton(line, places) {
    const [, said, id] = /^(.*) \[([0-9a-f]{12})\]$/s.exec(line) || [null, line, null];
    const say = el("span", { class: "say" }, ...said.split(/( — | → )/).map((part, i) => (i % 2 ? el("span", { class: "rel" }, part) : el("bdi", {}, part))));
    if (id === null) return el("div", { class: "fact quiet" }, say);
    const used = places ? el("span", {}, ` · node${places.length > 1 ? "s" : ""} ${places.map((place) => `[${place}]`).join(" ")}`) : null;
    return el("button", { type: "button", class: "fact", "aria-pressed": String(struck.has(id)), "data-id": id, onclick: () => strike(id) },
      say, el("span", { class: "act" }, struck.has(id) ? "Put back" : "Strike out"), el("span", { class: "id" }, el("code", {}, id), used));
  }

  function showStatements(report) {
    const facts = new Map(), names = new Map(), left = [];
    for (const node of report.nodes.filter((one) => one.used)) {
      for (const line of node.statements) {
        if (!/ \[[0-9a-f]{12}\]$/.test(line)) { left.push(el("li", {}, statementButton(`Node [${node.place}]: ${line}`))); continue; }
        const kind = node.op === "entity" ? names : facts;
        kind.set(line, [...(kind.get(line) || []), node.place]);
      }
    }
    const items = (lines) => [...lines].slice(0, LISTED).map(([line, places]) => el("li", {}, statementButton(line, places)));
    at("facts").replaceChildren(...items(facts), ...left.slice(0, NAMED));
    if (!facts.size) at("facts").append(el("li", { class: "quiet" }, "No statement: the answer needs none, or they are not in this file."));
    const box = at("names");
    box.hidden = !names.size;
    box.querySelector("summary").textContent = many(names.size, "name");
    box.querySelector("ul").replaceChildren(...items(names));
  }

  /** Strike a statement out, or put it back, and show what becomes of the answer. */
  function strike(id) {
    if (!struck.delete(id)) struck.add(id);
    for (const button of document.querySelectorAll("[data-id]")) {
      const is = struck.has(button.dataset.id);
      button.setAttribute("aria-pressed", String(is));
      button.querySelector(".act").textContent = is ? "Put back" : "Strike out";
    }
    at("without").hidden = !struck.size;
    const then = struck.size ? reckoned(() => Toulmin.withoutStatement(given, [...struck]), { answer: ["not known: it takes too long"], same: false, yields: [] }) : null;
    if (then) {
      const what = `Without ${struck.size === 1 ? "this statement" : `these ${struck.size} statements`} the answer ${then.same ? "stays" : "becomes"}`;
      const text = state.certificate.answer.kind === "text" && !then.same; // of a text, the sentences that change
      const lines = text ? then.answer.filter((line, i) => line !== state.report.answer[i]) : then.answer;
      at("without").dataset.same = String(then.same);
      at("then").replaceChildren(el("p", { class: "quiet" }, what), el("ul", { class: "plain" }, ...lines.slice(0, BRIEF).map((line) => answerLine(shortened(line, 240)))),
        lines.length > BRIEF ? el("p", { class: "quiet" }, `… and ${many(lines.length - BRIEF, "line")} more`) : "");
    }
    state.then = then;
    draw();
  }

  /** What the kernel finds, or something else where it takes too long. */
  function reckoned(work, otherwise) {
    try { return work(); } catch { return otherwise; }
  }

  function restore() {
    const [first] = struck;
    for (const id of [...struck].slice(1)) struck.delete(id);
    strike(first);
    document.querySelector(`[data-id="${first}"]`)?.focus();
  }

  // ------------------------------------------------------------------------------------------- the drawing

  const pen = document.createElement("canvas").getContext("2d");
  /** A text in lines of at most so many pixels, at most so many lines. */
  function wrapped(text, font, width, most) {
    pen.font = font;
    const fits = (line) => pen.measureText(line).width <= width, lines = [];
    let line = "";
    for (let word of shortened(text, 400).split(" ")) {
      if (fits(line ? `${line} ${word}` : word)) { line = line ? `${line} ${word}` : word; continue; }
      if (line) lines.push(line);
      for (line = ""; !fits(word);) {
        const letters = Array.from(word);
        let count = 1;
        while (count < letters.length && fits(letters.slice(0, count + 1).join(""))) count++;
        lines.push(letters.slice(0, count).join(""));
        word = letters.slice(count).join("");
      }
      line = word;
    }
    if (line) lines.push(line);
    if (lines.length > most) {
      let last = lines[most - 1];
      while (last && !fits(`${last}…`)) last = Array.from(last).slice(0, -1).join("");
      lines.splice(most - 1, lines.length, `${last}…`);
    }
    return lines;
  }

  /** Whether a node is a literal: it stands where it is used, and gets no box. */
  const isValue = (place) => state.report.nodes[place].op === "literal";

  /** What stands in a box, and how large it is. */
  function boxOf(node, fonts) {
    const { short, yields } = state.outline[node.place], bound = node.op === "it";
    const small = ["entity", "literal", "it"].includes(node.op), width = small ? 176 : 214, inner = width - 24;
    const parts = partsOf(state.certificate.program[node.place]), values = short.replace(/\[(\d+)\]/g, (all, part) => (parts.has(Number(part)) && isValue(part) ? state.outline[part].short : all));
    const said = wrapped(values, fonts.said, inner, 5), then = state.then?.yields[node.place];
    const changed = state.then !== null && then !== undefined && then !== yields && !bound;
    const result = small || !yields ? [] : wrapped(yields.replace(/^1 node: /, ""), fonts.yields, inner, 2);
    const after = changed ? wrapped(`then ${then || "nothing"}`, fonts.yields, inner, 2) : [];
    return { said, result, after, changed, width, height: 34 + 17 * said.length + (result.length + after.length ? 7 + 17 * (result.length + after.length) : 0) + 7 };
  }

  function layout(rankdir, boxes, edges) {
    const graph = new dagre.graphlib.Graph();
    graph.setGraph({ rankdir, nodesep: rankdir === "BT" ? 26 : 18, ranksep: rankdir === "BT" ? 40 : 56, edgesep: 12, marginx: 16, marginy: 16 });
    for (const [place, { width, height }] of boxes) graph.setNode(String(place), { width, height });
    for (const { from, to, label } of edges) graph.setEdge(String(from), String(to), { label, width: label ? 7 * label.length : 0, height: label ? 14 : 0, labelpos: "c" });
    dagre.layout(graph);
    return graph;
  }

  /** A line through points that leaves and enters boxes in the middle of a side, straight on. */
  function curve(graph, from, to, points) {
    const upwards = graph.graph().rankdir === "BT", [a, b] = [graph.node(String(from)), graph.node(String(to))], on = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
    const [first, last] = upwards ? [{ x: a.x, y: a.y - a.height / 2 }, { x: b.x, y: b.y + b.height / 2 }] : [{ x: a.x + a.width / 2, y: a.y }, { x: b.x - b.width / 2, y: b.y }];
    const way = [first, ...points.slice(1, -1), last], middle = (p, q) => (upwards ? [p.x, (p.y + q.y) / 2, q.x, (p.y + q.y) / 2] : [(p.x + q.x) / 2, p.y, (p.x + q.x) / 2, q.y]);
    const turns = way.slice(1).map((q, i) => { const [x1, y1, x2, y2] = middle(way[i], q); return `C${on(x1, y1)} ${on(x2, y2)} ${on(q.x, q.y)}`; });
    return `M${on(first.x, first.y)}${turns.join("")}`;
  }

  let scale = null, picked = null;

  function draw() {
    const { certificate, report } = state, canvas = at("canvas"), nodes = report.nodes;
    const drawn = nodes.filter((node) => !isValue(node.place));
    if (!drawn.length || drawn.length > DRAWN) {
      canvas.replaceChildren(el("p", { class: "quiet" }, drawn.length ? `The program has ${many(nodes.length, "node")}: too many to draw. They are listed below.` : "There is no program to draw."));
      return;
    }
    const family = getComputedStyle(document.body).fontFamily, fonts = { said: `13px ${family}`, yields: `600 12.5px ${family}` };
    const boxes = new Map(drawn.map((node) => [node.place, boxOf(node, fonts)])), edges = [];
    for (const node of drawn) {
      const parts = [...partsOf(certificate.program[node.place])].filter(([from]) => !isValue(from)), plain = new Set(parts.flatMap(([, fields]) => [...fields])).size < 2;
      for (const [from, fields] of parts) {
        const bound = node.op === "it" || [...fields].every((field) => ["it", "members"].includes(field));
        edges.push({ from, to: node.place, bound, label: node.op === "it" ? "each" : bound || plain ? "" : [...fields].join(", ") });
      }
    }
    const room = Math.max(canvas.parentElement.clientWidth - 2, 280), shapes = ["BT", "LR"].map((rankdir) => layout(rankdir, boxes, edges));
    const fit = (graph) => Math.min(1, room / graph.graph().width);
    const worth = (graph) => [fit(graph) < 0.7 ? fit(graph) : 1, -graph.graph().height * fit(graph)];
    const [a, b] = shapes.map(worth), graph = b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? shapes[1] : shapes[0];
    const { width, height } = graph.graph(), least = fit(graph) < 0.7 ? 0.8 : fit(graph);
    const shown = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `The program, ${many(nodes.length, "node")}` },
      svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7.2, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0 .8 7.4 4 0 7.2Z" }))));
    for (const { from, to, bound, label } of edges) {
      const { points, x, y } = graph.edge(String(from), String(to));
      shown.append(svg("g", { class: `edge${bound ? " bound" : ""}`, "data-from": from, "data-to": to },
        svg("path", { d: curve(graph, from, to, points), "marker-end": "url(#arrow)" }), label ? svg("text", { x, y: y + 4 }, label.replaceAll("_", " ")) : null));
    }
    const answers = new Set([certificate.answer.of ?? (certificate.answer.sentences || []).flatMap(({ claims }) => claims.map(({ of }) => of))].flat());
    at("program-note").textContent = `Arrows lead to each node from what it is made of${answers.size ? "; what the answer says is tinted" : ""}. Arrow keys go from box to box, Enter shows one in full.`;
    for (const node of drawn) shown.append(box(node, boxes.get(node.place), graph.node(String(node.place)), answers.has(node.place)));
    const before = canvas.querySelector(":focus")?.dataset.place;
    canvas.replaceChildren(shown);
    Object.assign(state, { graph, shown, width, height });
    zoom(scale === null ? least : scale);
    if (picked === null) { reach(drawn.at(-1).place); centre(Math.max(...answers, 0)); } else mark(picked);
    if (before !== undefined) boxAt(before)?.focus();
  }

  function box(node, { said, result, after, changed, width, height }, { x, y }, isAnswer) {
    const left = x - width / 2, top = y - height / 2, line = (name, text, i, dy) => svg("text", { class: name, x: left + 12, y: top + dy + 17 * i }, text);
    const classes = ["box", node.status, node.used ? "" : "idle", isAnswer ? "answer" : "", changed ? "changed" : ""];
    const rule = 34 + 17 * said.length, mark = svg("svg", { x: left + 11, y: top + 10, width: 14, height: 14 }, svg("use", { href: `#s-${node.status}` }));
    const texts = [svg("text", { class: "op", x: left + 31, y: top + 21 }, `${node.op.replaceAll("_", " ")} · ${node.used ? node.status : "not needed"}`),
      svg("text", { class: "place", x: left + width - 11, y: top + 21 }, `[${node.place}]`), ...said.map((text, i) => line("said", text, i, 42)),
      ...result.map((text, i) => line("yields", text, i, rule + 14)), ...after.map((text, i) => line("then", text, i + result.length, rule + 14))];
    return svg("g", { class: classes.filter(Boolean).join(" "), tabindex: -1, role: "button", "aria-pressed": "false", "aria-description": node.sentence, "data-place": node.place, onclick: () => choose(node.place) },
      svg("rect", { class: "body", x: left, y: top, width, height, rx: node.op === "it" ? 18 : 9 }), mark, ...texts.flatMap((text) => [text, " "])); // a blank is read, not drawn
  }

  const boxAt = (place) => state.shown?.querySelector(`.box[data-place="${place}"]`);
  /** The one box that the tabulator reaches. */
  function reach(place) {
    for (const one of state.shown.querySelectorAll('.box[tabindex="0"]')) one.setAttribute("tabindex", "-1");
    boxAt(place)?.setAttribute("tabindex", "0");
  }

  function zoom(to) {
    const canvas = at("canvas"), before = scale || to;
    const [x, y] = [canvas.scrollLeft + canvas.clientWidth / 2, canvas.scrollTop + canvas.clientHeight / 2];
    scale = Math.min(2, Math.max(0.15, to));
    state.shown.setAttribute("width", state.width * scale);
    state.shown.setAttribute("height", state.height * scale);
    canvas.scrollTo(x * scale / before - canvas.clientWidth / 2, y * scale / before - canvas.clientHeight / 2);
    canvas.classList.toggle("grab", canvas.scrollWidth > canvas.clientWidth + 1 || canvas.scrollHeight > canvas.clientHeight + 1);
  }

  /** How large all of the drawing can be seen at once. */
  const whole = (canvas) => Math.min(1, (canvas.parentElement.clientWidth - 2) / state.width, parseFloat(getComputedStyle(canvas).maxHeight) / state.height || 1);

  /** Brings a box into the middle of the drawing's window. */
  function centre(place) {
    const canvas = at("canvas"), found = state.graph?.node(String(place));
    if (found) canvas.scrollTo(found.x * scale - canvas.clientWidth / 2, found.y * scale - canvas.clientHeight / 2);
  }

  /** Marks a box and the arrows into it. */
  function mark(place) {
    if (!state.shown) return;
    for (const one of state.shown.querySelectorAll(".box")) one.setAttribute("aria-pressed", String(one.dataset.place === String(place)));
    for (const one of state.shown.querySelectorAll(".edge")) one.classList.toggle("lit", one.dataset.to === String(place));
    reach(place);
  }

  /** Shows one node in full. */
  function choose(place, go = false) {
    const node = state.report.nodes[place], { yields } = state.outline[place], parts = [...partsOf(state.certificate.program[place]).keys()];
    picked = place;
    mark(place);
    at("chosen").replaceChildren(
      el("h3", {}, `Node [${place}]: ${node.op.replaceAll("_", " ")} `, marked(node.status), node.used ? "" : " (not needed)"),
      el("p", { class: "sentence", dir: "auto" }, node.sentence),
      yields ? el("p", {}, "Yields ", el("strong", {}, yields)) : "",
      node.reason ? el("p", { class: "why" }, node.reason) : "",
      parts.length ? el("p", { class: "why" }, "Made of ", ...parts.flatMap((part) => [reference(part), " "])) : "",
      node.statements.length ? el("ul", { class: "plain" }, ...node.statements.map((line) => el("li", {}, statementButton(line)))) : "",
      el("details", {}, el("summary", {}, "As the certificate has it"), el("pre", { tabindex: 0 }, asTold(state.certificate.program[place]))));
    if (!go || !state.shown) return;
    at("canvas").scrollIntoView({ block: "nearest" });
    centre(place);
    boxAt(place)?.focus({ preventScroll: true });
  }

  function showNodes(report) {
    const item = (node) => el("li", {}, reference(node.place), " ", marked(node.status), node.used ? "" : " (not needed)",
      el("div", { class: "sentence", dir: "auto" }, node.sentence), state.outline[node.place].yields ? el("div", { class: "why" }, `Yields ${state.outline[node.place].yields}`) : "", node.reason ? el("div", { class: "why" }, node.reason) : "");
    at("nodes").replaceChildren(...report.nodes.slice(0, LISTED).map(item));
    if (report.nodes.length > LISTED) at("nodes").append(el("li", { class: "quiet" }, `… and ${many(report.nodes.length - LISTED, "node")} more`));
    const present = Object.keys(STATUSES).filter((status) => report.nodes.some((node) => node.status === status));
    at("key").replaceChildren(...present.map((status) => el("li", {}, marked(status), `: ${STATUSES[status]}`)));
  }

  function written(value) {
    const text = asTold(value);
    if (typeof value !== "object") return text;
    const shown = el("pre", { tabindex: 0 }, text), lines = text.split("\n").length;
    return lines > 12 ? el("details", {}, el("summary", {}, many(lines, "line")), shown) : shown;
  }

  /** What stands in the certificate and is not checked. */
  function showTold(certificate) {
    for (const name of ["maker", "method", "model", "prompts", "confidence", "usage", "trace"]) {
      const value = certificate[name];
      if (value !== undefined && value !== null) at("told").append(el("dt", {}, name), el("dd", {}, written(value)));
    }
  }

  // ------------------------------------------------------------------------------------------- what the reader does

  /** The nearest box in a direction, from the middle of one. */
  function beside(place, key) {
    const middle = state.graph.node(String(place));
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    let best = null;
    for (const node of state.report.nodes) {
      const other = state.graph.node(String(node.place));
      if (!other) continue;
      const along = (other.x - middle.x) * dx + (other.y - middle.y) * dy;
      const aside = Math.abs((other.x - middle.x) * dy) + Math.abs((other.y - middle.y) * dx), far = along + 2.5 * aside;
      if (along > 4 && (best === null || far < best.far)) best = { far, place: node.place };
    }
    return best?.place ?? null;
  }

  function listen() {
    const canvas = at("canvas");
    canvas.addEventListener("keydown", (event) => {
      const place = event.target.dataset.place;
      if (event.key.startsWith("Arrow") && place !== undefined) {
        const next = beside(Number(place), event.key);
        event.preventDefault();
        if (next !== null) { reach(next); boxAt(next).focus({ preventScroll: true }); centre(next); }
      } else if ((event.key === "Enter" || event.key === " ") && place !== undefined) { event.preventDefault(); choose(Number(place)); }
    });
    let held = null, moved = false;
    canvas.addEventListener("pointerdown", (event) => {
      moved = false;
      if (event.pointerType === "mouse" && event.button === 0) held = { x: event.clientX + canvas.scrollLeft, y: event.clientY + canvas.scrollTop };
    });
    addEventListener("pointermove", (event) => {
      const [x, y] = held ? [held.x - event.clientX, held.y - event.clientY] : [];
      if (!held || (!moved && Math.abs(x - canvas.scrollLeft) + Math.abs(y - canvas.scrollTop) < 5)) return;
      moved = true;
      canvas.classList.add("held");
      canvas.scrollTo(x, y);
    });
    addEventListener("pointerup", () => { held = null; canvas.classList.remove("held"); });
    canvas.addEventListener("click", (event) => { if (moved) event.stopPropagation(); }, true); // the end of a drag
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey || !state.shown) return;
      event.preventDefault();
      zoom(scale * (event.deltaY < 0 ? 1.15 : 1 / 1.15));
    }, { passive: false });
    for (const button of document.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => state.shown && zoom({ in: scale * 1.25, out: scale / 1.25, fit: whole(canvas) }[button.dataset.zoom]));
    }
    addEventListener("beforeprint", () => { at("listed").open = true; });
    let width = innerWidth;
    addEventListener("resize", () => {
      if (innerWidth === width || !state.shown) return;
      [width, scale] = [innerWidth, null];
      draw();
    });
    at("trusted").addEventListener("submit", (event) => {
      event.preventDefault();
      const given = at("root").value.toLowerCase().split(/[\s,;]+/).filter(Boolean); // of several graphs several
      const wrong = given.some((one) => !/^[0-9a-f]{64}$/.test(one));
      at("root").setAttribute("aria-invalid", String(wrong));
      if (wrong) at("result").replaceChildren(el("p", { class: "problem" }, icon("fails"), "A root has 64 hexadecimal digits."));
      else check(given.length ? given : null);
      at("result").scrollIntoView({ block: "nearest" });
    });
    at("restore").addEventListener("click", restore);
    at("save").addEventListener("click", () => {
      const url = URL.createObjectURL(new Blob([given], { type: "application/json" }));
      el("a", { href: url, download: "certificate.json" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    });
  }

  /** Of several graphs there are several roots: a line for each. */
  function offerRoots(count) {
    const label = at("trusted").querySelector("label"), { placeholder } = at("root");
    label.textContent = "Roots that you have from somebody you trust, one for each graph";
    const kept = { id: "root", name: "root", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "root-note" };
    at("root").replaceWith(el("textarea", { ...kept, rows: count, placeholder: `${placeholder}, each on a line of its own` }));
  }

  /** Runs the kernel and shows what it says of the certificate. */
  function check(root) {
    const begun = performance.now(), report = Toulmin.check(given, { root, shown: NAMED });
    showResult(report, performance.now() - begun, root);
    return report;
  }

  function begin() {
    const certificate = JSON.parse(given), report = check(null), checked = report.exit_code < 2;
    const plain = report.nodes.map(({ place, sentence }) => ({ place, short: sentence, yields: "" }));
    state = { certificate, report, then: null, outline: checked ? reckoned(() => Toulmin.outline(given), plain) : [] };
    showQuestion(certificate, report);
    showAnswer(certificate, report);
    showTold(certificate);
    if (checked && certificate.graphs.length > 1) offerRoots(Math.min(certificate.graphs.length, 8));
    for (const id of ["roots", "trust", "program", "statements"]) at(id).hidden = !checked;
    if (checked) {
      showTrust(certificate, report);
      showNodes(report);
      showStatements(report);
      draw();
    }
    listen();
    document.documentElement.dataset.ready = "true";
  }

  setTimeout(begin, 20); // when "Checking" has been painted
})();
