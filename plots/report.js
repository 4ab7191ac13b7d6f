// Tables that are sorted by a click, or by Enter, on the head of a column. The page is whole without.
'use strict';
const units = {
  k: 1e3, M: 1e6, G: 1e9, T: 1e12, m: 1e-3, 'µ': 1e-6, n: 1e-9,
  Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30
};
// What a cell begins with as a number: "32M", "1.5k ±2%", "-0.4"; NaN if it is a word, such as "-¹".
const number = text => {
  const found = /^([-+−]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?)\s*([kMG]i?|[Tmµn])?(?![0-9.a-zµ])/i
    .exec(text.replace(/,(?=[0-9]{3})/g, '').replace('−', '-'));
  if (found) return parseFloat(found[1]) * (units[found[2]] || 1);
  return parseFloat(/^[-+]?[0-9]/.test(text) ? text : 'none');
};
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0];
  // What stands once for a block of rows stands in each row as soon as they are moved.
  const fill = () => {
    if (table.dataset.filled) return;
    table.dataset.filled = 1;
    const last = [];
    for (const row of body.rows) {
      [...row.cells].forEach((cell, i) => {
        if (!cell.classList.contains('stub')) return;
        if (cell.textContent === '' && last[i] !== undefined) cell.textContent = last[i];
        last[i] = cell.textContent;
      });
      row.classList.remove('block');
    }
  };
  // Numbers come before words, nothing comes last, whichever way numbers and words are sorted.
  const kind = entry => entry.text === '' ? 2 : isNaN(entry.value) ? 1 : 0;
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    head.setAttribute('aria-sort', 'none');
    head.tabIndex = 0;
    const sort = () => {
      fill();
      const down = head.getAttribute('aria-sort') === 'ascending';
      for (const other of table.tHead.rows[0].cells) other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...body.rows].map((row, at) => {
        const text = row.cells[i].textContent.trim();
        return { row, at, text, value: number(text) };
      });
      rows.sort((a, b) => {
        if (kind(a) !== kind(b)) return kind(a) - kind(b);
        const order = kind(a) ? a.text.localeCompare(b.text) : a.value - b.value;
        return (down ? -order : order) || a.at - b.at;
      });
      body.append(...rows.map(entry => entry.row));
    };
    head.addEventListener('click', sort);
    head.addEventListener('keydown', event => { if (event.key === 'Enter') sort(); });
  });
}
