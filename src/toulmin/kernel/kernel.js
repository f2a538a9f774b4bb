/**
 * The kernel of Toulmin in JavaScript: checks a certificate (docs/certificate.md) without a library, a network or a model. It reads from
 * top to bottom: texts and bytes, SHA-256, JSON, exact numbers, times, units, comparison, arithmetic, the shape of a certificate, evidence,
 * evaluation, sentences, the report.
 */
"use strict";
const Toulmin = (() => {
  /** The table of nodes, fields, reasons, answers and sentences: format.json, which a page holds as a constant. */
  const FORMAT = globalThis.TOULMIN_FORMAT || require("./format.json");
  const LABEL = "http://www.w3.org/2000/01/rdf-schema#label", ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel";
  const MAX_BYTES = 100_000_000, MAX_DEPTH = 64, MAX_BINDERS = 8, MAX_STEPS = 5_000_000;
  const MAX_NUMBER = 1000, MAX_TEXT = 1_000_000, MAX_MARKS = 10_000_000, MAX_CHAIN = 12, LARGEST = 1e12, SECONDS = 10;

  /** The one error of the kernel: what is given is no certificate, or goes beyond a limit. */
  class KernelError extends Error {}

  const SPACE = /[\t-\r\u001c-\u001f \u0085\p{Z}]+/gu;

  /** A text as a report shows it: one line that nothing in it can break, hide or turn around. @param {string} text */
  function oneLine(text, longest = 300) {
    const some = text.length > 10 * longest ? Array.from(text.slice(0, 20 * longest)).slice(0, 10 * longest).join("") : text; // of a long one no more is looked at
    const line = some.replace(SPACE, " ").replace(/(?![\u200c\u200d])\p{C}/gu, "").replace(SPACE, " ").replace(/^ | $/g, ""), points = Array.from(line);
    return points.length > longest || some !== text ? points.slice(0, longest - 1).join("") + "…" : line;
  }

  /** A text in quotation marks, for a message. */
  const quoted = (text, line = oneLine(text, 60).replaceAll("\\", "\\\\")) =>
    (line.includes("'") && !line.includes('"') ? `"${line}"` : `'${line.replaceAll("'", "\\'")}'`);
  const refuse = (message) => { throw new KernelError(message); };
  const wrong = (where, must) => refuse(`${where}: must be ${must}`);
  const isObject = (given) => typeof given === "object" && given !== null && !Array.isArray(given);
  const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : null);
  const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

  /** A function of one text that remembers what it found. */
  const remembered = (work, known = new Map()) => (text) => { if (!known.has(text)) known.set(text, work(text)); return known.get(text); };

  /** A text without some characters at its ends, in linear time. */
  function strip(text, letters) {
    let from = 0, to = text.length;
    while (from < to && letters.includes(text[from])) from++;
    while (from < to && letters.includes(text[to - 1])) to--;
    return text.slice(from, to);
  }

  // ---------------------------------------------------------------------------------------------- texts and bytes

  const ENCODER = new TextEncoder();
  /** The text's UTF-8. @param {string} text @returns {Uint8Array} */
  const utf8 = (text) => ENCODER.encode(text);

  /** Which text comes first by the bytes of its UTF-8. @returns {number} below, at or above 0 */
  function order(a, b) {
    const rank = (c) => (c >= 0xe000 ? c - 0x800 : c >= 0xd800 ? c + 0x2000 : c); // halves of pairs stand for what is above all others
    for (let i = 0, n = Math.min(a.length, b.length); i < n; i++) {
      const x = a.charCodeAt(i), y = b.charCodeAt(i); if (x !== y) return rank(x) - rank(y);
    }
    return a.length - b.length;
  }

  /** Texts one after another, each after its length in bytes: no two lists have the same. @param {...string} parts */
  const enc = (...parts) => parts.map((part) => `${/[^\0-\x7f]/.test(part) ? utf8(part).length : part.length}:${part}`).join("");
  /** @param {Uint8Array} bytes @returns {string} hexadecimal digits */
  const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  /** @param {string} text an even number of hexadecimal digits @returns {Uint8Array} */
  const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
  /** @param {string} text @returns {Uint8Array | null} null where it is no base64 */
  const unbase64 = (text) => (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : null);

  /** @param {...Uint8Array} parts @returns {Uint8Array} */
  function join(...parts) {
    const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
    parts.reduce((at, part) => { out.set(part, at); return at + part.length; }, 0); return out;
  }

  // ---------------------------------------------------------------------------------------------- SHA-256 (FIPS 180-4)

  const PRIMES = [];
  for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
  /** The first 32 bits of the fractional parts of the cube roots of primes, and of the square roots of the first eight. */
  const ROUNDS = Uint32Array.from(PRIMES, (prime) => (Math.cbrt(prime) % 1) * 2 ** 32);
  const FIRST = Uint32Array.from(PRIMES.slice(0, 8), (prime) => (Math.sqrt(prime) % 1) * 2 ** 32), SCHEDULE = new Uint32Array(64);

  /** @param {Uint8Array} bytes @returns {Uint8Array} 32 bytes */
  function sha256(bytes) {
    const state = FIRST.slice(), w = SCHEDULE, rot = (x, n) => (x >>> n) | (x << (32 - n)), padded = new Uint8Array(((bytes.length + 8) >> 6 << 6) + 64);
    const view = new DataView(padded.buffer); padded.set(bytes);
    padded[bytes.length] = 0x80; view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
    view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
    for (let block = 0; block < padded.length; block += 64) {
      for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i);
      for (let i = 16; i < 64; i++) {
        const x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + (rot(x, 7) ^ rot(x, 18) ^ (x >>> 3)) + w[i - 7] + (rot(y, 17) ^ rot(y, 19) ^ (y >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const one = (h + (rot(e, 6) ^ rot(e, 11) ^ rot(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
        const two = ((rot(a, 2) ^ rot(a, 13) ^ rot(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
      }
      [a, b, c, d, e, f, g, h].forEach((x, i) => { state[i] += x; });
    }
    state.forEach((x, i) => view.setUint32(4 * i, x)); return padded.slice(0, 32);
  }

  // ---------------------------------------------------------------------------------------------- JSON

  /** Reads JSON strictly: no field twice, no NaN, few levels. Objects have no prototype, integers are BigInt. @throws {KernelError} */
  function readJson(text) {
    const tokens = /[ \t\n\r]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+|$)/y; let token, marks = 0;
    const fail = (at = tokens.lastIndex) => refuse(`not JSON: at character ${at}`);
    const next = (at = tokens.lastIndex) => (token = tokens.exec(text)?.[1] ?? fail(at));
    const scalar = () => {
      const numeric = /^[-+.\d]/.test(token), whole = /^-?\d+$/.test(token), most = whole ? 15 : MAX_NUMBER;
      if (numeric && token.length > most) wrong("a number", whole ? "of at most 15 digits" : "of at most 1,000 characters");
      try { return whole && JSON.parse(token) !== undefined ? BigInt(token) : JSON.parse(token); } catch { return /^-?(NaN|Infinity)$/.test(token) ? wrong(token, "a number") : fail(); }
    };
    const value = (depth) => { // from its first token to its last
      const open = token, close = open === "{" ? "}" : open === "[" ? "]" : null, list = [], object = Object.create(null);
      if (!close) return scalar();
      if (depth >= MAX_DEPTH || ++marks > MAX_MARKS) refuse(`nests too deeply, or holds too much, at character ${tokens.lastIndex - 1}`);
      for (next(); token !== close;) {
        const name = open === "[" ? "" : token.startsWith('"') ? scalar() : fail();
        if (open === "{" && name in object) refuse(`the field ${quoted(name)} is given twice in one object`);
        if (open === "{" && (next() !== ":" || !next())) fail();
        if (open === "[") list.push(value(depth + 1)); else object[name] = value(depth + 1);
        if (next() === "," ? next() === close : token !== close) fail();
      }
      return open === "[" ? list : object;
    };
    if (text.length > MAX_BYTES) refuse(`longer than ${grouped(MAX_BYTES)} bytes`);
    next(); const result = value(0);
    return next() === "" ? result : fail();
  }

  // ---------------------------------------------------------------------------------------------- exact numbers

  const abs = (n) => (n < 0n ? -n : n);
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a; };
  const floorDiv = (a, b) => { const q = a / b; return a % b !== 0n && (a < 0n) !== (b < 0n) ? q - 1n : q; };
  const mod = (a, b) => a - floorDiv(a, b) * b;

  /** An exact fraction in lowest terms, its denominator above 0. @param {bigint} n @param {bigint} d */
  function ratio(n, d = 1n) {
    const common = gcd(abs(n), abs(d)) || 1n;
    return d < 0n ? { n: -n / common, d: -d / common } : { n: n / common, d: d / common };
  }
  const ZERO = ratio(0n);
  const plus = (a, b) => ratio(a.n * b.d + b.n * a.d, a.d * b.d);
  const minus = (a, b) => ratio(a.n * b.d - b.n * a.d, a.d * b.d);
  const times = (a, b) => ratio(a.n * b.n, a.d * b.d);
  const over = (a, b) => ratio(a.n * b.d, a.d * b.n);
  const less = (a, b) => a.n * b.d < b.n * a.d;
  const same = (a, b) => a.n === b.n && a.d === b.d;
  const least = (all) => all.reduce((a, b) => (less(b, a) ? b : a));
  const most = (all) => all.reduce((a, b) => (less(a, b) ? b : a));
  /** n / d to the nearest whole number, half to even. */
  function nearest(n, d) {
    const floor = floorDiv(n, d), twice = 2n * (n - floor * d);
    return twice > d || (twice === d && floor & 1n) ? floor + 1n : floor;
  }

  const NUMBER = "[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?";
  const IS_NUMBER = new RegExp(`^(?:${NUMBER})$`), IS_BOUNDS = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})$`);

  /** The exact value of a decimal number. @param {string} text @returns {{n: bigint, d: bigint}} */
  function decimal(text) {
    const [, sign, whole, part = "", exponent = "0"] = /^([+-]?)([0-9]*)\.?([0-9]*)(?:[eE](.*))?$/.exec(text);
    const digits = BigInt(whole + part || "0") * (sign === "-" ? -1n : 1n), power = BigInt(exponent) - BigInt(part.length);
    return power < 0n ? ratio(digits, 10n ** -power) : ratio(digits * 10n ** power);
  }

  /** The exact value of a Number or BigInt. @param {number | bigint} x */
  function exact(x) {
    if (typeof x === "bigint") return ratio(x);
    let power = 0n;
    while (!Number.isInteger(x)) { x *= 2; power++; }
    return ratio(BigInt(x), 1n << power);
  }

  /** The nearest Number, rounded once. */
  function toNumber({ n, d }) {
    const shift = 66 - abs(n).toString(2).length + d.toString(2).length;
    const top = shift > 0 ? abs(n) << BigInt(shift) : abs(n), bottom = shift > 0 ? d : d << BigInt(-shift);
    const value = Number(top / bottom | (top % bottom ? 1n : 0n)) * 2 ** (-shift); return n < 0n ? -value : value;
  }

  /** In decimal notation with 15 significant digits, half to even; with an exponent below 10^-6 and from 10^21 on. */
  function written(value) {
    if (value.n === 0n) return "0";
    const n = abs(value.n), d = value.d; let exponent = BigInt(n.toString().length - d.toString().length);
    const tens = (e) => (e >= 0n ? [10n ** e, 1n] : [1n, 10n ** -e]), [up, down] = tens(exponent);
    if (n * down < d * up) exponent--;
    const [top, bottom] = tens(14n - exponent); let digits = nearest(n * top, d * bottom).toString();
    if (digits.length > 15) exponent++;
    digits = digits.replace(/0+$/, "") || "0"; const sign = value.n < 0n ? "-" : "", e = Number(exponent);
    if (e < -6 || e > 20) return `${sign}${digits[0]}${digits.length > 1 ? "." + digits.slice(1) : ""}E${e < 0 ? "-" : "+"}${Math.abs(e)}`;
    if (e < 0) return `${sign}0.${"0".repeat(-e - 1)}${digits}`;
    if (digits.length <= e + 1) return sign + digits + "0".repeat(e + 1 - digits.length);
    return `${sign}${digits.slice(0, e + 1)}.${digits.slice(e + 1)}`;
  }

  // ---------------------------------------------------------------------------------------------- nodes of the graph

  /** @param {string} id @returns {{id: string, key: string}} an entity */
  const entity = (id) => ({ id, key: enc("e", id) });
  const FACETS = ["unit", "precision", "lang", "calendar"];

  /** A literal; what is absent is null. */
  function makeLiteral(value, kind, given = {}) {
    const facets = FACETS.map((name) => given[name] ?? null), [unit, precision, lang, calendar] = facets;
    return { value, kind, unit, precision, lang, calendar, key: enc("l", value, kind, ...facets.map((one) => one ?? "")) };
  }
  const isLiteral = (node) => node.id === undefined;
  const isKind = (node, kind) => node.kind === kind;
  const special = (node) => node.kind === "unknown_value" || node.kind === "no_value";
  const asJson = (node) => (isLiteral(node) ? Object.fromEntries(["value", "kind", ...FACETS].filter((n) => node[n] !== null).map((n) => [n, node[n]])) : node.id);
  /** Canonical order: entities by the bytes of their id, then literals by those of their key. */
  const canonical = (a, b) => isLiteral(a) - isLiteral(b) || (isLiteral(a) ? order(a.key, b.key) : order(a.id, b.id));

  // ---------------------------------------------------------------------------------------------- times

  /** Precisions from fine to coarse: the unit's length in microseconds up to a day, in years from a year on. */
  const LENGTHS = [...Object.entries(FORMAT.times.clock), ["month", 0], ...Object.entries(FORMAT.times.years)];
  const PRECISIONS = Object.fromEntries(LENGTHS.map(([name, length]) => [name, BigInt(length)]));
  const RANK = Object.fromEntries(LENGTHS.map(([name], i) => [name, i]));
  const { second: SECOND, minute: MINUTE, hour: HOUR, day: DAY } = PRECISIONS;
  const ISO = /^([+-]?\d{4,16})(?:-(\d\d)(?:-(\d\d))?)?(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?)?(Z|[+-]\d\d:\d\d)?$/;

  const monthLength = (year, month, julian) => dayNumber(year, month + 1n, 1n, julian) - dayNumber(year, month, 1n, julian); // a month 13 is January

  /** The Julian day number of a date of the proleptic Gregorian, or of the Julian, calendar (astronomical years). */
  function dayNumber(year, month, day, julian = false) {
    const shift = month < 3n ? 1n : 0n, y = year + 4800n - shift, m = month + 12n * shift - 3n;
    const days = day + (153n * m + 2n) / 5n + 365n * y + floorDiv(y, 4n);
    return julian ? days - 32_083n : days - floorDiv(y, 100n) + floorDiv(y, 400n) - 32_045n;
  }

  /** The proleptic Gregorian date of a Julian day number. @returns {bigint[]} year, month, day */
  function dateOf(number) {
    const since = number - 1_721_120n, era = floorDiv(since, 146_097n), of = since - era * 146_097n; // since 1 March of year 0
    const year = (of - of / 1460n + of / 36_524n - of / 146_096n) / 365n, day = of - (365n * year + year / 4n - year / 100n), month = (5n * day + 2n) / 153n;
    return [era * 400n + year + month / 10n, (month + 2n) % 12n + 1n, day - (153n * month + 2n) / 5n + 1n];
  }

  /** Years from the first to the last, whole. */
  const years = (first, last, precision, julian) => ({ start: dayNumber(first, 1n, 1n, julian) * DAY, end: dayNumber(last + 1n, 1n, 1n, julian) * DAY, precision });

  /** The decade, century … of a year. Decades begin at the round number (1990), centuries and millennia after it (1901). */
  function longSpan(year, precision, julian = false) {
    const length = PRECISIONS[precision], counted = year > 0n ? year : 1n - year;
    if (precision === "year") return years(year, year, precision, julian);
    const fromOne = precision === "century" || precision === "millennium";
    const low = fromOne ? (counted - 1n) / length * length + 1n : counted / length * length, high = low + length - 1n, least = low > 1n ? low : 1n;
    return year > 0n ? years(least, high, precision, julian) : years(1n - high, 1n - least, precision, julian);
  }

  /** The span of an ISO 8601 time, as coarse as the coarser of its precision and what is written. Null where it is none. */
  function isoSpan(text, precision = null, julian = false) {
    const found = ISO.exec(text);
    if (!found || (precision !== null && !Object.hasOwn(PRECISIONS, precision))) return null;
    const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((i) => BigInt((found[i] || "0").replace("+", "")));
    if (month > 12n || day > (month ? monthLength(year, month, julian) : 0n)) return null;
    if (hour > 24n || minute > 59n || second > 60n || (hour === 24n && (minute || second))) return null;
    const zone = found[8] || "Z", zoned = zone !== "Z", [ahead, rest] = zoned ? [BigInt(zone.slice(1, 3)), BigInt(zone.slice(4))] : [0n, 0n];
    if (ahead * 60n + rest > 840n || rest > 59n) return null;
    const offset = (ahead * HOUR + rest * MINUTE) * (zone[0] === "-" ? -1n : 1n);
    const fraction = BigInt((found[7] || "").slice(0, 6).padEnd(6, "0")), clock = hour * HOUR + minute * MINUTE + second * SECOND + fraction;
    let given = day ? "day" : month ? "month" : "year";
    if (given === "day" && found[4] && (clock || precision)) given = fraction ? "microsecond" : found[6] ? "second" : found[5] ? "minute" : "hour";
    if (precision && RANK[precision] > RANK[given]) given = precision; // a midnight without one is how many write a day
    if (RANK[given] >= RANK.year) return longSpan(year, given, julian);
    const first = dayNumber(year, month, given === "month" ? 1n : day, julian) * DAY;
    if (given === "month") return { start: first, end: first + monthLength(year, month, julian) * DAY, precision: given };
    const length = PRECISIONS[given], start = given === "day" ? first : first + clock / length * length - offset;
    return { start, end: start + length, precision: given };
  }
  /** The smallest unit of time told apart: a day, unless the time is given finer. */
  const resolution = (time) => (RANK[time.precision] < RANK.day ? PRECISIONS[time.precision] : DAY);

  /** A pattern of the format with the parts that it names. */
  const pattern = (text) => (/\{[a-z]+\}/.test(text) ? pattern(text.replace(/\{([a-z]+)\}/g, (_, name) => FORMAT.times.parts[name])) : new RegExp(`^(?:${text})$`));
  const TIME_TEXTS = FORMAT.times.texts.map(pattern), GAP = FORMAT.times.parts.gap;
  const trim = (text) => strip(text, " \t\n\r\f\v");

  /** A year, with its month, with its day, in ISO 8601. @param {bigint[]} date */
  const isoDate = ([year, ...rest]) => [`${year < 0n ? "-" : ""}${String(abs(year)).padStart(4, "0")}`, ...rest.map((n) => String(n).padStart(2, "0"))].join("-");

  /** The span of a text that says one time and nothing else ("18 February 1997", "44 BC"). Null where it says none. */
  const textSpan = remembered((given) => {
    const text = trim(given), iso = /^[0-9]*$/.test(text) ? null : isoSpan(text); if (iso) return iso;
    const part = TIME_TEXTS.map((pattern) => pattern.exec(text.toLowerCase())).find(Boolean)?.groups;
    if (!part) return null;
    const counted = BigInt(part.year || part.decade || part.count) * (part.unit ? PRECISIONS[part.unit] : 1n), year = part.era?.startsWith("b") ? 1n - counted : counted;
    if (counted === 0n) return null;
    if (part.unit || part.decade) return longSpan(year, part.unit || "decade");
    const month = part.month ? "janfebmaraprmayjunjulaugsepoctnovdec".indexOf(part.month.slice(0, 3)) / 3 + 1 : 0;
    return isoSpan(isoDate([year, ...(month ? [BigInt(month)] : []), ...(part.day ? [BigInt(part.day)] : [])]));
  });

  // ---------------------------------------------------------------------------------------------- units

  /** Every name of a single unit: (value + offset) * factor is in base units, `powers` of which it is. */
  const UNITS = (() => {
    const plain = new Map(), prefixed = new Map(), { table, prefixes } = FORMAT.units;
    for (const [dimension, row] of Object.entries(table)) {
      const powers = Array.from(dimension.matchAll(/([A-Za-z]+)(-?\d)?/g), ([, base, power]) => [base, Number(power || 1)]);
      for (const names of row.split(",").map((entry) => entry.trim().split(" "))) {
        const [fraction, offset = "0"] = names.pop().split("@"), factor = fraction.split("/").map(decimal).reduce(over);
        for (const name of names) {
          const bare = name.replace(/^[*~+]/, ""); plain.set(bare, { factor, powers, offset: decimal(offset) });
          for (const [prefix, power] of Object.entries(own(prefixes, name[0]) || {})) prefixed.set(prefix + bare, { factor: times(factor, decimal(power)), powers, offset: ZERO });
        }
      }
    }
    return new Map([...prefixed, ...plain]); // "min" is a minute before it is anything else
  })();

  /** The unit that a text writes ("kilometre / hour", "m²"), its dimension a text; null where the table lacks a part of it. */
  const unitNamed = remembered((given) => {
    if (Array.from(given).length > 60) return null;
    const text = given.replaceAll("**", "^").replaceAll("²", "^2").replaceAll("³", "^3").replaceAll("·", "*").replaceAll(" per ", "/");
    const pieces = text.split(/([*/])/), powers = new Map(); let factor = ratio(1n);
    for (let place = 0; place < pieces.length; place += 2) {
      const part = /^(?:(square|cubic) )?([A-Za-z\u00b5\u03bc°%_ ]+?) ?(?:\^? ?([2-9]))?$/.exec(strip(pieces[place], " "));
      const name = part ? part[2].replaceAll(" ", "_") : "";
      const unit = UNITS.get(name) || (name.endsWith("s") && name.length > 3 ? UNITS.get(name.slice(0, -1)) : undefined);
      if (!unit || (part[1] && part[3])) return null;
      const power = ({ square: 2, cubic: 3 }[part[1]] || Number(part[3] || 1)) * (place && pieces[place - 1] === "/" ? -1 : 1);
      if (unit.offset.n) return pieces.length === 1 && power === 1 ? { ...unit, dimension: "K1" } : null;
      for (let i = 0; i < Math.abs(power); i++) factor = power < 0 ? over(factor, unit.factor) : times(factor, unit.factor);
      for (const [base, exponent] of unit.powers) powers.set(base, (powers.get(base) || 0) + exponent * power);
    }
    const dimension = [...powers].filter(([, power]) => power).map(([base, power]) => base + power).sort().join(" ");
    return { factor, dimension, offset: ZERO };
  });
  /** The unit of a quantity: without one a plain number; what no table has is its own dimension. */
  const unitOf = (text) => (text ? unitNamed(text) : null) || { factor: ratio(1n), dimension: text ? `?${text}1` : "", offset: ZERO };

  const { signs: SIGNS, money: MONEY } = FORMAT.units, CURRENCIES = new Set(FORMAT.units.currencies.split(" "));
  /** The code of the currency that a code, a sign or an English name (also with "s") stands for; null where it is none. */
  function currency(text) {
    const name = text.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
    return CURRENCIES.has(text) ? text : own(SIGNS, text) || own(MONEY, name) || (name.endsWith("s") ? own(MONEY, name.slice(0, -1)) : null);
  }

  // ---------------------------------------------------------------------------------------------- values

  /** A quantity: an exact value, its bounds, and its unit (a currency by its code). Null where the value is no number, or outside its bounds. */
  function quantity(value, bounds, unit) {
    const fits = (text) => text.length <= MAX_NUMBER && IS_NUMBER.test(text); if (!fits(value)) return null;
    const exactly = decimal(value), pair = bounds ? IS_BOUNDS.exec(bounds) : null, named = unit && (currency(unit) || unit);
    if (!pair) return { value: exactly, low: exactly, high: exactly, unit: named };
    if (!fits(pair[1]) || !fits(pair[2])) return null;
    const [low, high] = [decimal(pair[1]), decimal(pair[2])];
    return less(exactly, low) || less(high, exactly) ? null : { value: exactly, low, high, unit: named };
  }

  const AMOUNT = "(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\\.[0-9]+)?";
  const UNIT_TEXT = '([^0-9 \\t\\n\\r\\f\\v()"][^()"]{0,60})';
  const QUANTITY_TEXT = new RegExp(`^([+-]?${AMOUNT}(?:[eE][+-]?[0-9]{1,3})?)(?:${GAP}*"?${GAP}*(?:\\(${UNIT_TEXT}\\)|${UNIT_TEXT}))?$`, "u");
  const BEFORE = [...Object.keys(SIGNS).sort((a, b) => b.length - a.length), "EUR", "USD", "GBP", "CHF"].map((sign) => sign.replace("$", "\\$"));
  const MONEY_TEXT = new RegExp(`^(-)?(${BEFORE.join("|")})${GAP}*(${AMOUNT})$`, "u");

  /** The quantity of a text that says one and nothing else ("8,848.86 metre", "$5", "5.6 (kilograms)"); null where it says none. */
  const textQuantity = remembered((given) => {
    const text = trim(given); if (Array.from(text).length > MAX_NUMBER) return null;
    const money = MONEY_TEXT.exec(text);
    if (money) return quantity((money[1] || "") + money[3].replaceAll(",", ""), null, currency(money[2]));
    const parts = QUANTITY_TEXT.exec(text); if (!parts) return null;
    let unit = parts[2] ?? parts[3] ?? null;
    if (unit !== null) {
      unit = trim(unit);
      const split = unit.replace(/(?<=[a-z])(?=[A-Z])/g, " "); // kilometrePerSeconds
      unit = unit === split || unitNamed(unit) ? unit : split.toLowerCase();
      if (!unitNamed(unit) && !currency(unit)) return null;
    }
    return quantity(parts[1].replaceAll(",", ""), null, unit);
  });

  /** A quantity in another unit; null where dimensions differ. */
  function converted(given, unit) {
    const source = unitOf(given.unit), target = unitOf(unit), by = over(source.factor, target.factor);
    const change = (x) => minus(times(plus(x, source.offset), by), target.offset);
    return source.dimension === target.dimension ? { value: change(given.value), low: change(given.low), high: change(given.high), unit } : null;
  }

  /** What people read: of an entity its label, else its id; of a literal its value. `label` gives a label or null. */
  const textOf = (node, label) => (isLiteral(node) ? node.value : label(node.id) || node.id);
  const kindOfNode = (node) => node.kind ?? "entity";

  /** The time that a node says, or null: of a number one of three or four digits. */
  function timeOf(node, label) {
    if (isKind(node, "time")) return isoSpan(node.value, node.precision, node.calendar === "julian");
    const bare = isKind(node, "quantity") && node.unit === null && node.precision === null && /^[0-9]{3,4}$/.test(node.value);
    return bare || ["entity", "string"].includes(kindOfNode(node)) ? textSpan(textOf(node, label)) : null;
  }

  /** The quantity that a node says, or null. */
  function quantityOf(node, label) {
    if (isKind(node, "quantity")) return quantity(node.value, node.precision, node.unit);
    return ["entity", "string"].includes(kindOfNode(node)) ? textQuantity(textOf(node, label)) : null;
  }

  /** Whether `a do b`: true, false, or null for unknown. Nodes; periods too for what the format has for these. */
  function compared(do_, a, b, label) {
    const rule = own(FORMAT.periods, do_); if (rule) return comparedPeriods(rule, a, b, label);
    if (a.period || b.period) return null;
    if (do_ === "≠") return negated(compared("=", a, b, label));
    if (do_ === ">" || do_ === "≥") return compared(do_ === ">" ? "<" : "≤", b, a, label);
    const kinds = [kindOfNode(a), kindOfNode(b)], both = (kind) => kinds.every((one) => one === kind);
    if (kinds.includes("unknown_value")) return null;
    if (kinds.includes("no_value")) return do_ === "=" && !both("no_value") ? false : null;
    if (do_ === "contains" || do_ === "starts") {
      const [whole, part] = [a, b].map((node) => textOf(node, label).toLowerCase());
      return do_ === "contains" ? whole.includes(part) : whole.startsWith(part);
    }
    if ((both("entity") && a.id === b.id) || (both("string") && a.value === b.value)) return do_ !== "<";
    const sides = onOneScale(a, b, kinds, label); if (!sides) return do_ === "=" ? equal(a, b, kinds, label) : null;
    const [[low, high], [low2, high2]] = sides;
    if (do_ === "=") return less(high, low2) || less(high2, low) ? false : same(low, high) && same(low2, high2) && same(low, low2) ? true : null;
    if (do_ === "<") return less(high, low2) ? true : less(low, high2) ? null : false;
    return less(high2, low) ? false : less(low2, high) ? null : true;
  }

  /** Both as closed intervals on one scale: of times if one is a time or none a quantity, else of quantities; or null. */
  function onOneScale(a, b, kinds, label) {
    if (kinds.includes("time") || !kinds.includes("quantity")) {
      const first = timeOf(a, label), second = timeOf(b, label);
      if (first && second) {
        let step = resolution(first) < resolution(second) ? resolution(first) : resolution(second);
        if ([first.start, first.end, second.start, second.end].some((moment) => mod(moment, step))) step = 1n; // zones of half an hour
        return [first, second].map((time) => [ratio(time.start), ratio(time.end - step)]);
      }
      if (kinds.includes("time")) return null;
    }
    const [x, y] = [a, b].map((node) => quantityOf(node, label)).map((amount) => amount && scaled(amount));
    return x && y && x.dimension === y.dimension ? [[x.low, x.high], [y.low, y.high]] : null;
  }

  const TRUTHS = { true: true, 1: true, yes: true, false: false, 0: false, no: false };

  /** Equality of what has no order. */
  function equal(a, b, kinds, label) {
    const all = (...allowed) => kinds.every((kind) => allowed.includes(kind)), both = (kind) => all(kind);
    if (kinds.includes("entity")) return both("entity") ? false : all("entity", "string") && textOf(a, label) === textOf(b, label) ? true : null;
    if (kinds.includes("boolean") && all("boolean", "string")) {
      const [first, second] = [a, b].map((node) => own(TRUTHS, node.value.toLowerCase()));
      return first === null || second === null ? null : first === second;
    }
    if (!both("coordinate")) return both("string") && !(a.lang && b.lang && a.lang !== b.lang) ? false : null;
    const first = placeOf(a), second = placeOf(b); if (!first || !second) return null;
    const apart = first.map(([x, half], i) => [minus(x, second[i][0]), most([half, second[i][1]])]);
    if (apart.some(([{ n, d }, open]) => less(open, { n: abs(n), d }))) return false; // further than their decimals leave open
    return apart.every(([{ n }]) => n === 0n) ? true : null;
  }

  /** Latitude and longitude in degrees, each with half a unit of its last decimal; null where it is no coordinate. With `label` texts are read. */
  function placeOf(node, label = null) {
    const read = isKind(node, "coordinate") || (label && ["entity", "string"].includes(kindOfNode(node)));
    const numbers = read && /^ *([+-]?\d{1,3}(?:\.\d{0,99})?) *, *([+-]?\d{1,3}(?:\.\d{0,99})?) *$/.exec(textOf(node, label).replace(/^[()]+|[()]+$/g, ""));
    const found = (numbers || []).slice(1).map((n) => [decimal(n), ratio(1n, 2n * 10n ** BigInt((n.split(".")[1] || "").length))]); return numbers && found.every(([{ n, d }], i) => abs(n) <= (i ? 360n : 90n) * d) ? found : null;
  }

  const ALWAYS = 10n ** 30n, UNKNOWN = 10n ** 31n; // microseconds: beyond any year that can be written, and what may be beyond that
  const smaller = (a, b) => (a < b ? a : b);

  /** The bounds of a start or end, and its resolution; null where it is no time. */
  function sideOf(node, label) {
    if (node === null || special(node)) return [-UNKNOWN, UNKNOWN, DAY];
    const time = timeOf(node, label); return time && [time.start, time.end - 1n, resolution(time)];
  }

  const lasting = (start, end, step) => ({ period: true, start, end, step });
  /** What lasts: its first and last moment lie between bounds. A side that is missing or unknown may be anything; an end of *no value* has not come. */
  function periodOf(start, end, label) {
    const first = sideOf(start, label), last = sideOf(end, label); if (!first || !last) return null;
    const [[begun, begunBy, step], [ended, endedBy, other]] = [first, last], goesOn = end !== null && isKind(end, "no_value");
    return lasting([begun, begunBy === UNKNOWN ? endedBy : begunBy], [goesOn ? ALWAYS : ended === -UNKNOWN ? begun : ended, endedBy], smaller(step, other));
  }

  /** A period; of a time the whole of its span, or a point within it. */
  function asPeriod(span, label, point = false) {
    const time = span.period ? null : timeOf(span, label); if (!time) return span.period ? span : null;
    const first = time.start, last = time.end - 1n;
    return point ? lasting([first, last], [first, last], resolution(time)) : lasting([first, first], [last, last], resolution(time));
  }

  const SIGNS_OF_ORDER = {
    "<": ([low, high], [low2, high2]) => (high < low2 ? true : low >= high2 ? false : null),
    "≤": ([low, high], [low2, high2]) => (high <= low2 ? true : low > high2 ? false : null),
    "=": ([low, high], [low2, high2]) => (high < low2 || high2 < low ? false : low === high && low2 === high2 ? true : null),
    "≥": (a, b) => SIGNS_OF_ORDER["≤"](b, a), ">": (a, b) => SIGNS_OF_ORDER["<"](b, a),
  };

  /** Whether all conditions of a rule of the format hold, each between the start or end of the first and that of the second. */
  function comparedPeriods({ time, if: conditions }, a, b, label) {
    const point = time === "point", x = asPeriod(a, label, point), y = asPeriod(b, label); if (!x || !y) return null;
    const step = point ? smaller(x.step, y.step) : 1n, inSteps = (bounds) => bounds.map((bound) => floorDiv(bound, step));
    const truths = conditions.map((text) => { const [side, sign, other] = text.split(" "); return SIGNS_OF_ORDER[sign](inSteps(x[side]), inSteps(y[other])); });
    return truths.includes(false) ? false : truths.includes(null) ? null : true;
  }

  /** Whether what holds at a point, else from start to end, holds at some time of the window. */
  function holdsInWindow(point, start, end, from, to, label) {
    const [since, until] = [from, to].map((node) => node && timeOf(node, label));
    if ((from && !since) || (to && !until)) return null;
    const begin = since ? since.start : -ALWAYS, finish = until ? until.end - 1n : ALWAYS;
    const window = lasting([begin, begin], [finish, finish], DAY), lasted = periodOf(start, end, label);
    return point !== null ? compared("within", point, window, label) : lasted && compared("overlaps", lasted, window, label);
  }

  /** The key of a node for order: its bounds on the scale of its dimension; null where it is neither time nor quantity. */
  function orderKey(node, label) {
    const time = isKind(node, "quantity") ? null : timeOf(node, label);
    if (time) return { low: ratio(time.start), high: ratio(time.end - 1n), dimension: "time" };
    const amount = quantityOf(node, label); return amount && scaled(amount);
  }
  /** The bounds of a quantity in base units, with its dimension. */
  function scaled({ low, high, unit }) {
    const { factor, dimension, offset } = unitOf(unit), based = (x) => times(plus(x, offset), factor);
    return { low: based(low), high: based(high), dimension };
  }

  // ---------------------------------------------------------------------------------------------- arithmetic

  /** The literal of a result between bounds, its value the lower one unless given; null where a number is beyond what can be written. */
  function result(bounds, unit, value = null) {
    const [low, high] = [least(bounds), most(bounds)].map(written), said = value ? written(value) : low;
    if ([low, high, said].some((text) => (text.split("E")[1] || "").length > 4)) return null;
    return makeLiteral(said, "quantity", { unit, precision: low === high ? null : `${low}..${high}` });
  }

  /** The value of an operation; null where there is none. `right` may be null. Bounds in, bounds out. */
  function arithmetic(do_, left, right, label) {
    const time = timeOf(left, label), amount = quantityOf(left, label);
    if (right === null) return time && partOf(do_, ...datesOf(time));
    const to = timeOf(right, label), by = quantityOf(right, label); if (do_ === "duration" || do_ === "days") return duration(time, to, do_);
    if (do_ === "distance") return distance(placeOf(left, label), placeOf(right, label));
    if ((do_ === "add" || do_ === "subtract") && time && !isKind(left, "quantity")) { // a number may be a year, but is none here
      return do_ === "subtract" && to && !isKind(right, "quantity") ? duration(to, time) : by && moved(time, by, do_ === "add" ? 1n : -1n);
    }
    return amount && by && reckoned(do_, amount, by);
  }

  /** Quantities. */
  function reckoned(do_, a, b) {
    const ends = (work) => [work(a.low, b.low), work(a.low, b.high), work(a.high, b.low), work(a.high, b.high)];
    if (do_ === "multiply") return a.unit && b.unit ? null : result(ends(times), a.unit || b.unit);
    if (do_ === "divide") {
      const possible = (b.unit === null || b.unit === a.unit) && !(b.low.n <= 0n && b.high.n >= 0n);
      return possible ? result(ends(over), b.unit ? null : a.unit) : null;
    }
    if (do_ === "round") {
      if (b.unit || !same(b.low, b.high) || b.low.d !== 1n || abs(b.low.n) > 1000n) return null;
      const power = 10n ** abs(b.low.n), scale = b.low.n < 0n ? ratio(1n, power) : ratio(power);
      return result([a.low, a.high].map((x) => times(x, scale)).map(({ n, d }) => over(ratio(nearest(n, d)), scale)), a.unit);
    }
    const changed = converted(a, b.unit); if (!changed) return null;
    if (do_ === "convert") return result([changed.low, changed.high], b.unit, changed.value);
    const below = (x) => over(x, b.low), steps = (q) => times(ratio(floorDiv(q.n, q.d)), b.low);
    if (do_ === "floor") return same(b.low, b.high) && b.low.n > 0n ? result([changed.low, changed.high].map(below).map(steps), b.unit) : null;
    if (do_ === "add") return result([plus(changed.low, b.low), plus(changed.high, b.high)], b.unit);
    return do_ === "subtract" ? result([minus(changed.low, b.high), minus(changed.high, b.low)], b.unit) : null;
  }

  /** The sum, mean, min or max of quantities in the unit of the first; of times the one that is surely min or max; else null. */
  function aggregate(do_, values, label) {
    const amounts = values.map((value) => quantityOf(value, label)), parts = amounts.map((one) => one && amounts[0] && converted(one, amounts[0].unit));
    if (values.length && parts.every(Boolean) && !values.some((value) => isKind(value, "time"))) {
      const lows = parts.map((one) => one.low), highs = parts.map((one) => one.high), count = ratio(do_ === "mean" ? BigInt(parts.length) : 1n);
      const work = { min: least, max: most }[do_] || ((all) => over(all.reduce(plus), count));
      return result([work(lows), work(highs)], amounts[0].unit);
    }
    const op = { min: "≤", max: "≥" }[do_], keys = values.map((value) => (isKind(value, "time") ? orderKey(value, label) : null));
    if (!op || !values.length || keys.includes(null)) return null;
    const ranks = keys.map(({ low, high }) => (do_ === "min" ? [high, low] : [minus(ZERO, low), minus(ZERO, high)]));
    const first = ([a, a2], [b, b2]) => less(a, b) || (same(a, b) && less(a2, b2));
    const best = values[ranks.reduce((found, rank, i) => (first(rank, ranks[found]) ? i : found), 0)]; // no other can be surely first
    return values.every((value) => value.key === best.key || compared(op, best, value, label)) ? best : null;
  }

  /** The kilometres between two places by haversine. */
  function distance(a, b) {
    if (!a || !b) return null;
    const [lat, lon, lat2, lon2] = [...a, ...b].map(([n]) => toNumber(n) * (Math.PI / 180));
    const half = Math.sin((lat2 - lat) / 2) ** 2 + Math.cos(lat) * Math.cos(lat2) * Math.sin((lon2 - lon) / 2) ** 2;
    const { n, d } = exact(2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(half))));
    return result([ratio(nearest(n * 1000n, d), 1000n)], "kilometre");
  }

  /** The first and the last date of a time. @returns {bigint[][]} */
  const datesOf = (time) => [dateOf(floorDiv(time.start, DAY)), dateOf(floorDiv(time.end - 1n, DAY))];

  /** Years or days from one time to the other. */
  function duration(start, end, do_ = "duration") {
    if (!start || !end) return null;
    const [[earliest, latest], [from, to]] = [datesOf(start), datesOf(end)];
    const [apart, unit] = do_ === "days" ? [(a, b) => ratio(dayNumber(...b) - dayNumber(...a)), "day"] : [yearsBetween, "year"];
    return result([apart(latest, from), apart(earliest, to)], unit);
  }

  /** Whole years, and the part of the year since the last anniversary. */
  function yearsBetween(first, last) {
    if (dayNumber(...last) < dayNumber(...first)) return minus(ZERO, yearsBetween(last, first));
    const whole = last[0] - first[0] - (last[1] < first[1] || (last[1] === first[1] && last[2] < first[2]) ? 1n : 0n);
    const [from, to] = [whole, whole + 1n].map((more) => dayNumber(first[0] + more, first[1], first[2]));
    return plus(ratio(whole), ratio(dayNumber(...last) - from, to - from));
  }

  /** A year, month or day moved by whole months (in a unit that is a number of them, as the year) or whole days. */
  function moved(time, by, sign) {
    const [unit, month, day] = [by.unit, "month", "day"].map(unitOf), parts = ["year", "month", "day"].indexOf(time.precision) + 1;
    if (unit.dimension !== day.dimension || !same(by.low, by.high) || !parts) return null;
    const inMonths = over(unit.factor, month.factor).d === 1n, { n, d } = over(times(by.low, unit.factor), (inMonths ? month : day).factor);
    if (d !== 1n || abs(n) > 10n ** 19n) return null;
    const start = floorDiv(time.start, DAY), first = dateOf(start), far = (year) => abs(year) >= 10n ** 16n;
    if (!inMonths) { const date = dateOf(start + sign * n); return parts === 3 && !far(date[0]) ? makeLiteral(isoDate(date), "time") : null; }
    const months = first[0] * 12n + first[1] - 1n + sign * n, year = floorDiv(months, 12n), number = mod(months, 12n) + 1n;
    if (far(year) || first.slice(parts).some((part) => part !== 1n) || (parts === 1 && number !== 1n)) return null; // no year or month of the Gregorian calendar
    return makeLiteral(isoDate([year, number, smaller(first[2], monthLength(year, number, false))].slice(0, parts)), "time");
  }

  /** The number of a part of a date of the Gregorian calendar. */
  function partOf(do_, [year, month, day], [year2, month2, day2]) {
    const bounds = {
      year: () => [year, year2], month: () => year === year2 && [month, month2], day: () => year === year2 && month === month2 && [day, day2],
      century: () => year > 0n && [(year + 99n) / 100n, (year2 + 99n) / 100n],
      decade_of_century: /* not of a year such as 1900: the last of a century, the first of a decade */ () => year > 0n && year / 10n === year2 / 10n && (year % 100n || year < year2) && [year / 10n % 10n + 1n],
    };
    const found = own(bounds, do_)?.(); return found ? result(found.map((n) => ratio(n)), null) : null;
  }

  // ---------------------------------------------------------------------------------------------- shapes

  /** What is given, if it is of a shape of the format: fields that may be absent are null then; the nodes that it names go to `named`. @throws {KernelError} */
  function shaped(given, shape, where, named = []) {
    if (typeof shape === "string") return ofType(given, shape, where, named);
    if (Array.isArray(shape) && typeof shape[1] === "number") {
      const [part, fewest, most = MAX_TEXT] = shape;
      if (!Array.isArray(given) || given.length < fewest || given.length > most) wrong(where, `a list of ${fewest} or more, at most ${grouped(most)}`);
      return given.map((one, place) => shaped(one, part, `${where} ${place}`, named));
    }
    if (Array.isArray(shape)) { // one thing after another
      if (!Array.isArray(given) || given.length !== shape.length) wrong(where, `a list of ${shape.length}`);
      return given.map((one, i) => shaped(one, shape[i], where, named));
    }
    if (!isObject(given)) wrong(where, "an object");
    const names = new Map(Object.keys(shape).map((name) => [name.replace("?", ""), name])), found = Object.create(null);
    for (const name of Object.keys(given)) if (!names.has(name)) refuse(`${where}: the field ${quoted(name)} is not known`);
    for (const [name, marked] of names) {
      const absent = given[name] === undefined || given[name] === null;
      if (absent && marked === name) refuse(`${where}: the field ${quoted(name)} is missing`);
      found[name] = absent ? null : shaped(given[name], shape[marked], `${where} ${name}`, named);
    }
    return found;
  }

  /** An object of which one field says which entry of a table of the format has its other fields. */
  function tagged(given, tag, table, where, named = []) {
    const entry = isObject(given) && typeof given[tag] === "string" ? own(FORMAT[table], given[tag]) : null;
    return entry ? shaped(given, { [tag]: "text", ...entry.fields }, where, named) : wrong(where, `an object with a '${tag}' that is known`);
  }

  /** What is given, if it is what a name of a shape asks for: a text that is allowed, a node's place, a type, a rule. */
  function ofType(given, shape, where, named) {
    if (shape.startsWith("=")) return shape.slice(1).split("|").includes(given) ? given : wrong(where, `one of ${shape.slice(1)}`);
    if (shape === "reason") return tagged(given, "code", "reasons", where, named);
    if (shape === "cell" && given === null) return null;
    if (shape === "node" || shape === "cell") return typeof given === "string" ? entity(shaped(given, "text", where)) : shaped(given, "literal", where);
    const [rule, wanted] = shape.split("@"), name = rule || "integer", type = own(FORMAT.types, name), value = type ? shaped(given, type, where) : given;
    if (own(FITS, name) && !FITS[name](value)) wrong(where, FORMAT.must[name]);
    const made = own(MADE, name) ? MADE[name](value) : value; if (wanted) named.push([made, wanted]);
    return made;
  }

  const atMost = (text, most) => text.length <= most || (text.length <= 2 * most && Array.from(text).length <= most);
  /** Rules that have a name in the format, which says what they ask for, and what is made of what is of a shape. */
  const FITS = {
    text: (given) => typeof given === "string" && atMost(given, MAX_TEXT) && given.isWellFormed(),
    question: (given) => atMost(given, 100_000),
    integer: (given) => typeof given === "bigint" && given >= 0n,
    positive: (n) => n > 0,
    number: (given) => (typeof given === "bigint" || typeof given === "number") && Math.abs(Number(given)) <= LARGEST,
    share: (n) => n >= 0 && n <= 1,
    boolean: (given) => typeof given === "boolean",
    span: ([start, end]) => start < end, marked: ([start, end]) => start < end,
    graph: ({ root, endpoint }) => (root === null) !== (endpoint === null),
    literal(fields) {
      const numbers = fields.kind === "quantity" ? [fields.value, ...(fields.precision ?? "").split("..")] : [];
      return Object.entries(fields).every(([name, text]) => text === null || (atMost(text, 100_000) && (text || name === "value"))) && numbers.every((one) => atMost(one, MAX_NUMBER));
    },
    hash: (given) => /^[0-9a-f]{64}$/.test(given),
    hashes: (given) => unbase64(given) && unbase64(given).length % 32 === 0,
  };
  const MADE = {
    integer: Number, number: Number, hash: unhex, hashes: unbase64, literal: (fields) => makeLiteral(fields.value, fields.kind, fields),
    statement: ([subject, relation, object, pairs, rank]) => ({ graph: 0, subject, relation, object, qualifiers: pairs.map(([name, value]) => ({ relation: name, value })), rank }),
  };
  const literalFrom = (given, where) => shaped(given, "literal", where);

  /** SHA-256 of all that a statement says. @returns {Uint8Array} */
  function digestOf(statement) {
    if (!statement.digest) {
      const { subject, relation, object, rank } = statement, pairs = statement.qualifiers.map((q) => [q.relation, q.value.key]);
      pairs.sort((a, b) => order(a[0], b[0]) || order(a[1], b[1]));
      statement.digest = sha256(utf8(enc(subject, relation, object.key, rank, ...pairs.flat())));
    }
    return statement.digest;
  }
  const statementId = (statement) => hex(digestOf(statement)).slice(0, 32);

  // ---------------------------------------------------------------------------------------------- the certificate

  const RESTRICTIONS = ["where", "named", "first", "last", "complete"]; // they keep which statements led to each node

  /** The node at a place of the program, well typed: its fields, parts, bound variables, and the variables that it depends on (`free`). */
  function readNode(given, place, program, owners, graphs) {
    const named = [], data = tagged(given, "op", "nodes", `node ${place}`, named), { op } = data, where = `node ${place} (${op})`, { yields } = FORMAT.nodes[op];
    const made = { op, place, data, parts: [], bound: [], yields, kind: "evidence", free: new Set() }, under = { it: [], members: [] };
    if (op === "vote") made.yields = data.yes_or_no ? "truth" : "nodes";
    if (op !== "it") made.bound = ["it", "members"].filter((name) => name in data).map((name) => [data[name], under[name]]);
    if (new Set(made.bound.map(([variable]) => variable)).size < made.bound.length) refuse(`${where}: one variable for two things`);
    for (const [part, marked] of named) {
      const [wanted, variable] = marked.split("/"); checkPart(part, place, wanted, program, where);
      if (wanted !== "var") (variable ? under[variable] : made.parts).push(part);
    }
    if ((data.graph || 0) >= Math.max(graphs, 1)) refuse(`${where}: graph ${data.graph} is none of the certificate's`);
    if (op === "qualifier" || data.not_back) {
      let before = program[data.of];
      while (RESTRICTIONS.includes(before.op)) before = program[before.data.of];
      const same = before.op === "follow" && (op === "qualifier" || enc(...before.data.relations) === enc(...data.relations));
      if (!same || before.data.direction === data.direction) refuse(`${where}: goes on from statements that were not followed`);
    }
    for (const [variable] of made.bound) {
      const owner = owners.get(variable) ?? place;
      if (program[variable].data.of !== data.of || owner !== place) refuse(`${where}: its variable ${variable} belongs to another node, or to another set`);
      owners.set(variable, place);
    }
    for (const [variable, places] of [[null, made.parts], ...made.bound]) {
      for (const v of places.flatMap((part) => [...program[part].free])) if (v !== variable) made.free.add(v);
    }
    if (made.bound.some(([variable]) => made.free.has(variable))) refuse(`${where}: a variable of it is used where it is not bound`);
    if (op === "it") made.free.add(place);
    if (made.free.size > MAX_BINDERS) refuse(`${where}: depends on more than ${MAX_BINDERS} variables`);
    made.kind = kindOf(made, program, where); return made;
  }

  /** Refuses a part that stands later, is not of the type wanted, or was chosen. */
  function checkPart(part, place, wanted, program, where) {
    if (part >= place) refuse(`${where}: node ${part} does not stand before node ${place}`);
    const { op, yields, kind } = program[part];
    if (wanted === "var" && op !== "it") refuse(`${where}: node ${part} is no variable`);
    const fits = { nodes: ["nodes"], set: ["nodes"], truth: ["truth"], value: ["nodes", "period"] }[wanted] || [yields];
    if (!fits.includes(yields)) refuse(`${where}: node ${part} (${op}) yields ${yields}`);
    if (wanted === "set" && op === "count") refuse(`${where}: a count is a number, and no set`);
    if (wanted !== "any" && kind === "chosen") refuse(`${where}: node ${part} was chosen, and nothing is computed from what was chosen`);
  }

  /** Whether a node says what the question names ("named"), what statements say ("evidence"), or was chosen ("chosen"). */
  function kindOf(made, program, where) {
    const { takes, kind = "evidence" } = FORMAT.nodes[made.op], kinds = made.parts.map((part) => program[part].kind), named = kinds.map((one) => one === "named");
    const tests = made.bound.flatMap(([variable, places]) => places.map((part) => [program[part], variable]));
    if (takes && [kinds[0], ...tests.map(([test]) => test.kind)].includes("named")) refuse(`${where}: what the question names is no evidence`);
    if (made.op === "compare" && named.every(Boolean)) refuse(`${where}: both sides are what the question names`);
    if (kind === "first" || (kind === "tests" && !tests.some(([test, variable]) => test.kind === "evidence" && test.free.has(variable)))) return kinds[0];
    if (kind === "any" || kind === "all") return (kind === "any" ? named.includes(true) : named.every(Boolean)) ? "named" : "evidence";
    return kind === "tests" ? "evidence" : kind;
  }

  /** The answer, of a kind that fits its node. */
  function readAnswer(given, program, length) {
    const named = [], answer = tagged(given, "kind", "answers", "answer", named), reasons = answer.reasons || [];
    for (const [place, wanted] of named) {
      const fits = place < program.length && !program[place].free.size && (wanted === "any" || program[place].yields === wanted);
      if (!fits) refuse(`answer: node ${place} is not there, depends on a variable, or yields something else`);
    }
    if ("of" in answer && program[answer.of].kind === "named") refuse("answer: what the question names is no answer to it");
    const spans = reasons.flatMap((one) => (one.code === "unnamed" ? [one.words] : one.code === "unread" ? one.words : []));
    if (spans.some(([, end]) => end > length)) refuse("answer: words beyond the question");
    return answer;
  }

  /** The certificate of a JSON value, its form right. @throws {KernelError} */
  function readCertificate(given) {
    const data = shaped(given, FORMAT.certificate, "certificate"), points = Array.from(data.question), program = [], owners = new Map();
    data.program.forEach((part, place) => program.push(readNode(part, place, program, owners, data.graphs.length)));
    return { ...data, points, program, answer: readAnswer(data.answer, program, points.length) };
  }

  // ---------------------------------------------------------------------------------------------- evidence

  /** What is asked for is not at hand: the check can go on, but not here. */
  class Missing extends Error {}
  /** What work gives, or what is made of it where something is missing. */
  const orMissing = (work, missing) => { try { return work(); } catch (error) { if (error instanceof Missing) return missing(error); throw error; } };
  const rangeKey = (graph, side, end, relation) => `${graph} ${side} ${relation === null ? "-" : "+" + enc(relation)} ${end.key}`;
  const sameBytes = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);
  /** Graphs at hand (`roots()`, `range(graph, side, node, relation)`, `document(source)`), each range asked for once; of the others the evidence. */
  class Source {
    constructor(graph, evidence, graphs) {
      const roots = graph.roots(), atHand = (place) => (roots[place] ?? null) !== null, held = new Evidence(evidence, graphs, atHand);
      const known = Array.from({ length: Math.max(roots.length, held.roots.length) }, (_, place) => roots[place] ?? held.roots[place] ?? null);
      Object.assign(this, { graph, atHand, held, known: new Map(), roots: known, away: roots.some((one) => one !== null) ? AWAY : NOT_HELD });
    }

    /** All statements of a range. @returns {object[]} */
    statements(graph, side, end, relation) {
      const place = rangeKey(graph, side, end, relation);
      if (!this.atHand(graph)) {
        if (graph >= this.held.roots.length) throw new Missing(this.away);
        return this.held.statements(graph, side, end, relation);
      }
      if (!this.known.has(place)) this.known.set(place, this.graph.range(graph, side, asJson(end), relation).map((one) => ({ ...shaped(one, "statement", "the graph"), graph })));
      return this.known.get(place);
    }
    proved(graph) { return (this.roots[graph] ?? null) !== null; }
    document(source) { return this.graph.document(source); }
  }

  /** The ranges that a certificate holds of graphs that are not at hand, verified when they are read. `roots`: what its proofs lead to; null: nothing is proved. */
  class Evidence {
    constructor(given, graphs, atHand = () => false) {
      if (given.length !== graphs.length) refuse(`evidence: of ${given.length} graphs, and the certificate has ${graphs.length}`);
      Object.assign(this, { roots: [], ranges: new Map() });
      given.forEach((part, graph) => {
        const where = `evidence ${graph}`, proved = graphs[graph].root !== null && !atHand(graph);
        if (!proved && !atHand(graph)) shaped(part, "told", where).ranges.forEach((told, i) => this.keep(graph, told.side, told, `${where} range ${i}`));
        this.roots.push(proved ? this.rootOf(graph, shaped(part, "proved", where), where) : null);
      });
    }

    /** All statements of a range. @throws {Missing} */
    statements(graph, side, end, relation) {
      const place = rangeKey(graph, side, end, relation);
      if (!this.ranges.has(place)) {
        const every = this.ranges.get(rangeKey(graph, side, end, null));
        if (!every) throw new Missing(NOT_HELD);
        this.ranges.set(place, every.filter((statement) => statement.relation === relation));
      }
      return this.ranges.get(place);
    }
    proved(graph) { return (this.roots[graph] ?? null) !== null; }
    document() { return null; }

    /** The root of a graph that its evidence leads to, in hexadecimal digits. */
    rootOf(graph, part, where) {
      for (const side of ["out", "in"]) {
        const tree = part[side], leaves = new Map(), at = `${where} ${side}`;
        tree.ranges.forEach((range, i) => this.place(graph, side, range, part.size, leaves, `${at} range ${i}`));
        verifyTree(leaves, part.size, tree.hashes, tree.root, at);
      }
      return hex(sha256(join(utf8(enc("toulmin graph 1", String(part.size))), part.out.root, part.in.root)));
    }

    /** Keeps the statements of a range, each of its key. */
    keep(graph, side, range, where) {
      const found = range.statements.map((one) => ({ ...one, graph })), place = rangeKey(graph, side, range.node, range.relation);
      if (this.ranges.has(place)) refuse(`${where}: given twice`);
      for (const one of found) {
        const end = side === "out" ? entity(one.subject) : one.object;
        if (end.key !== range.node.key || (range.relation !== null && one.relation !== range.relation)) refuse(`${where}: holds a statement that is not of its key`);
      }
      this.ranges.set(place, found); return found;
    }

    /** Checks the order and the edges of a range, and notes the hashes of its leaves. */
    place(graph, side, range, size, leaves, where) {
      const { node: end, relation, at, before, after } = range, first = side === "out" && !isLiteral(end) ? end.id : end.key;
      const found = this.keep(graph, side, range, where).map((one) => [first, one.relation, digestOf(one)]);
      const sorts = (a, b) => order(a[0], b[0]) || order(a[1], b[1]) || order(hex(a[2]), hex(b[2]));
      if (found.some((entry, i) => i && sorts(found[i - 1], entry) >= 0)) refuse(`${where}: its statements are not in order, each once`);
      const beside = (entry) => order(entry[0], first) || (relation === null ? 0 : order(entry[1], relation));
      if ((before && beside(before) >= 0) || (after && beside(after) <= 0)) refuse(`${where}: what stands beside it belongs into it, or elsewhere`);
      if ((before === null) !== (at === 0) || (after === null) !== (at + found.length === size)) refuse(`${where}: what stands beside it is left out`);
      [before, ...found, after].forEach((entry, i) => {
        const place = at - 1 + i, leaf = entry && sha256(join(Uint8Array.of(side === "out" ? 0 : 1), utf8(enc(entry[0], entry[1])), entry[2]));
        if (!entry) return;
        if (place >= size || !sameBytes(leaves.get(place) || leaf, leaf)) refuse(`${where}: another statement stands at its place`);
        leaves.set(place, leaf);
      });
    }
  }

  /** Checks that the known leaves, with the hashes of all other parts of the tree, make its root. */
  function verifyTree(leaves, size, hashes, root, where) {
    const places = [...leaves.keys()].sort((a, b) => a - b); let used = 0, next = 0;
    const made = (begin, end) => {
      if (next >= places.length || places[next] >= end) {
        if (used + 32 > hashes.length) refuse(`${where}: the proof has too few hashes`);
        used += 32; return hashes.subarray(used - 32, used);
      }
      if (end - begin === 1) return leaves.get(places[next++]);
      let half = 1;
      while (half * 2 < end - begin) half *= 2;
      const left = made(begin, begin + half); return sha256(join(Uint8Array.of(2), left, made(begin + half, end)));
    };
    const computed = size ? made(0, size) : sha256(new Uint8Array(0));
    if (used < hashes.length) refuse(`${where}: the proof has too many hashes`);
    if (!sameBytes(computed, root)) refuse(`${where}: the statements are not those of the root`);
  }

  // ---------------------------------------------------------------------------------------------- evaluation

  const STATUSES = ["holds", "recomputed", "judged", "assumed", "unverifiable", "stale", "fails"];
  const weakest = (all) => all.reduce((a, b) => (STATUSES.indexOf(b) > STATUSES.indexOf(a) ? b : a));
  const UNKNOWN_PART = "what it needs is not known", NOT_HELD = "the certificate does not hold these statements: give the graph", AWAY = "this graph is not at hand", ALL_LISTED = "that the graph lists all there are";
  /** Distinct nodes in canonical order. */
  const inOrder = (nodes) => [...new Map(Array.from(nodes, (node) => [node.key, node])).values()].sort(canonical);
  /** A set of nodes with its marks; `preferred` by key, `arrivals` by key: from where, and by which statement. */
  const setOf = (items = [], marks = {}) => ({ items, open: false, hole: false, none: false, atLeast: false, preferred: new Set(), arrivals: new Map(), ...marks });
  /** The preferred ones, where there are any. */
  const bestOf = ({ items, preferred }) => (items.some((node) => preferred.has(node.key)) ? items.filter((node) => preferred.has(node.key)) : items);
  const isSet = (value) => value !== null && value.items !== undefined;
  const negated = (truth) => (truth === null ? null : !truth);
  const either = (truths) => (truths.includes(true) ? true : truths.includes(null) ? null : false);
  const agreed = (truths) => (truths.length && truths.every((truth) => truth === truths[0]) ? truths[0] : null);
  /** A text without case (Unicode's full case folding) and with single spaces. */
  const foldCase = (text) => Array.from(text, (c) => (c === "ı" ? c : c.toLowerCase().toUpperCase().toLowerCase())).join("").replace(SPACE, " ").replace(/^ | $/g, "");
  /** Adds to the list that a map has for a key. */
  const add = (map, key, value) => { if (map.has(key)) map.get(key).push(value); else map.set(key, [value]); };
  const SAYS = { yes: true, no: false, unknown: null };

  /** The label of an entity or relation in the first graph that has one; null where none has. @throws {Missing} */
  function labelIn(source, graphs, id) {
    const read = (graph) => source.statements(graph, "out", entity(id), LABEL).map((one) => one.object).find(isLiteral);
    for (const graph of graphs) { const found = read(graph); if (found) return found.value; }
    return null;
  }

  /** Evaluates a program; what it needs and nobody has at hand makes it unverifiable. `values`, `status`, `reason`, `statements`: of each node. */
  class Evaluator {
    constructor({ program, points, graphs }, source, seconds) {
      const each = (make) => program.map(make);
      Object.assign(this, { program, points, source, graphs: [...graphs.keys()], steps: 0, until: Date.now() + seconds * 1000, now: [] });
      Object.assign(this, { values: each(() => null), status: each(() => null), reason: each(() => ""), statements: each(() => new Map()) });
      Object.assign(this, { plans: new Map(), lost: new Set(), label: (id) => labelIn({ statements: (...range) => this.read(...range) }, this.graphs, id) });
    }

    /** Evaluates every node. @throws {KernelError} it takes too long */
    run() { for (const node of this.program) if (!node.free.size) this.evaluate(node); }

    /** Notes what was found of a node, if it is weaker than what was found before. */
    note(place, status, reason = "") {
      const known = this.status[place];
      if (known === null || STATUSES.indexOf(status) > STATUSES.indexOf(known)) [this.status[place], this.reason[place]] = [status, reason];
    }

    /** Counts what is done. @throws {KernelError} it is too much */
    step(count = 1) {
      this.steps += count;
      if (this.steps > MAX_STEPS || Date.now() > this.until) refuse("the check takes too long: too many steps, or too much time");
    }

    /** Evaluates a node; where something is missing it is lost: it has no value to go on with. */
    evaluate(node) {
      const { op, place, parts, data } = node; this.step();
      if (op === "it") return; // its binder sets it
      this.now.push(place);
      this.values[place] = orMissing(() => {
        if (parts.some((part) => this.lost.has(part))) throw new Missing(UNKNOWN_PART);
        const found = OPS[op](this, data, node), { note, ...spec } = FORMAT.nodes[op];
        if (note) this.note(place, note[0], filled({ ...spec, says: note[1] }, data, [], this.label));
        return found;
      }, (error) => { this.lost.add(place); this.note(place, "unverifiable", error.message); return null; });
      if (this.status[place] === null) this.note(place, "recomputed");
      this.now.pop();
    }

    /** What `found` gives for each value of a variable, with all evaluated that depends on it. */
    each(node, variable, items, found) {
      if (this.now.length > MAX_BINDERS) refuse(`more than ${MAX_BINDERS} binders within each other`);
      const plan = this.plan(node, variable); this.note(variable, "recomputed");
      return items.map((value) => {
        this.values[variable] = isSet(value) ? value : setOf([value]);
        for (const part of plan) this.evaluate(this.program[part]);
        if (plan.some((part) => this.lost.has(part))) throw new Missing(UNKNOWN_PART);
        return found(value);
      });
    }

    /** The places that are evaluated under a binder for each value of its variable, in order. */
    plan(node, variable) {
      const found = new Set(), seen = new Set(), queue = node.bound.filter(([bound]) => bound === variable).flatMap(([, places]) => places);
      while (queue.length && !this.plans.has(variable)) {
        const part = queue.pop(), { free, parts, bound } = this.program[part]; if (seen.has(part)) continue;
        seen.add(part);
        if (free.has(variable) && [...free].every((v) => v === variable || node.free.has(v))) found.add(part);
        queue.push(...parts, ...bound.flatMap(([, places]) => places));
      }
      if (!this.plans.has(variable)) this.plans.set(variable, [...found].sort((a, b) => a - b));
      return this.plans.get(variable);
    }

    /** The statements of a range, counted. */
    read(graph, side, node, relation) {
      const found = this.source.statements(graph, side, node, relation); this.step(found.length + 1);
      if (!this.source.proved(graph)) this.note(this.now.at(-1), "unverifiable", "no root proves what the endpoint said");
      return found;
    }

    /** [other end, statement] of a node's statements over any of these relations; "out": the node is the subject. */
    *ends(side, node, relations, graphs = this.graphs) {
      for (const graph of side === "out" && isLiteral(node) ? [] : graphs) for (const relation of relations || []) {
        for (const statement of this.read(graph, side, node, relation)) yield [side === "out" ? statement.object : entity(statement.subject), statement];
      }
    }

    /** Notes that a node used a statement. */
    use(place, statement) { this.statements[place].set(statement.graph + statementId(statement), statement); }

    /** Nodes, and what is above ("out") or beneath ("in") them by these relations, nearest first. */
    climb(starts, relations, side, place, most = MAX_CHAIN) {
      const found = new Map(starts.map((node) => [node.key, node]));
      for (let level = [...found.values()], n = 1; n < most && level.length; n++) {
        const all = level.flatMap((node) => [...this.ends(side, node, relations)]), beyond = new Map(all.map(([other]) => [other.key, other]));
        for (const [, statement] of all) this.use(place, statement);
        level = [...beyond.values()].filter((node) => !found.has(node.key));
        for (const node of level) found.set(node.key, node);
      }
      return [...found.values()];
    }

    /** Whether a statement has the qualifiers that are asked for, and holds in the window. */
    wanted({ qualifiers }, { qualified, window }, place) {
      const has = ({ relations, is }) => qualifiers.some((q) => relations.includes(q.relation) && q.value.key === is.key);
      if (!(qualified || []).every(has)) return false;
      if (window === null) return true;
      const { start, end, point } = FORMAT.times.roles;
      const moments = Object.entries({ point, start, end }).map(([role, fixedOnes]) => {
        const found = qualifiers.filter((q) => window[role].includes(q.relation));
        if (window[role].some((relation) => !fixedOnes.includes(relation))) this.note(place, "judged", "which qualifiers say when is judged");
        return found.length === 1 ? found[0].value : null;
      });
      const held = holdsInWindow(...moments, window.from, window.to, this.label);
      if (held === null && window.unknown === "keep") this.note(place, "assumed", "what has no date is taken to hold then");
      return held ?? window.unknown === "keep";
    }

    /** Whether a node is of a class. */
    member(one, cls, { relations, sub, disjoint, closed }, place) {
      const classes = this.climb(this.climb([one], relations, "out", place, 2), sub, "out", place);
      if (classes.some((node) => node.key === cls.key)) return true;
      const others = new Set(this.climb([cls], sub, "out", place).map((node) => node.key));
      for (const [side, node] of ["out", "in"].flatMap((side) => classes.map((node) => [side, node]))) {
        for (const [other, statement] of this.ends(side, node, disjoint)) if (others.has(other.key)) { this.use(place, statement); return false; }
      }
      if (closed) this.note(place, "assumed", "that the graph lists all classes");
      return closed ? false : null;
    }
  }

  const NO_VALUE = makeLiteral("", "no_value");
  const keysOf = (set) => new Set(set.items.map((node) => node.key));
  const perhaps = (value) => setOf(value === null ? [] : [value]);
  /** The tests of `where`, `some`, `every` and `one`. */
  const tests = (e, data, node, items) => e.each(node, data.it, items, () => e.values[data.test]);
  /** Notes that what follows of a set is so only if the graph lists all there are, and how many were left out. */
  const assumeAll = (e, place, of, left, what) => {
    if (of.open || of.hole || left) e.note(place, "assumed", ALL_LISTED + (left ? `; ${left} without a ${what} are left out` : ""));
  };

  /** Notes that what is taken for all there is, though it may be less, is assumed. */
  const assumeWhole = (e, at, ...places) => {
    const values = places.filter((place) => place !== null).map((place) => e.values[place]);
    if (values.some((value) => isSet(value) && (value.atLeast || value.hole))) e.note(at, "assumed", ALL_LISTED);
  };

  /** Union and intersection; the first without the others. */
  const ofSets = (e, { of }, { op, place }) => {
    const parts = of.map((part) => e.values[part]), [first, ...others] = parts, keys = others.map(keysOf), any = (mark, all = parts) => all.some((part) => part[mark]);
    if (op === "union") return setOf(inOrder(parts.flatMap((part) => part.items)), { open: any("open"), hole: any("hole"), none: parts.every((part) => part.none) });
    if (op === "intersection") {
      const kept = first.items.filter((node) => keys.every((set) => set.has(node.key)));
      return setOf(kept, { open: any("open"), hole: any("hole"), none: any("none") });
    }
    if (any("open", others) || any("hole", others)) e.note(place, "assumed", "what the graph does not list is taken not to be so");
    return setOf(first.items.filter((node) => !keys.some((set) => set.has(node.key))), { open: first.open, hole: any("hole"), none: first.none });
  };

  /** Kleene's or over the tests; its dual for "every". */
  const someOrEvery = (e, data, node) => {
    const of = e.values[data.of], turned = node.op === "every" ? negated : (truth) => truth;
    const unknown = (of.open && !of.none) || of.hole || (!of.items.length && e.program[data.of].kind !== "evidence");
    return turned(either([...tests(e, data, node, of.items).map(turned), ...(unknown ? [null] : [])]));
  };

  /** The nodes at some places of an order: as many precede a node as have an upper bound below all its lower bounds. */
  const firstOrLast = (e, data, node) => {
    const of = e.values[data.of], bounds = [], dimensions = new Set(), turn = ({ n, d }) => ({ n: -n, d });
    e.each(node, data.it, of.items, (item) => {
      assumeWhole(e, node.place, data.by);
      const keys = (data.by === null ? [item] : e.values[data.by].items).map((value) => orderKey(value, e.label)).filter(Boolean);
      for (const key of keys) dimensions.add(key.dimension);
      const ends = keys.map(({ low, high }) => (node.op === "last" ? [turn(high), turn(low)] : [low, high]));
      if (keys.length) bounds.push([item, least(ends.map(([low]) => low)), least(ends.map(([, high]) => high))]);
    });
    if (dimensions.size > 1) return { ...of, items: [], hole: true }; // which come first is unknown
    const highs = bounds.map(([, , high]) => high).sort((a, b) => (less(a, b) ? -1 : less(b, a) ? 1 : 0)), start = data.from || 1;
    const place = (low) => { // by bisection
      let from = 0, to = highs.length;
      while (from < to) { const middle = (from + to) >> 1; if (less(highs[middle], low)) from = middle + 1; else to = middle; }
      return from + 1;
    };
    assumeAll(e, node.place, of, of.items.length - bounds.length, "key");
    return { ...of, items: bounds.filter(([, low]) => place(low) >= start && place(low) <= (data.to || start)).map(([item]) => item) };
  };

  /** A sum, mean, min or max over the one value of each node. */
  const fold = (e, data, node) => {
    const of = e.values[data.of], each = e.each(node, data.it, of.items, () => { assumeWhole(e, node.place, data.by); return e.values[data.by].items; }), values = each.flat();
    const left = each.filter((found) => !found.length).length; assumeAll(e, node.place, of, left, "value");
    return perhaps(values.length && values.length === each.length - left ? aggregate(node.op, values, e.label) : null);
  };

  /** The cells of a row. */
  const cells = (e, at, places) => {
    e.step(places.length); assumeWhole(e, at, ...places);
    return places.map((part) => e.values[part].items);
  };

  /** Each node: (evaluator, its fields, itself) => nodes, truth, rows or a period. */
  const OPS = {
    entity(e, data, { place }) {
      const found = setOf([entity(data.id)]), note = (status, reason) => { e.note(place, status, reason); return found; };
      if (data.name === null) return note(data.words ? "judged" : "holds", "given by its id");
      return orMissing(() => {
        const shown = [...e.ends("out", found.items[0], [LABEL, ALIAS])].find(([other]) => other.value === data.name);
        const bearers = inOrder([...e.ends("in", makeLiteral(data.name, "string"), [LABEL, ALIAS])].map(([other]) => other)).length;
        if (!shown) return note("fails", "the graph has no such name of it");
        e.use(place, shown[1]); const words = data.words ? e.points.slice(...data.words).join("") : data.name;
        if (foldCase(words) !== foldCase(data.name)) return note("judged", `other words are taken for its name: ${quotation(words)}`);
        return bearers > 1 ? note("judged", `one of ${bearers} that bear this name`) : note("holds", "its name");
      }, (error) => note("unverifiable", error.message));
    },
    literal: (e, data) => setOf([data.value]),

    follow(e, data, { place }) {
      const of = e.values[data.of], side = data.direction === "forward" ? "out" : "in", graphs = data.graph === null ? e.graphs : [data.graph];
      const arrivals = new Map(), ends = new Map(), preferred = new Set(), denied = new Set(); let hole = of.hole;
      for (const from of of.items) for (const [end, statement] of e.ends(side, from, data.relations, graphs)) {
        if (!e.wanted(statement, data, place)) continue;
        if (special(end)) {
          if (end.kind === "no_value" && !statement.qualifiers.length) denied.add(enc(from.key, statement.relation)); else hole = true;
        } else if (data.not_back && (of.arrivals.get(from.key) || []).every((way) => way.from.key === end.key)) continue;
        else {
          ends.set(end.key, end); add(arrivals, end.key, { from, statement });
          if (statement.rank === "preferred") preferred.add(end.key);
        }
        e.use(place, statement);
      }
      const none = !of.open && !hole && !ends.size && of.items.length > 0 && denied.size === of.items.length * new Set(data.relations).size;
      return setOf(inOrder(ends.values()), { open: !none, hole, none, preferred, arrivals });
    },
    instances(e, data, { place }) {
      const of = e.values[data.of], found = e.climb(of.items, data.sub, "in", place).flatMap((cls) => [...e.ends("in", cls, data.relations)]);
      for (const [, statement] of found) e.use(place, statement);
      return setOf(inOrder(found.map(([one]) => one)), { open: true, hole: of.hole });
    },
    named: (e, data) => ({ ...e.values[data.of], items: e.values[data.of].items.filter((node) => isLiteral(node) || e.label(node.id) !== null) }),
    qualifier(e, data, { place }) {
      const of = e.values[data.of], found = [];
      for (const { statement } of of.items.flatMap((node) => of.arrivals.get(node.key) || [])) {
        const values = statement.qualifiers.filter(({ relation }) => data.relations.includes(relation)).map(({ value }) => value);
        if (values.length) e.use(place, statement);
        found.push(...values);
      }
      return setOf(inOrder(found.filter((value) => !special(value))), { open: true, hole: of.hole || found.some(special) });
    },
    union: ofSets, intersection: ofSets, difference: ofSets,
    where(e, data, node) {
      const of = e.values[data.of], truths = tests(e, data, node, of.items);
      return { ...of, items: of.items.filter((_, i) => truths[i]), hole: of.hole || truths.includes(null) };
    },
    first: firstOrLast, last: firstOrLast,
    among(e, data, { place }) {
      const of = e.values[data.of], keys = keysOf(of);
      if (data.keep.some((node) => !keys.has(node.key))) e.note(place, "fails", "keeps what is not among them");
      return { ...of, items: inOrder(data.keep) };
    },
    complete: (e, data) => ({ ...e.values[data.of], open: false }),

    count: (e, data) => setOf([makeLiteral(String(e.values[data.of].items.length), "quantity")], { atLeast: e.values[data.of].open || e.values[data.of].hole }),
    sum: fold, mean: fold, min: fold, max: fold,
    arithmetic(e, data, { place }) {
      const [left, right] = [data.left, data.right].map((part) => (part === null ? setOf([null]) : e.values[part]));
      if ([left, right].some((side) => side.items.length !== 1 || side.hole)) return setOf();
      if (left.atLeast || right.atLeast) e.note(place, "assumed", ALL_LISTED);
      return perhaps(arithmetic(data.do, left.items[0], right.items[0], e.label));
    },

    table: (e, data, node) => e.each(node, data.it, e.values[data.of].items, (item) => [[item], ...cells(e, node.place, data.columns)]),
    group(e, data, node) {
      const of = e.values[data.of], groups = new Map(), found = new Map();
      e.each(node, data.it, of.items, (item) => {
        for (const value of e.values[data.by].items) { found.set(value.key, value); add(groups, value.key, item); }
      });
      const keys = inOrder(found.values()), members = keys.map((value) => ({ ...of, items: groups.get(value.key) }));
      const rows = e.each(node, data.members, members, () => (data.having === null || e.values[data.having] ? cells(e, node.place, data.measures) : null));
      return rows.flatMap((row, i) => (row ? [[[keys[i]], ...row]] : []));
    },
    query: (e, data) => data.rows.map((row) => row.map((cell) => (cell === null ? [] : [cell]))),

    compare(e, data) {
      const [lefts, rights] = [data.left, data.right].map((part) => e.values[part]).map((side) => {
        if (!isSet(side)) return side === null ? [] : [side];
        const [{ value, kind }] = side.atLeast ? side.items : [{}]; // this number, or any higher one
        if (side.atLeast) return ["contains", "starts"].includes(data.do) ? [] : [makeLiteral(value, kind, { precision: `${value}..1e999` })];
        return side.hole ? [] : side.items.length || !side.none ? bestOf(side) : [NO_VALUE];
      });
      e.step(lefts.length * rights.length);
      return agreed(lefts.flatMap((left) => rights.map((right) => compared(data.do, left, right, e.label))));
    },
    period(e, data) {
      const sides = [data.left, data.right].map((part) => (part === null ? setOf() : e.values[part]));
      if (sides.some(({ items, hole }) => items.length > 1 || (hole && items.length))) return null;
      return periodOf(...sides.map(({ items, none }) => items[0] ?? (none ? NO_VALUE : null)), e.label);
    },
    exists(e, data) { const { items, open, hole, none } = e.values[data.of]; return items.length ? true : none || !(open || hole) ? false : null; },
    is_a(e, data, { place }) {
      const left = e.values[data.left], right = e.values[data.right];
      return left.hole || right.hole ? null : agreed(left.items.flatMap((one) => right.items.map((cls) => e.member(one, cls, data, place))));
    },
    some: someOrEvery, every: someOrEvery,
    one(e, data, node) {
      const of = e.values[data.of], absent = of.none || !(of.open || e.program[data.of].kind === "named");
      const items = of.items.length ? bestOf(of) : absent ? [setOf([], { none: true })] : [];
      return agreed([...tests(e, data, node, items), ...(of.hole ? [null] : [])]);
    },
    or: (e, data) => either(data.of.map((part) => e.values[part])),
    and: (e, data) => negated(either(data.of.map((part) => negated(e.values[part])))),
    not: (e, data) => negated(e.values[data.of]),

    statement(e, data, { place }) {
      const wanted = { ...data.statement, graph: data.graph }, id = statementId(wanted); e.use(place, wanted);
      const found = e.read(data.graph, "out", entity(wanted.subject), wanted.relation).some((one) => statementId(one) === id);
      e.note(place, found ? "holds" : "fails", found ? "the graph has it" : "the graph has no such statement");
      return true;
    },
    passage(e, data, { place }) {
      const document = e.source.document(data.source), points = Array.from(document ?? "");
      if (document === null) e.note(place, "unverifiable", "its source is not at hand");
      else if (hex(sha256(utf8(document))) !== data.sha256) e.note(place, "stale", "its source is not as it was");
      else if (!data.text || points.slice(data.start, data.end).join("") !== data.text) e.note(place, "fails", "its source has another text there");
      else e.note(place, "holds", "its source has this text there");
      return true;
    },
    judged: (e, data) => SAYS[data.decision],
    rule(e, data) {
      const truth = e.values[data.of];
      if (truth === null || data.direction === (truth ? "necessary" : "sufficient")) return null;
      return SAYS[truth ? data.if_true || "yes" : data.if_false || "no"];
    },
    choice: (e, data) => setOf(inOrder(data.options.filter((one) => e.values[one.if] === true).map((one) => one.option))),
    vote(e, data) {
      const winner = decide(data);
      return data.yes_or_no ? SAYS[winner ?? "unknown"] : perhaps(winner === null ? null : makeLiteral(winner, "string"));
    },
  };

  /** The sum of Numbers, rounded once. */
  const exactSum = (terms) => toNumber(terms.map(exact).reduce(plus, ZERO));

  /** The weight of a chain, by how far evidence bears its sentences out (Rethinking with Retrieval, A.2). */
  function weightOf(data, { sentences, base, grounded, disputed }) {
    const scores = sentences.map((one) => [one.entailment, one.similarity ?? 0, one.contradiction]), sum = (work) => exactSum(scores.flatMap(work));
    const [M, E, C] = [data.T_m ?? 0.5, data.T_e ?? 0.6, data.T_c ?? 0.99];
    const means = [0, 1, 2].map((i) => (scores.length ? exactSum(scores.map((one) => one[i])) / scores.length : 0));
    switch (data.function) {
      case "equal": return 1;
      case "f1": return sum(([e, m, c]) => [m >= M ? m : e, -c]);
      case "f2": return sum(([e, m]) => [m, e]);
      case "f3": return sum(([e, , c]) => [e >= E ? e : 0, c >= C ? -c : 0]);
      case "mean-entailment": return (base ?? 1) + means[0];
    }
    const weights = [...(data.w || [1, 0, 0]), ...(data.words || [0, 0])];
    return exactSum([base ?? 1, ...[...means, grounded ?? 0, disputed ?? 0].map((part, i) => weights[i] * part)]);
  }

  /** The prediction that the vote is for; null where no chain votes. @throws {KernelError} */
  function decide(data) {
    const weights = new Map();
    if (new Set(data.chains.map((chain) => chain.sample)).size < data.chains.length) refuse("a sample votes twice");
    for (const chain of data.chains) {
      let at = 0;
      for (const { text } of chain.sentences) {
        if (chain.text.indexOf(text, at) < 0) refuse("a sentence does not stand in the text of its output");
        at = chain.text.indexOf(text, at) + text.length;
      }
      const votes = chain.prediction !== null && (!data.yes_or_no || ["yes", "no"].includes(chain.prediction));
      if (votes) add(weights, chain.prediction, weightOf(data, chain));
    }
    const worth = [...weights].map(([said, all]) => [said, data.voting === false ? Math.max(...all) : exactSum(all), all.length]);
    const most = Math.max(...worth.map(([, weight]) => weight)), near = worth.filter(([, weight]) => weight >= most - 1e-9);
    const best = data.ties === "majority" ? near.filter(([, , votes]) => votes === Math.max(...near.map((one) => one[2]))) : near;
    return !best.length ? null : data.ties !== "first" && best.some(([said]) => said === "no") ? "no" : best[0][0];
  }

  // ---------------------------------------------------------------------------------------------- sentences

  const FINE = [null, "microsecond", "second", "minute", "hour", "day"], LONGEST = 600, WHOLE = 100_000; // of a sentence that others hold; of what the file holds

  /** A text of the file, as one: in quotation marks that nothing in it can close. */
  const quotation = (said, longest = WHOLE) => `“${oneLine(said.replace(/[“”]/g, '"'), longest)}”`;
  /** What is shown for an entity or relation: its label, else its whole id, marked as one. */
  const nameOf = (id, label) => oneLine(label(id) || own({ [LABEL]: "label", [ALIAS]: "other name" }, id) || "", 100) || `⟨${oneLine(id.replace(/[⟨⟩]/g, ""))}⟩`;

  /** What is shown for a node: of a literal all that it says. */
  function shownNode(one, label, longest = 200) {
    if (!isLiteral(one)) return nameOf(one.id, label);
    if (special(one)) return one.kind.replaceAll("_", " ");
    const plain = one.kind !== "string" && one.value.length <= longest && /^(?:[-+0-9.,:eETZ]+|true|false)$/.test(one.value);
    const unit = one.unit && ` ${unitNamed(one.unit) || currency(one.unit) ? oneLine(one.unit) : nameOf(one.unit, label)}`;
    const notes = [FINE.includes(one.precision) ? null : one.precision, one.lang, one.calendar === "julian" ? "julian" : null].filter(Boolean);
    return `${plain ? one.value : quotation(one.value, longest)}${unit || ""}${notes.length ? ` (${notes.map((note) => oneLine(note, 100)).join(", ")})` : ""}`;
  }
  /** A number with two decimals, half to even. */
  const fixed = (x) => { const { n, d } = exact(x), digits = String(abs(nearest(n * 100n, d))).padStart(3, "0"); return `${x < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`; };

  /** A statement with its qualifiers and its id, in one line. */
  function statementText(statement, label) {
    const pairs = statement.qualifiers.map(({ relation, value }) => `${nameOf(relation, label)}: ${shownNode(value, label)}`).join(", ");
    const said = `${nameOf(statement.subject, label)} — ${nameOf(statement.relation, label)} → ${shownNode(statement.object, label)}`;
    return `${said}${pairs && ` (${pairs})`} [${statementId(statement).slice(0, 12)}]`;
  }

  /** What each node of a program says. @returns {string[]} */
  function sentences(program, label) {
    const variables = program.filter((one) => one.op === "it").map((one) => one.place), said = [], short = [], places = program.map((_, place) => `node ${place}`);
    for (const { op, data, parts, place } of program) {
      const known = parts.length <= 100 ? short : places;
      said.push(op === "it" && variables.length > 1 ? `X${variables.indexOf(place) + 1}` : filled(FORMAT.nodes[op], data, known, label));
      short.push(isLong(said[place]) ? places[place] : said[place]);
    }
    return said;
  }
  const isLong = (sentence) => sentence.length > LONGEST && Array.from(sentence).length > LONGEST;

  /** A template with the fields of a node or reason in words. */
  function filled(spec, data, said, label, points = []) {
    const shapes = Object.fromEntries(Object.entries(spec.fields).map(([name, shape]) => [name.replace("?", ""), shape]));
    const stands = (value, wanted) => (wanted ? String(value).toLowerCase() === wanted : value !== null && value !== false);
    return spec.says
      .replace(/\[(\w+)(?:=(\w+))?:([^[\]]*)\]/g, (_, name, wanted, part) => (stands(data[name], wanted) ? part : ""))
      .replace(/\{(\w+)\}/g, (_, name) => worded(name, shapes[name], data[name], spec.joint ?? " or ", said, label, points));
  }

  /** A field in words. */
  function worded(name, shape, value, joint, said, label, points) {
    if (Array.isArray(shape)) {
      const between = ["keep", "qualified", "options", "words", "w"].includes(name) ? ", " : joint;
      return value.map((one) => worded(name, shape[0], one, joint, said, label, points)).join(between);
    }
    const names = (ids, between) => ids.map((id) => nameOf(id, label)).join(between);
    if (name === "window") {
      const told = (time) => time.kind === "time" && { year: 0, month: 1 }[time.precision] === time.value.slice(1).split("-").length - 1; // by its digits
      const [from, to] = [value.from, value.to].map((end) => (end === null ? "any time" : shownNode(told(end) ? { ...end, precision: null } : end, label, WHOLE)));
      const roles = [["start", "since"], ["end", "until"], ["point", "at"]].filter(([role]) => value[role].length).map(([role, word]) => `${word} ${names(value[role], ", ")}`);
      return `${from === to && from !== "any time" ? `in ${from}` : `from ${from} to ${to}`}; ${[...roles, ...(value.unknown === "keep" ? ["or of unknown time"] : [])].join("; ")}`;
    }
    if (name === "options") return `${shownNode(value.option, label, WHOLE)} if (${said[value.if]})`;
    if (name === "qualified") return `${names(value.relations, " or ")} ${shownNode(value.is, label, WHOLE)}`;
    if (shape.startsWith("@")) return said[value];
    if (["id", "relations", "sub", "disjoint", "entity", "relation"].includes(name)) { const text = nameOf(value, label); return name.startsWith("relation") && text.endsWith(" of") ? quotation(text) : text; } // "of" twice
    if (shape === "node" || shape === "literal") return shownNode(value, label, WHOLE);
    if (shape === "statement") return statementText(value, label);
    if (shape === "span" || shape === "marked") return quotation(points.slice(value[0], value[1]).join("")) + value.slice(2).map((what) => ` (${oneLine(what, 40)})`).join("");
    return shape === "text" ? quotation(value) : shape === "number" ? fixed(value) : String(value).replaceAll("_", " ");
  }

  // ---------------------------------------------------------------------------------------------- the report

  const SEEN = ["statement", "passage", "follow", "instances"];
  const LETTER = /[\p{L}\p{N}]/u;
  const sameNodes = (a, b) => a.length === b.length && a.every((one, i) => one.key === b[i].key);
  const sameRow = (a, b) => a.length === b.length && a.every((cell, i) => sameNodes(cell, b[i]));
  /** Whether two values are the same: sets, rows or truths. */
  function sameValue(a, b) {
    if (isSet(a) && isSet(b)) return sameNodes(a.items, b.items) && a.atLeast === b.atLeast;
    return Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((row, i) => sameRow(row, b[i])) : a === b;
  }

  /** Words as they stand, and as else a name may be written: in single spaces, in small, large and first letters. */
  function spellings(words) {
    const single = words.replace(SPACE, " ").replace(/^ | $/g, ""), first = (word) => word.replace(/^(.?)(.*)$/su, (_, c, rest) => c.toUpperCase() + rest.toLowerCase());
    return [words, single, single.toLowerCase(), single.toUpperCase(), single.split(" ").map(first).join(" ")];
  }

  /** The check of one certificate against a source of statements. */
  class Check {
    constructor(certificate, source, seconds, shown) {
      const { program, points, answer } = certificate;
      const found = { read_as: "", judge: "", answer: [], status: "fails", exit_code: 2, nodes: [], problems: [], graphs: [] };
      Object.assign(this, { certificate, source, shown, program, points, answer, found, changed: false, evaluator: new Evaluator(certificate, source, seconds) });
      const every = this.evaluator.graphs, proved = every.filter((graph) => source.proved(graph)), namedBy = proved.length ? proved : every;
      this.label = (id) => { this.evaluator.step(); return orMissing(() => labelIn(source, namedBy, id), () => null); }; // no endpoint's beside a graph with a root
      this.evaluator.run(); this.said = sentences(program, this.label);
    }
    slice(start, end) { return this.points.slice(start, end).join(""); }

    /** The whole report. `root`: the root that the graph must have, or null; of several those. */
    report(root, strict) {
      const { found, evaluator, said, shown } = this, { reading } = this.certificate; this.hold(root);
      const [needed, statuses] = this.answer.kind === "text" ? this.text() : this.answer.kind === "none" ? this.none() : this.value();
      for (const { place, op } of this.program) {
        const used = [...evaluator.statements[place].values()], status = evaluator.status[place] ?? (needed.has(place) ? "recomputed" : "unverifiable"); // under a binder, of nothing
        const node = { place, op, sentence: said[place], status: status === "fails" && this.changed ? "stale" : status, reason: oneLine(evaluator.reason[place]) };
        const more = used.length > shown ? [`… and ${grouped(used.length - shown)} more`] : [];
        found.nodes.push({ ...node, statements: [...used.slice(0, shown).map((one) => statementText(one, this.label)), ...more], used: needed.has(place) });
        if (needed.has(place)) statuses.push(node.status);
      }
      const nodes = found.nodes.filter((one) => one.used), asked = found.read_as === this.certificate.question && needed.size && this.answer.kind !== "text";
      if (asked && this.meansOneThing(needed)) found.judge = "as it was asked";
      else {
        found.judge = reading ? `judged by ${quotation(reading.by)}, ${fixed(reading.score)}` : "nobody says that the question means this";
        statuses.push(reading ? "judged" : "unverifiable");
      }
      if (found.problems.length) statuses.push(this.changed ? "stale" : "fails"); found.status = weakest(statuses);
      const bad = [found.status, ...found.nodes.map((one) => one.status)].some((status) => status === "stale" || status === "fails");
      found.exit_code = bad || (this.certificate.graphs.every((part) => part.root) && nodes.some((one) => [NOT_HELD, AWAY, UNKNOWN_PART].includes(one.reason))) || STATUSES.indexOf(found.status) > STATUSES.indexOf(strict ? "recomputed" : "unverifiable") ? 1 : 0;
      return found;
    }

    /** Whether the sentence of some nodes is whole, and each name in it, as the graph writes it, is of one thing. */
    meansOneThing(needed) {
      const shown = new Map(), label = (id) => { if (!shown.has(id)) shown.set(id, this.label(id)); return shown.get(id); }, places = [...needed].sort((a, b) => a - b);
      for (const place of places) filled(FORMAT.nodes[this.program[place].op], this.program[place].data, this.said, label);
      return !places.some((place) => isLong(this.said[place])) && [...shown].every(([id, said]) => {
        const name = nameOf(id, () => said); if (said === null) return name === `⟨${id}⟩`;
        return name === said && [...this.subjects("in", [makeLiteral(said, "string")], [LABEL, ALIAS])].every((one) => one === id);
      });
    }

    /** The subjects of the statements of some ranges, in all graphs; null too where one is not at hand. */
    subjects(side, nodes, relations) {
      const found = new Set();
      for (const graph of this.evaluator.graphs) for (const one of nodes) for (const relation of relations) {
        for (const id of orMissing(() => this.source.statements(graph, side, one, relation).map(({ subject }) => subject), () => [null])) found.add(id);
      }
      return found;
    }

    /** Holds the graphs against the roots they should have. */
    hold(root) {
      const { graphs, evidence } = this.certificate, given = [root ?? []].flat(), isAtHand = (place) => Boolean(this.source.atHand?.(place));
      const instead = evidence?.length && graphs.some((_, place) => isAtHand(place)) ? "not at hand, so by its evidence: " : "";
      graphs.forEach((part, place) => {
        const has = this.source.roots[place] ?? null, atHand = isAtHand(place);
        let told = `as ${oneLine(part.endpoint ?? "", 100)} said (${oneLine(part.asked || "no time given", 40)})${atHand ? "" : "; no root proves it"}`;
        if (part.root !== null && has === null) told = "no evidence is given";
        else if (part.root !== null && has === part.root) told = `held against the root ${given.includes(has) ? "given" : "that the certificate names"}, ${has}`;
        else if (part.root !== null) {
          told = "another graph, or changed since"; if (atHand) this.changed = true;
          else this.found.problems.push(`the evidence leads to the root ${has}, not to the certificate's`);
        }
        this.found.graphs.push(`${place}, which the certificate calls ${quotation(part.name)}: ${atHand ? "" : instead}${told}`);
      });
      const named = graphs.flatMap((part) => part.root ?? []);
      if (given.length && !(given.every((one) => named.includes(one)) && named.every((one) => given.includes(one)))) this.found.problems.push("the certificate is about graphs of another root than the one given");
    }

    /** The nodes that some need, themselves included. */
    beneath(places) {
      const found = new Set(), queue = [...places];
      while (queue.length) {
        const place = queue.pop(), { parts, bound } = this.program[place];
        if (!found.has(place)) queue.push(...parts, ...bound.flatMap(([variable, inner]) => [variable, ...inner]));
        found.add(place);
      }
      return found;
    }

    /** A value in lines. */
    lines(value) {
      const nodes = (items) => items.map((one) => shownNode(one, this.label)).join(", ");
      const more = (all) => (all.length > this.shown ? ` … and ${grouped(all.length - this.shown)} more` : "");
      if (isSet(value)) return value.items.length ? [(value.atLeast ? "at least " : "") + nodes(value.items.slice(0, this.shown)) + more(value.items)] : [];
      if (Array.isArray(value)) return [...value.slice(0, this.shown).map((row) => row.map(nodes).join(" | ")), more(value)].filter((line, i) => line || i < value.length);
      return [value === true ? "yes" : value === false ? "no" : "not known"];
    }

    /** What the certificate says that its node yields. */
    claimed() {
      const { kind, values, at_least: atLeast, value, rows } = this.answer;
      return kind === "truth" ? value === "yes" : kind === "rows" ? rows : setOf(values, { atLeast: Boolean(atLeast) });
    }

    /** Holds an answer of nodes, truth or rows against what follows. @returns {[Set<number>, string[]]} needed nodes, other statuses */
    value() {
      const { found, evaluator, answer: { of, kind } } = this, claimed = this.claimed();
      found.read_as = (kind === "truth" ? "whether " : "") + this.said[of]; found.answer = this.lines(claimed);
      if (!evaluator.lost.has(of) && !sameValue(evaluator.values[of], claimed)) found.problems.push("the answer is not what follows from the program");
      return [this.beneath([of]), []];
    }

    /** Gives each sentence of a text the verdict that follows from its claims. */
    text() {
      const { found, points } = this, { sentences } = this.answer, every = [], statuses = [], ends = [0, ...sentences.flatMap(({ start, end }) => [start, end]), points.length];
      const whole = ends.every((end, i) => !i || (ends[i - 1] <= end && (i % 2 === 0 || !points.slice(ends[i - 1], end).some((c) => LETTER.test(c)))));
      if (!whole) found.problems.push("the sentences leave out, or take twice, some of the text");
      found.read_as = "what the claims of this text say";
      for (const { start, end, claims, unchecked } of sentences) {
        const places = claims.map(({ of }) => of), truths = places.map((place) => this.evaluator.values[place]), unread = unchecked !== null && !claims.length;
        const verdict = truths.includes(false) ? "contradicted" : truths.length && !truths.includes(null) ? "supported" : "not in the graph";
        const told = unread ? `not checked (${quotation(unchecked)}, judged)` : verdict, taken = places.map((place) => `; taken for: ${this.said[place]}`).join("");
        if (unread) statuses.push("judged");
        found.answer.push(`${told}: ${quotation(this.slice(start, end))}${taken}`);
        if (claims.some(({ words }) => words && (words[0] < start || words[1] > end))) found.problems.push("a claim is taken for words that are not of its sentence");
        const below = [...this.beneath(places)].map((place) => this.program[place]); this.evaluator.step(below.length);
        for (const node of below) {
          if (node.op === "vote" || (node.op === "judged" && node.data.decision !== "unknown")) this.judged(node, start, end);
        }
        every.push(...places);
      }
      return [this.beneath(every), statuses];
    }

    /** Holds a judgement on a claim of a sentence against what it has seen. */
    judged({ parts, data }, start, end) {
      const seen = parts.map((place) => this.program[place]), holding = seen.filter(({ op }) => SEEN.includes(op)), { problems } = this.found;
      const used = holding.flatMap(({ place }) => [...this.evaluator.statements[place].values()]);
      if (!used.length && !seen.some(({ op }) => op === "passage")) problems.push("a claim is judged by nothing that a statement or passage says");
      const named = new Set(seen.filter((one) => one.op === "entity" && this.isSaid(one.data, data.says ?? "", start, end)).map((one) => one.data.id));
      for (const { subject, object } of used) {
        const ends = [subject, ...(isLiteral(object) ? [] : [object.id])].map((id) => named.has(id));
        if (!(data.decision === "no" ? ends.some(Boolean) : ends.every(Boolean))) problems.push("a claim is judged by a statement about something that it does not name");
      }
    }

    /** Whether the text names an entity, no later than in this sentence; and this sentence, or the claim, does. */
    isSaid({ words, name }, says, start, end) {
      const [first, last] = words ?? [end, end + 1], names = [foldCase(this.slice(first, last)), foldCase(name ?? "")]; this.evaluator.step();
      return names.every(Boolean) && last <= end && (first >= start || names.some((one) => foldCase(says).includes(one)));
    }

    /** Checks an abstention: each of its reasons, and that nothing which was tried is an answer. */
    none() {
      const { found, answer } = this, tried = answer.tried || [], about = new Set(tried), statuses = [];
      for (const reason of answer.reasons) {
        found.answer.push(`none: ${filled(FORMAT.reasons[reason.code], reason, this.said, this.label, this.points)}`);
        statuses.push(this.reason(reason));
        for (const place of [reason.of ?? []].flat()) about.add(place);
      }
      const excused = new Set(answer.reasons.filter(({ code }) => FORMAT.reasons[code].excuses).flatMap(({ of }) => (of === undefined ? tried : of)));
      for (const _ of tried.filter((place) => !excused.has(place) && this.yields(place))) found.problems.push("what was tried yields something, and no reason says why it is no answer");
      found.read_as = about.size ? this.said[Math.max(...about)] : "nothing"; return [this.beneath(about), statuses];
    }

    /** Whether a node yields something. */
    yields(place) {
      const value = this.evaluator.values[place];
      return isSet(value) ? value.items.length > 0 : Array.isArray(value) ? value.length > 0 : value !== null;
    }

    /** How far a reason of an abstention is checked. @returns {string} a status */
    reason({ code, of, words, entity: id, relation, direction, score, needed }) {
      const { status } = FORMAT.reasons[code], every = this.evaluator.graphs; let found = new Set();
      if (code === "lacks") found = this.subjects(direction === "forward" ? "out" : "in", [entity(id)], [relation]);
      if (code === "unnamed") found = this.subjects("in", spellings(this.slice(...words)).map((form) => makeLiteral(form, "string")), [LABEL, ALIAS]);
      const unseen = found.delete(null), there = status === "recomputed" && typeof of === "number" && this.yields(of);
      if (found.size || there || (code === "unsure" && score >= needed)) this.found.problems.push(`the reason '${code}' is not so`);
      const unproved = ["lacks", "unnamed"].includes(code) && !every.every((graph) => this.source.proved(graph));
      return unseen || unproved ? "unverifiable" : status;
    }
  }

  /** The check of a certificate of JSON (or read from it) against the evidence that it holds, or a graph; `wrap`: what its source is put into. */
  function checkOf(given, { graph = null, seconds = SECONDS, shown = 20, wrap = (source) => source } = {}) {
    const certificate = readCertificate(readJson(typeof given === "string" ? given : JSON.stringify(given) ?? "")), { evidence } = certificate;
    const held = [evidence || [], evidence && evidence.length ? certificate.graphs : []], source = graph ? new Source(graph, ...held) : new Evidence(...held);
    return new Check(certificate, wrap(source), seconds, shown);
  }

  /**
   * Checks a certificate against the evidence that it holds, or against a graph. Nothing is thrown, whatever is given.
   * @param {string | object} given JSON, or what is read from it
   * @param {{graph?: object, root?: string | string[], strict?: boolean, seconds?: number, shown?: number}} options `root`: that the graph must have, or those of several
   * @returns {object} read_as, judge, answer, status, exit_code, nodes, problems, graphs
   */
  function check(given, options = {}) {
    try {
      return checkOf(given, options).report(options.root ?? null, Boolean(options.strict));
    } catch (error) {
      const told = error instanceof KernelError ? error.message : error instanceof RangeError ? "nests too deeply, or is too large" : `cannot be checked: ${error?.message}`;
      return { read_as: "", judge: "", answer: [], status: "fails", exit_code: 2, nodes: [], problems: [oneLine(told)], graphs: [] };
    }
  }

  const values = { checkOf, FORMAT, filled, isSet, oneLine, sameValue, statementId, compared, periodOf, holdsInWindow, arithmetic, aggregate, orderKey, textOf, literalFrom, entity, asJson, unitNamed, textSpan, textQuantity };
  return { check, values };
})();
globalThis.Toulmin = Toulmin;
if (typeof module !== "undefined") module.exports = Toulmin;
