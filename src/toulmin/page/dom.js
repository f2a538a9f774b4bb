/** Elements of a page, made of what a file holds as text and never as markup. */
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const svg = (name, attributes = {}, ...inner) => filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, inner);
  const el = (name, attributes = {}, ...inner) => filled(document.createElement(name), attributes, inner);

  function filled(element, attributes, inner) {
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(name, value);
    }
    element.append(...inner.filter((one) => one !== null && one !== ""));
    return element;
  }

  /** A text of the file with a mark for what cannot be seen or turns the direction of writing; as many characters as before. */
  const visible = (text) => Array.from(text, (c) => (/[\n\u200c\u200d]/.test(c) || !/[\p{C}\u2028\u2029]/u.test(c) ? c : /\s/.test(c) ? " " : "\ufffd"));
  const many = (count, one, more = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
  /** A part of a certificate as it is written there, cut off. */
  const asTold = (value) => visible((typeof value === "string" ? value : JSON.stringify(value, null, 1)).slice(0, 40_000)).slice(0, 20_000).join("");

  globalThis.Dom = { at, svg, el, visible, many, asTold };
})();
