// The page around the maps: what is lit, headings, legends, tables, buttons, and the start of it all.

// ---- What is lit

function setHovered(found) {
  state.hovered = found;
  refresh();
}

const rows = new Map();  // plan -> its table rows by district, of the tables shown
let marked = [];
function refresh() {
  for (const row of marked) row.classList.remove('lit', 'pinned');
  marked = [];
  const mark = (what, kind) => {
    const row = what && rows.get(what.plan) && rows.get(what.plan)[what.district];
    if (!row) return;
    row.classList.add(kind);
    marked.push(row);
  };
  mark(state.hovered, 'lit');
  mark(state.pinned, 'pinned');
  for (const all of rows.values())
    all.forEach((row) => row.querySelector('button').setAttribute('aria-pressed', String(row.classList.contains('pinned'))));
  for (const panel of panels) panel.updateTip();
  redraw();
}

function speak() {
  const chosen = state.pinned;
  byId('spoken').textContent = !chosen ? '' :
    `${chosen.plan.method}, district ${chosen.district + 1}: ` +
    factsOf(chosen.plan, chosen.district).map(([name, value]) => `${name} ${value}`).join(', ') +
    `. ${warningOf(chosen.plan, chosen.district)}`;
}

// ---- Around the maps

const painted = [];  // swatches, to paint anew when the theme changes
function swatch(plan, district) {
  const made = element('span', { class: 'swatch', 'aria-hidden': 'true' });
  const colour = plan.districts[district].colour;
  made.style.background = data.fills[themeName()][colour];
  painted.push([new WeakRef(made), colour]);
  if (painted.length > 4000) painted.splice(0, painted.length, ...painted.filter(([one]) => one.deref()));
  return made;
}

function totalOf(plan, base) {
  if (plan.total === null) return '';
  const total = element('div', { class: 'total' }, element('strong', {}, kilometres(plan.total)));
  if (base && base !== plan && base.total) {
    const more = 100 * (plan.total / base.total - 1);
    const kind = Math.abs(more) < 0.005 ? '' : more < 0 ? 'better' : 'worse';
    total.append(element('span', { class: 'versus' },
      element('span', { class: kind }, `${hundredth.format(more).replace('-', '−')}\u202f%`), ` vs ${base.method}`));
  } else {
    total.append(element('span', { class: 'versus' }, 'total cost'));
  }
  return total;
}

function spreadOf(plan) {
  const costs = plan.districts.map((district) => district.cost);
  const count = `${plan.districts.length} districts`;
  if (costs.some((cost) => cost === null)) return count;
  return `${count}, ${tenth.format(Math.min(...costs))}\u2060–\u2060${kilometres(Math.max(...costs))}`;
}

function fillHead(panel) {
  const plan = panel.plan();
  let name = element('h2', {}, plan.method);
  if (plans.length > 2) {
    const choose = element('select', { 'aria-label': `Plan of map ${panel.index + 1}` });
    plans.forEach((each, k) => choose.append(new Option(each.method, k, false, each === plan)));
    choose.addEventListener('change', () => {
      state.shown[panel.index] = Number(choose.value);
      state.pinned = state.hovered = null;
      rebuild();
    });
    name = element('h2', {}, choose);
  }
  panel.head.replaceChildren(element('div', { class: 'plan-name' }, name, element('p', {}, spreadOf(plan))),
    totalOf(plan, panel.index > 0 ? plans[state.shown[0]] : null));
  panel.canvas.setAttribute('aria-label',
    `Map of ${data.city}, ${plan.method}, ${spreadOf(plan)}. Arrow keys move, plus and minus zoom, n and p go through the districts.`);
  const entries = [[
    '<path d="M11 0l6 6l-6 6l-6-6z" fill="currentColor"/>', 'Depot']];
  if (state.tours && plan.hasTours)
    entries.push(['<path d="M0 6h22" stroke="var(--tour)" stroke-width="1.8"/>', 'Tours of one scenario'],
      ['<path d="M0 6h22" stroke="var(--tour)" stroke-width="1.4" stroke-dasharray="3 3.3" opacity=".7"/>', 'Legs to the depot']);
  else
    entries.push(['<path d="M0 6h22" stroke="currentColor" stroke-width="2.2"/>', 'District border']);
  if (state.unitBorders && !(state.tours && plan.hasTours))
    entries.push(['<path d="M0 6h22" stroke="currentColor" stroke-width=".8" opacity=".6"/>', 'Unit border']);
  panel.legend.replaceChildren(...entries.map(([mark, text]) => element('span', {}, icon(mark, '0 0 22 12'), text)));
}

function fillDifferenceHead(panel) {
  const first = plans[state.shown[0]], second = plans[state.shown[1]], found = difference(first, second);
  const text = `${whole.format(found.changedUnits)} of ${whole.format(units.length)} units share their district with other neighbours`;
  panel.head.replaceChildren(
    element('div', { class: 'plan-name' }, element('h2', {}, `${first.method} and ${second.method}`), element('p', {}, text)),
    totalOf(second, first));
  panel.canvas.setAttribute('aria-label', `Map of ${data.city}: ${first.method} and ${second.method} compared. ${text}.`);
  const line = (colour) => `<path d="M0 6h22" stroke="${colour}" stroke-width="3"/>`;
  const entries = [[line('currentColor'), 'Border in both'], [line('var(--first)'), `Only ${first.method}`],
    [line('var(--second)'), `Only ${second.method}`],
    ['<path d="M0 0h11v12H0z" fill="var(--some)"/><path d="M11 0h11v12H11z" fill="var(--most)"/>', 'Some, most neighbours changed']];
  panel.legend.replaceChildren(...entries.map(([mark, words]) => element('span', {}, icon(mark, '0 0 22 12'), words)));
}

function tableOf(plan) {
  const has = (key) => plan.districts.some((district) => district[key] !== null);
  const columns = [['District', null], ['Units', null], ['Population', null]];
  if (has('customers')) columns.push(['Customers', null]);
  if (has('cost')) columns.push(['Cost, km', null]);
  if (has('cost') && plan.total) columns.push(['Share', 'share']);
  const dearest = Math.max(...plan.districts.map((district) => district.cost || 0));
  const all = [];
  const body = element('tbody');
  for (const d of plan.byCost) {
    const district = plan.districts[d];
    const toggle = () => {
      const again = state.pinned && state.pinned.plan === plan && state.pinned.district === d;
      state.pinned = again ? null : { plan, district: d };
      setHovered(again ? null : { plan, district: d });
      speak();
    };
    const button = element('button', { type: 'button', 'aria-pressed': 'false', 'aria-label': `District ${d + 1} on the map` },
      swatch(plan, d), String(d + 1));
    button.addEventListener('focus', () => { if (button.matches(':focus-visible')) setHovered({ plan, district: d }); });
    button.addEventListener('blur', () => setHovered(null));
    const bad = warningOf(plan, d);
    const row = element('tr', {
      onclick: toggle,
      onpointerenter: (event) => { if (event.pointerType === 'mouse') setHovered({ plan, district: d }); },
      onpointerleave: (event) => { if (event.pointerType === 'mouse') setHovered(null); },
    }, element('td', {}, button),
    element('td', bad ? { class: 'outside', title: bad } : {}, (bad ? '! ' : '') + district.units.length),
    element('td', {}, whole.format(district.population)));
    if (has('customers')) row.append(element('td', {}, district.customers === null ? '–' : tenth.format(district.customers)));
    if (has('cost')) {
      const cell = element('td', { class: 'cost' }, district.cost === null ? '–' : tenth.format(district.cost));
      const bar = element('i', { 'aria-hidden': 'true' });
      bar.style.width = `calc(${dearest > 0 ? (100 * (district.cost || 0) / dearest).toFixed(1) : 0}% - 16px)`;
      cell.append(bar);
      row.append(cell);
    }
    if (has('cost') && plan.total) row.append(element('td', { class: 'share' }, district.cost === null ? '–' : percent(district.cost / plan.total)));
    all[d] = row;
    body.append(row);
  }
  rows.set(plan, all);
  const head = element('thead', {}, element('tr', {}, ...columns.map(([text, kind]) => element('th', { scope: 'col', class: kind || '' }, text))));
  const title = element('h2', {}, plan.method, element('small', {}, has('cost') ? 'districts by cost' : 'districts'));
  return element('section', { class: 'card', 'aria-label': `Districts of ${plan.method}` }, title,
    element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Table of districts of ${plan.method}` },
      element('table', {}, head, body)));
}

function paint() {
  const theme = THEMES[themeName()], style = document.documentElement.style;
  style.setProperty('--tour', theme.tour);
  style.setProperty('--first', theme.first);
  style.setProperty('--second', theme.second);
  style.setProperty('--some', theme.shades[1]);
  style.setProperty('--most', theme.shades[4]);
  for (const [made, colour] of painted) if (made.deref()) made.deref().style.background = data.fills[themeName()][colour];
  for (const panel of panels) panel.draw();
}

function rebuild() {
  document.body.classList.toggle('one', plans.length === 1);
  document.body.classList.toggle('difference', state.difference);
  for (const panel of panels) {
    panel.card.hidden = (panel.index < 0) !== state.difference;
    if (panel.index >= 0) fillHead(panel);
    else if (state.difference) fillDifferenceHead(panel);
  }
  byId('tours').hidden = state.difference || !plans.some((plan) => plan.hasTours);
  byId('tours').setAttribute('aria-pressed', String(state.tours));
  byId('units').setAttribute('aria-pressed', String(state.unitBorders));
  byId('mode-plans').setAttribute('aria-pressed', String(!state.difference));
  byId('mode-difference').setAttribute('aria-pressed', String(state.difference));
  rows.clear();
  byId('tables').replaceChildren(...state.shown.map((plan) => tableOf(plans[plan])));
  for (const panel of panels) panel.resize();
  refresh();
}

// ---- Start

byId('facts').textContent = `${whole.format(units.length)} units, ` +
  `${whole.format(units.reduce((sum, unit) => sum + unit.population, 0))} inhabitants. ` +
  `Districts of ${limits} units, target ${data.target}.`;
byId('modes').hidden = plans.length < 2;
const set = (id, change) => byId(id).addEventListener('click', () => { change(); rebuild(); });
const setDifference = (on) => {
  if (state.difference !== on) state.pinned = state.hovered = null;
  state.difference = on;
};
set('mode-plans', () => setDifference(false));
set('mode-difference', () => setDifference(true));
set('tours', () => { state.tours = !state.tours; });
set('units', () => { state.unitBorders = !state.unitBorders; });
state.shown.forEach((_, index) => new Panel(index));
if (plans.length > 1) new Panel(-1);
byId('maps').replaceChildren(...panels.map((panel) => panel.card));
dark.addEventListener('change', paint);
window.addEventListener('beforeprint', () => { printing = true; paint(); });
window.addEventListener('afterprint', () => { printing = false; paint(); });
rebuild();
paint();
showAll();

// For tests and the curious: where things are, without a way to change them.
window.districtingMap = Object.freeze({
  view: () => ({ ...view }),
  frames: () => frames,
  lit: () => lit() && { plan: plans.indexOf(lit().plan), district: lit().district },
  labelOnPage: (panel, district) => {
    const box = panels[panel].canvas.getBoundingClientRect();
    const [x, y] = panels[panel].toScreen(...panels[panel].plan().districts[district].label);
    return { x: box.left + x, y: box.top + y };
  },
  fillAtLabel: (panel, district) => data.fills[themeName()][panels[panel].plan().districts[district].colour],
  timeToDraw: (times) => {
    const begin = performance.now();
    for (let i = 0; i < times; ++i)
      for (const panel of panels) {
        panel.baseKey = '';
        panel.draw();
        if (panel.isVisible()) panel.canvas.getContext('2d').getImageData(0, 0, 1, 1);  // waits until it is drawn
      }
    return (performance.now() - begin) / times;
  },
});
