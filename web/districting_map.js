// The map page: districts of one or two plans on canvases that move together, and tables that light up with them.
//
// Positions are whole steps of `data.step` km, x east and y north. All panels share one view (centre and zoom);
// what is under the pointer, chosen in a table or reached by keys is the one `lit` district of one plan.
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);

  // ---- Geometry -------------------------------------------------------------------------------------------

  // Lines come as a start and the way from point to point.
  function decoded(list, from) {
    const line = new Int32Array(list.length - from);
    for (let i = from, x = 0, y = 0; i < list.length; i += 2) {
      line[i - from] = x += list[i];
      line[i - from + 1] = y += list[i + 1];
    }
    return line;
  }

  function addLine(path, line, close) {
    path.moveTo(line[0], line[1]);
    for (let i = 2; i < line.length; i += 2) path.lineTo(line[i], line[i + 1]);
    if (close) path.closePath();
  }

  function emptyBox() { return { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity }; }
  function growBox(box, line) {
    for (let i = 0; i < line.length; i += 2) {
      box.left = Math.min(box.left, line[i]);
      box.right = Math.max(box.right, line[i]);
      box.low = Math.min(box.low, line[i + 1]);
      box.high = Math.max(box.high, line[i + 1]);
    }
    return box;
  }

  // Rings of one turning direction, so that fills of overlapping rings never cancel.
  function turned(line) {
    let twice = 0;
    for (let i = 0, j = line.length - 2; i < line.length; j = i, i += 2)
      twice += line[j] * line[i + 1] - line[i] * line[j + 1];
    if (twice >= 0) return line;
    const other = new Int32Array(line.length);
    for (let i = 0; i < line.length; i += 2) {
      other[i] = line[line.length - 2 - i];
      other[i + 1] = line[line.length - 1 - i];
    }
    return other;
  }

  const units = data.units.map((unit) => {
    const rings = unit.rings.map((ring) => turned(decoded(ring, 0)));
    return { population: unit.population, area: unit.area, rings, box: rings.reduce(growBox, emptyBox()) };
  });
  const borders = data.borders.map((entry) => ({ unit: entry[0], across: entry[1], line: decoded(entry, 2) }));
  const frame = units.reduce((box, unit) => {
    for (const ring of unit.rings) growBox(box, ring);
    return box;
  }, growBox(emptyBox(), data.depot));

  function insideRing(ring, x, y) {
    let inside = false;
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      if ((ring[i + 1] > y) !== (ring[j + 1] > y) &&
          x < (ring[j] - ring[i]) * (y - ring[i + 1]) / (ring[j + 1] - ring[i + 1]) + ring[i])
        inside = !inside;
    }
    return inside;
  }

  function unitAt(x, y) {
    for (let u = 0; u < units.length; ++u) {
      const { box, rings } = units[u];
      if (x < box.left || x > box.right || y < box.low || y > box.high) continue;
      if (rings.some((ring) => insideRing(ring, x, y))) return u;
    }
    return -1;
  }

  // ---- Plans ----------------------------------------------------------------------------------------------

  class Plan {
    constructor(given) {
      this.method = given.method;
      this.total = given.total;
      this.districtOf = new Int32Array(units.length);
      this.outlines = new Map();
      this.districts = given.districts.map((district, number) => {
        let population = 0, area = 0;
        for (const unit of district.units) {
          this.districtOf[unit] = number;
          population += units[unit].population;
          area += units[unit].area;
        }
        const tour = district.tour ? decoded(district.tour, 0) : null;
        return { ...district, tour, population, area };
      });
      this.byCost = this.districts.map((_, d) => d);
      if (this.districts.every((district) => district.cost !== null))
        this.byCost.sort((a, b) => this.districts[b].cost - this.districts[a].cost || a - b);
      this.hasTours = this.districts.some((district) => district.tour);
    }

    // Paths are made when a plan is first shown.
    paths() {
      if (this.made) return this.made;
      const fills = data.fills.light.map(() => new Path2D());
      units.forEach((unit, u) => {
        const fill = fills[this.districts[this.districtOf[u]].colour];
        for (const ring of unit.rings) addLine(fill, ring, true);
      });
      const thin = new Path2D(), thick = new Path2D(), tours = new Path2D(), legs = new Path2D();
      for (const border of borders)
        addLine(this.divides(border) ? thick : thin, border.line, false);
      for (const district of this.districts) {
        if (!district.tour) continue;
        addTour(tours, legs, district.tour);
      }
      return this.made = { fills, thin, thick, tours, legs };
    }

    divides(border) {
      return border.across < 0 || this.districtOf[border.unit] !== this.districtOf[border.across];
    }

    outline(district) {
      let path = this.outlines.get(district);
      if (path) return path;
      path = new Path2D();
      for (const border of borders) {
        const here = this.districtOf[border.unit] === district;
        const there = border.across >= 0 && this.districtOf[border.across] === district;
        if (here !== there) addLine(path, border.line, false);
      }
      this.outlines.set(district, path);
      return path;
    }
  }

  function addTour(tours, legs, line) {
    addLine(tours, line, false);
    addLine(legs, [data.depot[0], data.depot[1], line[0], line[1]], false);
    addLine(legs, [line[line.length - 2], line[line.length - 1], data.depot[0], data.depot[1]], false);
  }

  const plans = data.plans.map((plan) => new Plan(plan));

  // Two plans held against each other: borders of both, of the first alone, of the second alone; and for every
  // unit the share of its neighbours that it is together with in one plan and not in the other.
  let lastDifference = null;
  function difference(first, second) {
    if (lastDifference && lastDifference.first === first && lastDifference.second === second) return lastDifference;
    const changed = new Float64Array(units.length), degree = new Float64Array(units.length);
    for (let i = 0; i < data.adjacent.length; i += 2) {
      const a = data.adjacent[i], b = data.adjacent[i + 1];
      const differs = (first.districtOf[a] === first.districtOf[b]) !== (second.districtOf[a] === second.districtOf[b]);
      for (const unit of [a, b]) {
        degree[unit] += 1;
        changed[unit] += differs;
      }
    }
    const shades = [0, 1, 2, 3, 4].map(() => new Path2D());
    let changedUnits = 0;
    units.forEach((unit, u) => {
      changedUnits += changed[u] > 0;
      const shade = changed[u] === 0 ? 0 : Math.min(4, 1 + Math.floor(4 * changed[u] / degree[u]));
      for (const ring of unit.rings) addLine(shades[shade], ring, true);
    });
    const both = new Path2D(), onlyFirst = new Path2D(), onlySecond = new Path2D(), thin = new Path2D();
    for (const border of borders) {
      const one = first.divides(border), two = second.divides(border);
      addLine(one && two ? both : one ? onlyFirst : two ? onlySecond : thin, border.line, false);
    }
    return lastDifference = { first, second, shades, both, onlyFirst, onlySecond, thin, changed, degree, changedUnits };
  }

  // ---- Words and figures ----------------------------------------------------------------------------------

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

  // ---- State ----------------------------------------------------------------------------------------------

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

  // ---- Panels ---------------------------------------------------------------------------------------------

  const panels = [];
  let frames = 0, asked = false;
  function redraw() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      frames += 1;
      for (const panel of panels) panel.draw();
    });
  }

  // Lines grow a little with the zoom.
  const lineWeight = () => Math.min(1.6, 0.85 + 0.16 * Math.log2(Math.max(1, view.zoom)));

  // The map counts as moving until it has rested for a moment.
  const SMOOTH = 20, REST = 120;  // milliseconds
  let moving = 0;
  function keepMoving() {
    clearTimeout(moving);
    moving = setTimeout(() => { moving = 0; redraw(); }, REST);
  }

  class Panel {
    constructor(index) {
      this.index = index;  // of state.shown; -1: the difference
      this.canvas = element('canvas', { tabindex: '0', role: 'application', 'aria-roledescription': 'map' });
      this.tip = element('div', { class: 'tip', hidden: '' });
      const button = (label, act, markup) =>
        element('button', { type: 'button', 'aria-label': label, title: label, onclick: act }, icon(markup));
      this.map = element('div', { class: 'map' }, this.canvas, this.tip);
      const zoom = element('div', { class: 'zoom', role: 'group', 'aria-label': 'Zoom' },
        button('Zoom out', () => this.zoomAt(1 / 1.6), '<path d="M3 9h12"/>'),
        button('Zoom in', () => this.zoomAt(1.6), '<path d="M9 3v12M3 9h12"/>'),
        button('Show all', () => showAll(), '<path d="M3 7V3h4M11 3h4v4M15 11v4h-4M7 15H3v-4"/>'));
      this.head = element('div', { class: 'plan-head' });
      this.legend = element('figcaption', { class: 'legend' });
      this.card = element('figure', { class: 'card' }, this.head, this.map,
        element('div', { class: 'foot' }, this.legend, zoom));
      this.width = this.height = 0;
      this.pointers = new Map();
      new ResizeObserver(() => this.resize()).observe(this.map);
      this.listen();
      panels.push(this);
    }

    plan() { return plans[state.shown[Math.max(0, this.index)]]; }
    isVisible() { return this.width > 0 && !this.card.hidden; }

    resize() {
      this.width = this.map.clientWidth;
      this.height = this.map.clientHeight;
      this.ratio = Math.min(window.devicePixelRatio || 1, 3);
      this.canvas.width = Math.round(this.width * this.ratio);
      this.canvas.height = Math.round(this.height * this.ratio);
      if (this.width > 0) this.draw();  // at once: an emptied canvas would flash
    }

    // CSS pixels per step.
    scale() {
      const wide = Math.max(this.width - 32, 1), high = Math.max(this.height - 56, 1);  // room for the scale
      return view.zoom * Math.min(wide / Math.max(frame.right - frame.left, 1), high / Math.max(frame.high - frame.low, 1));
    }
    toScreen(x, y) {
      const scale = this.scale();
      return [this.width / 2 + (x - view.x) * scale, this.height / 2 - (y - view.y) * scale];
    }
    toMap(px, py) {
      const scale = this.scale();
      return [view.x + (px - this.width / 2) / scale, view.y - (py - this.height / 2) / scale];
    }

    // ---- Drawing

    // What stays while the pointer moves lies ready as a picture of its own, the base; what is lit goes on top. While
    // the map moves and drawing the base takes long, the old picture is moved instead.
    draw() {
      if (!this.isVisible()) return;
      const theme = THEMES[themeName()], pen = this.canvas.getContext('2d');
      const key = [view.x, view.y, view.zoom, this.canvas.width, this.canvas.height, themeName(), state.tours,
        state.unitBorders, ...state.shown].join();
      const stale = this.baseKey !== key;
      const lazy = stale && moving && this.baseTime > SMOOTH && this.baseView;
      if (stale && !lazy) this.drawBase(theme, key);
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.fillStyle = theme.ground;
      pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
      if (lazy) this.placeOldBase(pen);
      else pen.drawImage(this.base, 0, 0);
      const stroke = this.useMapUnits(pen);
      this.drawLit(pen, theme, stroke);
      pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      this.drawDepot(pen, theme);
      this.drawScale(pen, theme);
    }

    drawBase(theme, key) {
      const begin = performance.now();
      this.base = this.base || document.createElement('canvas');
      this.base.width = this.canvas.width;
      this.base.height = this.canvas.height;
      const pen = this.base.getContext('2d');
      const stroke = this.useMapUnits(pen);
      if (this.index < 0) this.drawDifference(pen, theme, stroke);
      else this.drawPlan(pen, theme, stroke);
      this.baseKey = key;
      this.baseView = { ...view, scale: this.scale() };
      this.baseTime = performance.now() - begin;
    }

    placeOldBase(pen) {
      const old = this.baseView, factor = this.scale() / old.scale;
      const [x, y] = this.toScreen(old.x, old.y);
      pen.setTransform(factor, 0, 0, factor, x * this.ratio - factor * this.canvas.width / 2,
        y * this.ratio - factor * this.canvas.height / 2);
      pen.drawImage(this.base, 0, 0);
    }

    // From here on the pen draws in steps of the map; the function returned strokes in pixels.
    useMapUnits(pen) {
      const scale = this.scale() * this.ratio;
      pen.setTransform(scale, 0, 0, -scale, this.canvas.width / 2 - view.x * scale, this.canvas.height / 2 + view.y * scale);
      return (path, style, pixels, dash = []) => {
        pen.lineJoin = pixels < 1.2 ? 'bevel' : 'round';  // nobody sees the corners of thin lines
        pen.lineCap = pixels < 1.2 ? 'butt' : 'round';
        pen.strokeStyle = style;
        pen.lineWidth = pixels * this.ratio / scale;
        pen.setLineDash(dash.map((length) => length * this.ratio / scale));
        pen.stroke(path);
      };
    }

    drawPlan(pen, theme, stroke) {
      const plan = this.plan(), paths = plan.paths(), fills = data.fills[themeName()], weight = lineWeight();
      paths.fills.forEach((path, colour) => {
        pen.fillStyle = fills[colour];
        pen.fill(path);
      });
      if (state.unitBorders) stroke(paths.thin, theme.thin, 0.6 * weight);
      stroke(paths.thick, theme.ink, 1.6 * weight);
      if (state.tours && plan.hasTours) {
        stroke(paths.legs, theme.leg, 0.8 * weight, [3, 4]);
        stroke(paths.tours, theme.tour, 0.95 * weight);
        this.drawStops(pen, theme, plan.districts);
      }
      this.drawLabels(pen, theme, plan, plan.districts.keys());
    }

    drawLit(pen, theme, stroke) {
      const chosen = lit();
      if (!chosen) return;
      const { plan, district } = chosen, outline = plan.outline(district);
      if (this.index < 0) {
        stroke(outline, theme.halo, 6.5);
        stroke(outline, plan === plans[state.shown[0]] ? theme.first : theme.second, 3.6);
      } else if (plan === this.plan()) {
        this.drawOneDistrict(pen, theme, stroke, plan, district);
      } else {
        stroke(outline, theme.halo, 5.5);
        stroke(outline, theme.ink, 2.6, [7, 6]);
      }
    }

    // Everything else steps back.
    drawOneDistrict(pen, theme, stroke, plan, number) {
      const district = plan.districts[number], area = new Path2D(), thin = new Path2D();
      pen.save();
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.fillStyle = theme.veil;
      pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
      pen.restore();
      for (const unit of district.units)
        for (const ring of units[unit].rings) addLine(area, ring, true);
      for (const border of borders)
        if (!plan.divides(border) && plan.districtOf[border.unit] === number) addLine(thin, border.line, false);
      pen.fillStyle = data.fills[themeName()][district.colour];
      pen.fill(area);
      if (state.unitBorders) stroke(thin, theme.thin, 0.6 * lineWeight());
      stroke(plan.outline(number), theme.halo, 6.5);
      stroke(plan.outline(number), theme.ink, 3.2);
      if (state.tours && district.tour) {
        const tour = new Path2D(), legs = new Path2D();
        addTour(tour, legs, district.tour);
        stroke(legs, theme.tour, 1.4, [4, 4]);
        stroke(tour, theme.tour, 1.9);
        this.drawStops(pen, theme, [district]);
      }
      this.drawLabels(pen, theme, plan, [number], true);
    }

    // Customers as dots, once there is room between them.
    drawStops(pen, theme, districts) {
      const dots = new Path2D(), scale = this.scale();
      for (const district of districts) {
        if (!district.tour) continue;
        const between = Math.sqrt(district.area) / data.step * scale / Math.sqrt(district.tour.length / 2);
        if (between < 14) continue;
        const radius = 2.1 / scale;
        for (let i = 0; i < district.tour.length; i += 2) {
          dots.moveTo(district.tour[i] + radius, district.tour[i + 1]);
          dots.arc(district.tour[i], district.tour[i + 1], radius, 0, 2 * Math.PI);
        }
      }
      pen.fillStyle = theme.tour;
      pen.fill(dots);
    }

    drawLabels(pen, theme, plan, numbers, always = false) {
      const scale = this.scale();
      pen.save();
      pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      pen.setLineDash([]);
      pen.textAlign = 'center';
      pen.textBaseline = 'middle';
      pen.lineWidth = 3.5;
      pen.strokeStyle = theme.halo;
      pen.fillStyle = theme.ink;
      for (const d of numbers) {
        const { area, label } = plan.districts[d], room = Math.sqrt(area) / data.step * scale;
        if (room < 30 && !always) continue;
        const [x, y] = this.toScreen(label[0], label[1]);
        if (x < -20 || y < -20 || x > this.width + 20 || y > this.height + 20) continue;
        pen.font = `640 ${always ? 15 : Math.min(15, 8 + room / 12)}px system-ui, "DejaVu Sans", sans-serif`;
        pen.strokeText(d + 1, x, y);
        pen.fillText(d + 1, x, y);
      }
      pen.restore();
    }

    drawDifference(pen, theme, stroke) {
      const found = difference(plans[state.shown[0]], plans[state.shown[1]]), weight = lineWeight();
      found.shades.forEach((path, k) => {
        pen.fillStyle = theme.shades[k];
        pen.fill(path);
      });
      if (state.unitBorders) stroke(found.thin, theme.thin, 0.6 * weight);
      stroke(found.both, theme.ink, 1.6 * weight);
      stroke(found.onlyFirst, theme.first, 2.4 * weight);
      stroke(found.onlySecond, theme.second, 2.4 * weight);
    }

    drawDepot(pen, theme) {
      const [x, y] = this.toScreen(data.depot[0], data.depot[1]), r = 8;
      pen.setLineDash([]);
      pen.beginPath();
      pen.moveTo(x, y - r);
      pen.lineTo(x + r, y);
      pen.lineTo(x, y + r);
      pen.lineTo(x - r, y);
      pen.closePath();
      pen.lineWidth = 4;
      pen.strokeStyle = theme.halo;
      pen.stroke();
      pen.fillStyle = theme.ink;
      pen.fill();
      pen.beginPath();
      pen.arc(x, y, 2.3, 0, 2 * Math.PI);
      pen.fillStyle = theme.halo;
      pen.fill();
    }

    drawScale(pen, theme) {
      const wanted = 90 / this.scale() * data.step, ten = 10 ** Math.floor(Math.log10(wanted));
      const length = wanted >= 5 * ten ? 5 * ten : wanted >= 2 * ten ? 2 * ten : ten;
      const pixels = length / data.step * this.scale(), x = 14, y = this.height - 14;
      const text = length >= 1 ? `${length} km` : `${Math.round(length * 1000)} m`;
      pen.font = '500 12px system-ui, "DejaVu Sans", sans-serif';
      pen.textAlign = 'left';
      pen.textBaseline = 'alphabetic';
      for (const [style, width] of [[theme.ground, 5], [theme.faint, 1.5]]) {
        pen.strokeStyle = style;
        pen.lineWidth = width;
        pen.beginPath();
        pen.moveTo(x, y - 5);
        pen.lineTo(x, y);
        pen.lineTo(x + pixels, y);
        pen.lineTo(x + pixels, y - 5);
        pen.stroke();
      }
      pen.lineWidth = 4;
      pen.strokeStyle = theme.ground;
      pen.strokeText(text, x + pixels + 8, y);
      pen.fillStyle = theme.faint;
      pen.fillText(text, x + pixels + 8, y);
    }

    // ---- Moving and pointing

    zoomAt(factor, px = this.width / 2, py = this.height / 2) {
      const [x, y] = this.toMap(px, py);
      view.zoom = Math.min(64, Math.max(1, view.zoom * factor));
      const scale = this.scale();
      moveTo(x - (px - this.width / 2) / scale, y + (py - this.height / 2) / scale);
    }

    moveBy(dx, dy) {
      const scale = this.scale();
      moveTo(view.x - dx / scale, view.y + dy / scale);
    }

    place(event) {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    }

    // The district under a place; in the difference, that of the first plan.
    pointAt(px, py) {
      const unit = unitAt(...this.toMap(px, py));
      return unit < 0 ? null : { plan: this.plan(), district: this.plan().districtOf[unit], unit, panel: this, px, py };
    }

    listen() {
      const canvas = this.canvas;
      canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        const pixels = event.deltaY * (event.deltaMode === 1 ? 18 : 1);
        this.zoomAt(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0016)), ...this.place(event));
      }, { passive: false });
      canvas.addEventListener('pointerdown', (event) => {
        if (event.pointerType === 'mouse' && event.button !== 0) return;
        canvas.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, this.place(event));
        this.travelled = this.pointers.size > 1 ? Infinity : 0;
      });
      canvas.addEventListener('pointermove', (event) => {
        if (this.pointers.has(event.pointerId)) this.drag(event);
        else if (event.pointerType === 'mouse') setHovered(this.pointAt(...this.place(event)));
      });
      const release = (event) => {
        if (!this.pointers.delete(event.pointerId)) return;
        if (this.pointers.size === 0) canvas.classList.remove('dragging');
        if (event.type !== 'pointerup' || this.travelled > 6) return;
        const found = this.pointAt(...this.place(event));
        const again = found && state.pinned && found.plan === state.pinned.plan && found.district === state.pinned.district;
        if (found && event.pointerType !== 'mouse') found.touched = true;
        state.pinned = again ? null : found;
        setHovered(event.pointerType === 'mouse' ? found : null);
        if (event.pointerType !== 'mouse') speak();
      };
      canvas.addEventListener('pointerup', release);
      canvas.addEventListener('pointercancel', release);
      canvas.addEventListener('pointerleave', (event) => {
        if (event.pointerType === 'mouse') setHovered(null);
      });
      canvas.addEventListener('dblclick', (event) => this.zoomAt(2, ...this.place(event)));
      canvas.addEventListener('keydown', (event) => this.key(event));
    }

    drag(event) {
      const [x, y] = this.place(event), [fromX, fromY] = this.pointers.get(event.pointerId);
      this.travelled += Math.hypot(x - fromX, y - fromY);
      if (this.pointers.size === 1) {
        this.pointers.set(event.pointerId, [x, y]);
        if (this.travelled <= 6) return;
        this.canvas.classList.add('dragging');
        state.hovered = null;
        this.moveBy(x - fromX, y - fromY);
        refresh();
      } else if (this.pointers.size === 2) {
        const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
        const before = Math.hypot(fromX - other[0], fromY - other[1]), after = Math.hypot(x - other[0], y - other[1]);
        this.pointers.set(event.pointerId, [x, y]);
        this.moveBy((x - fromX) / 2, (y - fromY) / 2);
        if (before > 0 && after > 0) this.zoomAt(after / before, (x + other[0]) / 2, (y + other[1]) / 2);
      }
    }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const far = 60;
      const acts = {
        ArrowLeft: () => this.moveBy(far, 0), ArrowRight: () => this.moveBy(-far, 0),
        ArrowUp: () => this.moveBy(0, far), ArrowDown: () => this.moveBy(0, -far),
        '+': () => this.zoomAt(1.4), '=': () => this.zoomAt(1.4), '-': () => this.zoomAt(1 / 1.4),
        0: () => showAll(), n: () => this.next(1), p: () => this.next(-1),
        Escape: () => { state.pinned = null; setHovered(null); },
      };
      const act = acts[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    }

    next(step) {
      const plan = this.plan(), order = plan.byCost;
      const now = state.pinned && state.pinned.plan === plan ? order.indexOf(state.pinned.district) : step > 0 ? -1 : 0;
      state.pinned = { plan, district: order[(now + step + order.length) % order.length] };
      setHovered(null);
      speak();
    }

    // ---- The note beside the pointer

    updateTip() {
      const chosen = lit();
      const mine = chosen && (chosen.panel ? chosen.panel === this : chosen.plan === this.plan() && this.index >= 0);
      this.tip.hidden = !mine || !this.isVisible();
      if (this.tip.hidden) return;
      const { plan, district } = chosen;
      const title = element('h3', {}, swatch(plan, district), `District ${district + 1}`);
      const list = element('dl');
      const add = (facts) => {
        for (const [name, value] of facts) list.append(element('dt', {}, name), element('dd', {}, value));
      };
      if (this.index < 0) {
        title.replaceChildren(`Unit ${chosen.unit}`);
        const found = difference(plans[state.shown[0]], plans[state.shown[1]]);
        add([['Population', whole.format(units[chosen.unit].population)],
          ['Changed neighbours', `${found.changed[chosen.unit]} of ${found.degree[chosen.unit]}`]]);
        for (const each of [found.first, found.second]) {
          const number = each.districtOf[chosen.unit], cost = each.districts[number].cost;
          add([[each.method, `District ${number + 1}${cost === null ? '' : `, ${kilometres(cost)}`}`]]);
        }
      } else {
        add(factsOf(plan, district));
      }
      this.tip.replaceChildren(title, list);
      const warning = this.index < 0 ? '' : warningOf(plan, district);
      if (warning) this.tip.append(element('p', { class: 'warning' }, warning));
      const label = plan.districts[district].label;
      const [x, y] = chosen.panel ? [chosen.px, chosen.py] : this.toScreen(label[0], label[1]);
      const { offsetWidth: wide, offsetHeight: high } = this.tip;
      const rightmost = Math.max(6, this.width - wide - 6), lowest = Math.max(6, this.height - high - 6);
      let left = x + 18 <= rightmost ? x + 18 : x - 18 - wide, top = y - high - 14;
      if (chosen.touched) {  // in the corner that the finger is farthest from
        left = x > this.width / 2 ? 6 : rightmost;
        top = y > this.height / 2 ? 6 : lowest;
      }
      left = Math.min(Math.max(6, left), rightmost);
      top = Math.min(Math.max(6, top), lowest);
      this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    }
  }

  function moveTo(x, y) {
    view.x = Math.min(frame.right, Math.max(frame.left, x));
    view.y = Math.min(frame.high, Math.max(frame.low, y));
    if (view.zoom === 1) {  // all is in view: nowhere to move to
      view.x = (frame.left + frame.right) / 2;
      view.y = (frame.low + frame.high) / 2;
    }
    // A finger scrolls the page while all of the map is in view, and moves the map once it is not.
    for (const panel of panels) panel.canvas.style.touchAction = view.zoom === 1 ? 'pan-y' : 'none';
    if (state.pinned) delete state.pinned.panel;  // its note goes with the district from now on
    for (const panel of panels) panel.updateTip();
    keepMoving();
    redraw();
  }

  function showAll() {
    view.zoom = 1;
    moveTo(view.x, view.y);
  }

  // ---- What is lit ----------------------------------------------------------------------------------------

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

  // ---- Around the maps ------------------------------------------------------------------------------------

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

  // ---- Start ----------------------------------------------------------------------------------------------

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
})();
