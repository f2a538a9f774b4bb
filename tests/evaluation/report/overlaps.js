/** What overlaps on a page: texts of a plot, or elements beside each other; and texts that leave their plot. */
(() => {
  const found = [], place = (one) => one.getBoundingClientRect();
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const inside = (a, b) => a.left > b.left - 1 && a.right < b.right + 1 && a.top > b.top - 1 && a.bottom < b.bottom + 1;
  for (const plot of document.querySelectorAll("figure > svg")) {
    const texts = [...plot.querySelectorAll("text")];
    texts.forEach((one, i) => {
      for (const other of texts.slice(i + 1)) if (over(place(one), place(other))) found.push(`${one.textContent} over ${other.textContent}`);
      if (!inside(place(one), place(plot))) found.push(`${one.textContent} leaves its plot`);
    });
  }
  const free = (one) => ["absolute", "fixed"].includes(getComputedStyle(one).position) || getComputedStyle(one).display === "inline";
  const walk = (parent) => {
    const shown = [...parent.children].filter((one) => !(one instanceof SVGElement) && place(one).width > 0 && !free(one));
    shown.forEach((one, i) => {
      for (const other of shown.slice(i + 1)) if (over(place(one), place(other))) found.push(`${one.outerHTML.slice(0, 80)} over ${other.outerHTML.slice(0, 80)}`);
      if (!one.matches(".scroll")) walk(one);
    });
  };
  walk(document.body);
  return found;
})()
