// One map on its canvas: where things are, and how they are drawn.

// Every map of the page; all are drawn together, once per frame of the screen.
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

class MapPicture {
  constructor(index, canvas) {
    this.index = index;  // of state.shown; -1: the difference
    this.canvas = canvas;
    this.width = this.height = 0;  // CSS pixels
    this.ratio = 1;                // of the screen's pixels to them
  }

  plan() { return plans[state.shown[Math.max(0, this.index)]]; }

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

  // Rings that were simplified one by one leave slits between units; where they show, they are painted over this wide.
  slit() {
    const pixels = 0.025 * unitSize * this.scale();
    return pixels > 0.6 ? pixels : 0;
  }

  drawPlan(pen, theme, stroke) {
    const plan = this.plan(), paths = plan.paths(), fills = data.fills[themeName()], weight = lineWeight();
    paths.fills.forEach((path, colour) => {
      pen.fillStyle = fills[colour];
      pen.fill(path);
    });
    const slit = this.slit();
    if (slit > 0) paths.seams.forEach((path, colour) => stroke(path, fills[colour], slit));
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
    if (this.slit() > 0) stroke(thin, pen.fillStyle, this.slit());
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
}
