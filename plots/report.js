// What the page does beyond being read: tables that are sorted and filtered, figures that tell their
// values, contents that fold on a phone. The page is whole without.
'use strict';
const units = {
  k: 1e3, M: 1e6, G: 1e9, T: 1e12, m: 1e-3, 'µ': 1e-6, n: 1e-9,
  Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30
};
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
const made = (name, attributes, text = '') => {
  const element = Object.assign(document.createElement(name), attributes);
  element.append(text);
  return element;
};

// ---- tables ---------------------------------------------------------------------------------------

// What a cell begins with as a number: "32M", "1.5k ±2%", "-0.4"; NaN if it is a word, such as "-¹".
const number = text => {
  const found = /^([-+−]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?)\s*([kMG]i?|[Tmµn])?(?![0-9.a-zµ])/i
    .exec(text.replace(/,(?=[0-9]{3})/g, '').replace('−', '-'));
  if (found) return parseFloat(found[1]) * (units[found[2]] || 1);
  return parseFloat(/^[-+]?[0-9]/.test(text) ? text : 'none');
};
// What stands once for a block of rows stands in each row as soon as they are moved.
const fill = table => {
  if (table.dataset.filled) return;
  table.dataset.filled = 1;
  const last = [], stubs = table.tHead.querySelectorAll('th.stub').length;
  for (const row of table.tBodies[0].rows) {
    [...row.cells].slice(0, stubs).forEach((cell, i) => {
      if (cell.textContent === '' && last[i] !== undefined) cell.textContent = last[i];
      last[i] = cell.textContent;
    });
    row.classList.remove('block');
  }
};
// Numbers come before words, nothing comes last, whichever way numbers and words are sorted.
const kind = entry => entry.text === '' ? 2 : isNaN(entry.value) ? 1 : 0;
const sort = (table, heads, head, column) => {
  fill(table);
  const down = head.getAttribute('aria-sort') === 'ascending';
  for (const other of heads) other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const rows = [...table.tBodies[0].rows].map((row, at) => {
    const text = row.cells[column].textContent.trim();
    return { row, at, text, value: number(text) };
  });
  rows.sort((a, b) => {
    if (kind(a) !== kind(b)) return kind(a) - kind(b);
    const order = kind(a) ? a.text.localeCompare(b.text) : a.value - b.value;
    return (down ? -order : order) || a.at - b.at;
  });
  table.tBodies[0].append(...rows.map(entry => entry.row));
};
// A box that keeps the rows that have all its words.
const addFilter = table => {
  const box = made('input', { type: 'search' }), left = made('output');
  const label = made('label', { className: 'filter' }, 'Rows with ');
  label.append(box, ' ', left);
  table.parentElement.before(label);
  box.addEventListener('input', () => {
    fill(table);
    const words = box.value.toLowerCase().split(/\s+/), rows = [...table.tBodies[0].rows];
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
    }
    left.textContent = box.value.trim() && rows.filter(row => !row.hidden).length + ' of ' + rows.length;
  });
};
// Of a table that is wider than its place the columns that name the rows stay: the last of them, and as
// many before it as leave half of the place.
const stick = table => {
  const room = table.parentElement, heads = all('thead th.stub', table), widths = heads.map(head => head.offsetWidth);
  if (room.scrollWidth <= room.clientWidth || heads.length < 2) return;
  let first = heads.length - 1, left = 0, total = widths[first];
  while (first > 0 && total + widths[first - 1] < room.clientWidth / 2) total += widths[--first];
  for (let i = 0; i < heads.length; i++) {
    for (const cell of [heads[i], ...[...table.tBodies[0].rows].map(row => row.cells[i])]) {
      cell.classList.toggle('stays', i >= first);
      cell.style.left = i >= first ? left + 'px' : 'auto';
    }
    if (i >= first) left += widths[i];
  }
};
const tables = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    tables.unobserve(target);
    stick(target);
  }
});
for (const table of all('table.sortable')) {
  tables.observe(table);
  const heads = [...table.tHead.rows[0].cells];
  let column = 0;
  for (const head of heads) {
    const at = column;
    column += head.colSpan; // of a number and what stands behind it
    head.setAttribute('aria-sort', 'none');
    head.tabIndex = 0;
    head.addEventListener('click', () => sort(table, heads, head, at));
    head.addEventListener('keydown', event => { if (event.key === 'Enter') sort(table, heads, head, at); });
  }
  if (table.tBodies[0].rows.length > 8) addFilter(table);
}

// ---- figures --------------------------------------------------------------------------------------

const rounded = value => String(+value.toPrecision(4));
const timeOf = s => s >= 1 ? rounded(s) + ' s' : s >= 1e-3 ? rounded(s * 1e3) + ' ms'
  : s >= 1e-6 ? rounded(s * 1e6) + ' µs' : rounded(s * 1e9) + ' ns';
// "n 1M: 3.96 · 10⁹ keys/s (3.91 to 4.01), 252 µs" of a point "1M 3.96e9 3.91e9 4.01e9 2.52e-4".
const wordsOf = (point, figure) => {
  const [x, ...values] = point.split(' ');
  const [rate, low, high, time, speedup] = values.map(Number), unit = figure.dataset.unit;
  const words = [];
  if (rate) {
    words.push(rounded(rate / 1e9) + ' · 10⁹ ' + unit + (unit.includes('/') ? '' : '/s') +
      (high > low ? ' (' + rounded(low / 1e9) + ' to ' + rounded(high / 1e9) + ')' : ''));
  }
  if (time) words.push(timeOf(time));
  if (speedup) words.push(rounded(speedup) + ' times');
  return figure.dataset.x + ' ' + decodeURIComponent(x) + ': ' + words.join(', ');
};
// Where a mark, or the top of a bar, stands in its drawing.
const placeOf = mark => {
  if (!mark.matches('use')) {
    const box = mark.getBBox();
    return { x: box.x + box.width / 2, y: box.y };
  }
  const scale = parseFloat((mark.parentElement.getAttribute('transform') || 'scale(1').slice(6));
  return { x: scale * mark.getAttribute('x'), y: scale * mark.getAttribute('y') };
};
// The series of a drawing: name, places and words of its points, whether it is shown.
const seriesOf = (svg, figure) => all('g.series', svg).map(group => ({
  group,
  name: (group.querySelector('title') || { textContent: '' }).textContent,
  line: (group.querySelector('path') || group).getAttribute('d'),
  points: group.dataset.points ? group.dataset.points.split(';').map(point => wordsOf(point, figure)) : []
}));
const prepare = figure => {
  const drawings = all('svg', figure).map(svg => ({ svg, series: seriesOf(svg, figure) }));
  const tip = made('div', { className: 'tip', hidden: true });
  tip.setAttribute('role', 'status');
  figure.append(tip);
  // The narrow drawing has the series of the wide one, whose numbers are beside it.
  if (drawings[1] && drawings[1].series.length === drawings[0].series.length) {
    drawings[1].series.forEach((series, i) => { series.points = drawings[0].series[i].points; });
  }
  // Off and on: by name, in all panels, with what is drawn a second time above others.
  const toggle = name => {
    for (const { svg, series } of drawings) {
      const lines = series.filter(one => one.name === name).map(one => one.line);
      const off = !svg.querySelector('.key.off[data-name="' + CSS.escape(name) + '"]');
      for (const one of series) {
        if (one.name === name || !one.name && lines.includes(one.line)) one.group.classList.toggle('off', off);
      }
      for (const key of all('.key[data-name="' + CSS.escape(name) + '"]', svg)) {
        key.classList.toggle('off', off);
        key.setAttribute('aria-pressed', String(!off));
        for (const sample of samplesOf(svg, key)) sample.classList.toggle('off', off);
      }
    }
  };
  // What stands left of a name in the legend.
  const samplesOf = (svg, key) => {
    const to = key.getBBox();
    return all('path, use, rect, polygon', svg).filter(element => {
      if (element.closest('.series, defs')) return false;
      const box = element.getBBox(), y = box.y + box.height / 2, place = element.matches('use') ? placeOf(element) : { x: box.x, y };
      element.classList.add('sample');
      return place.x < to.x && place.x > to.x - 60 && Math.abs(place.y - to.y - to.height / 2) < to.height / 2;
    });
  };
  for (const { svg, series } of drawings) {
    const names = new Set(series.map(one => one.name).filter(name => name));
    for (const text of all('text', svg)) {
      const name = text.textContent.trim();
      if (!names.has(name) || text.closest('.series')) continue;
      svg.setAttribute('role', 'group');
      text.classList.add('key');
      text.dataset.name = name;
      text.tabIndex = 0;
      text.setAttribute('role', 'button');
      text.setAttribute('aria-pressed', 'true');
      text.setAttribute('aria-label', 'Show ' + name);
      text.addEventListener('click', () => toggle(name));
      text.addEventListener('keydown', event => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        toggle(name);
      });
    }
    for (const one of series) {
      one.marks = all('use, polygon', one.group);
      if (one.points.length && one.points.length === one.marks.length) one.group.querySelector('title').remove();
      else one.points = [];
    }
    addTips(figure, svg, series.filter(one => one.points.length), tip);
  }
};
// The nearest point's words beside it; by the keyboard from point to point.
const addTips = (figure, svg, series, tip) => {
  if (!series.length) return;
  const ring = document.createElementNS(svg.namespaceURI, 'circle');
  ring.setAttribute('class', 'ring');
  ring.setAttribute('r', 6);
  let shown = null;
  const hide = () => { tip.hidden = true; ring.remove(); shown = null; };
  const show = (one, i) => {
    const place = placeOf(one.marks[i]), matrix = svg.getScreenCTM(), frame = figure.getBoundingClientRect();
    const x = place.x * matrix.a + matrix.e - frame.left, y = place.y * matrix.d + matrix.f - frame.top;
    shown = { one, i };
    ring.setAttribute('cx', place.x);
    ring.setAttribute('cy', place.y);
    svg.append(ring);
    tip.textContent = one.name + '\n' + one.points[i];
    tip.hidden = false;
    tip.style.top = y + 12 + 'px';
    tip.style.left = Math.max(0, Math.min(x + 12, frame.width - tip.offsetWidth)) + 'px';
  };
  const visible = () => series.filter(one => !one.group.classList.contains('off'));
  svg.addEventListener('pointermove', event => {
    const matrix = svg.getScreenCTM();
    let least = 24, best = null;
    for (const one of visible()) {
      one.marks.forEach((mark, i) => {
        const place = placeOf(mark);
        const away = Math.hypot(place.x * matrix.a + matrix.e - event.clientX, place.y * matrix.d + matrix.f - event.clientY);
        if (away < least) { least = away; best = { one, i }; }
      });
    }
    if (best) show(best.one, best.i);
    else hide();
  });
  svg.addEventListener('pointerleave', hide);
  svg.tabIndex = 0;
  svg.addEventListener('blur', hide);
  svg.addEventListener('keydown', event => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const choice = visible();
    if (event.key === 'Escape') hide();
    if (event.target !== svg || !step || !choice.length) return;
    event.preventDefault();
    const at = shown ? choice.indexOf(shown.one) : -1;
    const one = choice[at < 0 ? 0 : (at + step[0] + choice.length) % choice.length];
    show(one, at < 0 ? 0 : Math.max(0, Math.min(one.marks.length - 1, shown.i + step[1])));
  });
};
// When it is first seen: most are folded.
const seen = new IntersectionObserver(entries => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    seen.unobserve(entry.target);
    prepare(entry.target);
  }
}, { rootMargin: '200px' });
all('figure').forEach(figure => seen.observe(figure));

// ---- the page -------------------------------------------------------------------------------------

// A link opens what it leads into.
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let element = target; element; element = element.parentElement) {
    if (element.tagName === 'DETAILS') element.open = true;
  }
  if (target) target.scrollIntoView();
};
addEventListener('hashchange', open);
if (location.hash) open();

const menu = document.querySelector('nav details'), wide = matchMedia('(min-width: 66rem)');
const fold = () => { menu.open = wide.matches; };
wide.addEventListener('change', fold);
fold();
menu.addEventListener('click', event => {
  if (!event.target.closest('a')) return;
  if (!wide.matches) menu.open = false;
  open(); // also where the link is the one that the page stands at
});
// Which section is read.
const links = new Map(all('a', menu).map(link => [link.hash.slice(1), link]));
const current = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    all('[aria-current]', menu).forEach(link => link.removeAttribute('aria-current'));
    links.get(target.id).setAttribute('aria-current', 'true');
  }
}, { rootMargin: '-10% 0px -80% 0px' });
all('section[id], details.experiment').filter(part => links.has(part.id)).forEach(part => current.observe(part));

// On paper: what repeats the papers, and nothing that was opened besides.
let folded = [];
addEventListener('beforeprint', () => {
  folded = all('main details').filter(part => part.open !== part.matches('.print'));
  folded.forEach(part => { part.open = !part.open; });
});
addEventListener('afterprint', () => folded.forEach(part => { part.open = !part.open; }));
