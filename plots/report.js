// Tables that are sorted by a click, or by Enter, on the head of a column. The page is whole without.
'use strict';
for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0];
  const number = cell => {
    const text = cell.textContent.trim().replace(/,/g, '');
    const found = /^-?[0-9.]+(e[-+]?[0-9]+)?/.exec(text);
    if (!found) return NaN;
    const unit = { k: 1e3, M: 1e6, G: 1e9, T: 1e12, m: 1e-3, 'µ': 1e-6, n: 1e-9 };
    return parseFloat(found[0]) * (unit[text.slice(found[0].length).trim()[0]] || 1);
  };
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
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    head.setAttribute('aria-sort', 'none');
    head.tabIndex = 0;
    const sort = () => {
      fill();
      const down = head.getAttribute('aria-sort') === 'ascending';
      for (const other of table.tHead.rows[0].cells) other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...body.rows].map((row, at) => ({ row, at, cell: row.cells[i], value: number(row.cells[i]) }));
      rows.sort((a, b) => {
        const empty = (a.cell.textContent === '') - (b.cell.textContent === '');
        if (empty) return empty;
        const words = isNaN(a.value) || isNaN(b.value);
        const order = words ? a.cell.textContent.localeCompare(b.cell.textContent) : a.value - b.value;
        return (down ? -order : order) || a.at - b.at;
      });
      body.append(...rows.map(entry => entry.row));
    };
    head.addEventListener('click', sort);
    head.addEventListener('keydown', event => { if (event.key === 'Enter') sort(); });
  });
}
