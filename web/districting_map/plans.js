// What the page was given: units, borders and plans, decoded, and what can be asked of them.
//
// Positions are whole steps of `data.step` km, x east and y north.
const data = JSON.parse(document.getElementById('data').textContent);

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

// How large a unit is across, usually.
const unitSize = Math.sqrt(units.map((unit) => unit.area).sort((a, b) => a - b)[units.length >> 1]) / data.step;

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
    const seams = fills.map(() => new Path2D());  // borders within districts, by colour
    const thin = new Path2D(), thick = new Path2D(), tours = new Path2D(), legs = new Path2D();
    for (const border of borders) {
      addLine(this.divides(border) ? thick : thin, border.line, false);
      if (!this.divides(border)) addLine(seams[this.districts[this.districtOf[border.unit]].colour], border.line, false);
    }
    for (const district of this.districts) {
      if (!district.tour) continue;
      addTour(tours, legs, district.tour);
    }
    return this.made = { fills, seams, thin, thick, tours, legs };
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
