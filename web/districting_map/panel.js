// A map that people move, zoom and point at, with its heading, legend, buttons and the note beside the pointer.

class Panel extends MapPicture {
  constructor(index) {
    super(index, element('canvas', { tabindex: '0', role: 'application', 'aria-roledescription': 'map' }));
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
    this.pointers = new Map();
    new ResizeObserver(() => this.resize()).observe(this.map);
    this.listen();
    panels.push(this);
  }

  isVisible() { return this.width > 0 && !this.card.hidden; }

  resize() {
    this.width = this.map.clientWidth;
    this.height = this.map.clientHeight;
    this.ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
    if (this.width > 0) this.draw();  // at once: an emptied canvas would flash
  }

  // What was at `from` is at the given place afterwards.
  zoomAt(factor, px = this.width / 2, py = this.height / 2, from = [px, py]) {
    const [x, y] = this.toMap(...from);
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
      const factor = before > 0 && after > 0 ? after / before : 1;
      this.zoomAt(factor, (x + other[0]) / 2, (y + other[1]) / 2, [(fromX + other[0]) / 2, (fromY + other[1]) / 2]);
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

  // The note beside the pointer.
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
