// Reads lines {text, graphs, roots, documents, strict, root} and writes, for each, the report of the JavaScript kernel.
"use strict";
const Toulmin = require(process.argv[2]);
const sorted = (value) => JSON.stringify(value, value && typeof value === "object" ? Object.keys(value).sort() : undefined);
const lines = require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean);
for (const line of lines) {
  const { text, graphs, roots, documents, strict, root } = JSON.parse(line);
  const graph = graphs && {
    roots: () => roots,
    range: (place, side, node, relation) => graphs[place].filter((one) =>
      sorted(one[side === "out" ? 0 : 2]) === sorted(node) && (relation === null || one[1] === relation)),
    document: (source) => documents[source] ?? null,
  };
  const begun = process.hrtime.bigint();
  const report = Toulmin.check(text, { graph: graph ?? null, strict: strict ?? false, root: root ?? null });
  process.stdout.write(`${JSON.stringify({ ...report, ms: Number(process.hrtime.bigint() - begun) / 1e6 })}\n`);
}
