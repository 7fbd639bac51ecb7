// What the page shows at the moment, in which colours and in which words.
//
// All maps share one view (centre and zoom). What is under the pointer, chosen in a table or reached by keys is the one
// `lit` district of one plan.
const byId = (id) => document.getElementById(id);

const state = {
  shown: plans.length > 1 ? [0, 1] : [0],  // plan of each panel
  difference: false,
  tours: plans.some((plan) => plan.hasTours),
  unitBorders: true,
  pinned: null,  // {plan, district}
  hovered: null,
};
const view = { x: (frame.left + frame.right) / 2, y: (frame.low + frame.high) / 2, zoom: 1 };
const lit = () => state.hovered || state.pinned;

const dark = window.matchMedia('(prefers-color-scheme: dark)');
let printing = false;
const THEMES = {
  light: {
    ground: '#ffffff', ink: '#1c2024', halo: '#ffffff', thin: 'rgba(28,32,36,0.26)', tour: '#6d1238', leg: 'rgba(109,18,56,0.38)',
    veil: 'rgba(255,255,255,0.5)', faint: '#596068', first: '#c2410c', second: '#0b5fa5',
    shades: ['#f4f2ec', '#f3e3b9', '#eccd87', '#e3b45a', '#d79a33'],
  },
  dark: {
    ground: '#161a1f', ink: '#f2f4f6', halo: '#0b0d10', thin: 'rgba(240,244,248,0.24)', tour: '#ffe3b0', leg: 'rgba(255,227,176,0.42)',
    veil: 'rgba(14,17,20,0.55)', faint: '#a2a9b1', first: '#ff9f6b', second: '#7cc0ff',
    shades: ['#232930', '#453f2c', '#63552c', '#84692b', '#a88130'],
  },
};
const themeName = () => (dark.matches && !printing ? 'dark' : 'light');

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const hundredth = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'exceptZero' });
const kilometres = (cost) => `${tenth.format(cost)}\u202fkm`;
const percent = (share) => `${tenth.format(100 * share)}\u202f%`;
const limits = `${data.smallest}–${data.largest}`;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'class') made.className = value;
    else if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// Icons are fixed markup of this file; nothing from the data goes through here.
function icon(markup, box = '0 0 18 18') {
  const holder = document.createElement('span');
  holder.innerHTML = `<svg viewBox="${box}" aria-hidden="true" focusable="false">${markup}</svg>`;
  return holder.firstChild;
}

function factsOf(plan, d) {
  const district = plan.districts[d];
  const facts = [['Units', `${district.units.length} (limits ${limits})`], ['Population', whole.format(district.population)]];
  if (district.customers !== null) facts.push(['Customers, mean', tenth.format(district.customers)]);
  if (district.cost !== null) facts.push(['Cost', kilometres(district.cost)]);
  if (district.cost !== null && plan.total) facts.push(['Share of total', percent(district.cost / plan.total)]);
  return facts;
}

function warningOf(plan, d) {
  const district = plan.districts[d];
  if (!district.connected) return 'Its units do not hang together.';
  if (!district.sizeAllowed) return `Its size is outside ${limits}.`;
  return '';
}
