"""The map page in a real browser: what `polystepor map` writes, opened, pointed at, moved, at desk and phone size.

    districting_map_test.py PROGRAM PICTURES

Screenshots go to the directory PICTURES. Exit code 77 where Chromium is not installed, unless NEED_CHROMIUM is set.
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from brick_city import BrickCity, write
from chromium import Chromium, find_chromium

SKIPPED = 77
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844, "phone": True}
PROGRAM = PICTURES = None

# The colour of the canvas at a place of the page.
PIXEL = """((x, y) => {
  const canvas = document.elementFromPoint(x, y), box = canvas.getBoundingClientRect();
  const ratio = canvas.width / box.width;
  const [r, g, b] = canvas.getContext('2d').getImageData((x - box.left) * ratio, (y - box.top) * ratio, 1, 1).data;
  return '#' + [r, g, b].map((v) => v.toString(16).padStart(2, '0')).join('');
})"""


class MapPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        folder = Path(place.name)
        small = BrickCity(12, 10, seed=2)
        plans = [small.plan("PolyStepOR", 12, 3), small.plan("DistrictNet", 12, 4)]
        cls.plans = plans
        cls.two = cls.map_of(folder, "two", small.file("Brickton", 12, plans))
        cls.one = cls.map_of(folder, "one", small.file("Brickton", 12, plans[:1]))
        bare = [{"method": "no figures", "districts": [{"units": d["units"]} for d in plans[0]["districts"]]}]
        cls.bare = cls.map_of(folder, "bare", small.file("Brickton", 12, bare))
        large = BrickCity(50, 40)
        cls.large_plans = [large.plan(name, 20, seed) for seed, name in enumerate(("PolyStepOR", "DistrictNet", "Average"))]
        cls.large = cls.map_of(folder, "large", large.file("Bricks & <Co>", 20, cls.large_plans))
        cls.browser = cls.enterClassContext(Chromium())

    @staticmethod
    def map_of(folder, name, content):
        write(folder / f"{name}.json", content)
        page = folder / f"{name}.html"
        command = [PROGRAM, "map", folder / f"{name}.json", "--out", page]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return page

    def open(self, path, **size):
        page = self.browser.open(path, **size)
        self.addCleanup(page.close)

        def untroubled():
            self.assertEqual(page.errors(), [])
            self.assertEqual(page.requests(), [path.resolve().as_uri()])

        self.addCleanup(untroubled)
        return page

    def label(self, page, panel, district):
        place = page.evaluate(f"districtingMap.labelOnPage({panel}, {district})")
        return place["x"], place["y"]

    def press(self, page, selector):
        page.evaluate(f"document.querySelector('{selector}').click()")
        page.settle()

    def text(self, page, selector):
        found = page.evaluate(f"[...document.querySelectorAll('{selector}')].find(e => e.offsetParent)?.innerText ?? ''")
        return found.replace("\u202f", " ").replace("\u2060", "")

    def screenshot(self, page, name, whole=False):
        page.screenshot(PICTURES / f"{name}.png", whole)

    def assertNoSideways(self, page, width):
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)

    def assertTouchable(self, page):
        small = page.evaluate(
            "[...document.querySelectorAll('button, select')].filter(e => e.offsetParent).map(e => [e.innerText ||"
            " e.ariaLabel, e.getBoundingClientRect()]).filter(([, b]) => b.width < 40 || b.height < 40).map(([t]) => t)"
        )
        self.assertEqual(small, [])

    def test_desk(self):
        page = self.open(self.two, **DESK)
        self.screenshot(page, "desk")
        self.assertNoSideways(page, 1280)
        self.assertEqual(page.evaluate("document.querySelector('h1').innerText"), "Brickton")
        totals = page.evaluate("[...document.querySelectorAll('.total strong')].slice(0, 2).map(e => e.innerText)")
        self.assertEqual([t.replace("\u202f", " ") for t in totals], [f"{p['total_cost']:.1f} km" for p in self.plans])
        more = 100 * (self.plans[1]["total_cost"] / self.plans[0]["total_cost"] - 1)
        self.assertIn(f"{more:+.2f} %".replace("-", "−"), self.text(page, ".total:has(.versus span)"))
        costs = page.evaluate("[...document.querySelectorAll('.tables section:first-child td.cost')].map(e => e.innerText)")
        self.assertEqual(costs, [f"{c:.1f}" for c in sorted((d["cost"] for d in self.plans[0]["districts"]), reverse=True)])

    def test_fills_are_where_districts_are_and_follow_the_theme(self):
        page = self.open(self.bare, **DESK)  # nothing is drawn over the fills but borders and labels
        for dark in (False, True):
            page.set_dark(dark)
            page.settle()
            for district in range(10):
                fill = page.evaluate(f"districtingMap.fillAtLabel(0, {district})")
                x, y = self.label(page, 0, district)
                seen = {page.evaluate(f"{PIXEL}({x + dx}, {y + dy})") for dx in (-16, 0, 16) for dy in (-13, 13)}
                self.assertIn(fill, seen)
        self.screenshot(page, "dark-without-figures")

    def test_pointing_shows_the_district_in_map_and_table(self):
        page = self.open(self.two, **DESK)
        district = self.plans[0]["districts"][3]
        page.mouse("mouseMoved", *self.label(page, 0, 3))
        self.assertEqual(page.evaluate("districtingMap.lit()"), {"plan": 0, "district": 3})
        note = self.text(page, ".tip")
        share = 100 * district["cost"] / self.plans[0]["total_cost"]
        for part in ("District 4", f"{len(district['units'])} (limits 9–15)", f"{district['cost']:.1f} km", f"{share:.1f} %"):
            self.assertIn(part, note)
        self.assertIn(f"{district['customers']:.1f}", note)
        self.assertEqual(page.evaluate("document.querySelector('tr.lit button').innerText"), "4")
        self.screenshot(page, "desk-pointing")
        page.mouse("mouseMoved", 5, 5)
        self.assertIsNone(page.evaluate("districtingMap.lit()"))
        self.assertEqual(self.text(page, ".tip"), "")
        # The other way round: a row of the second table lights up its district.
        page.evaluate("document.querySelector('.tables section:last-child tbody tr').scrollIntoView({block: 'center'})")
        box = page.evaluate("(({x, y}) => ({x, y}))(document.querySelector('.tables section:last-child tbody tr').getBoundingClientRect())")
        page.mouse("mouseMoved", box["x"] + 60, box["y"] + 20)
        dearest = max(range(10), key=lambda d: self.plans[1]["districts"][d]["cost"])
        self.assertEqual(page.evaluate("districtingMap.lit()"), {"plan": 1, "district": dearest})
        page.mouse("mouseMoved", 5, 5)

    def test_wheel_drag_and_buttons_move_both_maps(self):
        page = self.open(self.two, **DESK)
        before = self.label(page, 0, 5), self.label(page, 1, 5)
        page.mouse("mouseWheel", *before[0], deltaX=0, deltaY=-400)
        self.assertGreater(page.evaluate("districtingMap.view().zoom"), 1.5)
        after = self.label(page, 0, 5)
        for a, b in zip(before[0], after):  # what is under the pointer stays there
            self.assertAlmostEqual(a, b, delta=1)
        self.assertNotEqual(before[1], self.label(page, 1, 5))
        x, y = after
        page.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        page.mouse("mouseMoved", x + 40, y + 25, button="left", buttons=1)
        page.mouse("mouseMoved", x + 60, y + 30, button="left", buttons=1)
        page.mouse("mouseReleased", x + 60, y + 30, button="left", clickCount=1)
        moved = self.label(page, 0, 5)
        self.assertAlmostEqual(moved[0] - x, 60, delta=1)
        self.assertAlmostEqual(moved[1] - y, 30, delta=1)
        self.press(page, "button[aria-label=\"Show all\"]")
        self.assertEqual(page.evaluate("districtingMap.view().zoom"), 1)
        for a, b in zip(before[0], self.label(page, 0, 5)):
            self.assertAlmostEqual(a, b, delta=1)
        self.press(page, "button[aria-label=\"Zoom in\"]")
        self.assertAlmostEqual(page.evaluate("districtingMap.view().zoom"), 1.6)
        self.press(page, "button[aria-label=\"Zoom out\"]")
        self.assertAlmostEqual(page.evaluate("districtingMap.view().zoom"), 1)

    def test_keys(self):
        page = self.open(self.two, **DESK)
        page.evaluate("document.querySelector('canvas').focus()")
        page.key("+")
        page.key("+")
        zoomed = page.evaluate("districtingMap.view()")
        self.assertGreater(zoomed["zoom"], 1.5)
        page.key("ArrowRight")
        self.assertGreater(page.evaluate("districtingMap.view().x"), zoomed["x"])
        page.key("0")
        self.assertEqual(page.evaluate("districtingMap.view().zoom"), 1)
        page.key("n")
        page.key("n")
        order = sorted(range(10), key=lambda d: -self.plans[0]["districts"][d]["cost"])
        self.assertEqual(page.evaluate("districtingMap.lit()"), {"plan": 0, "district": order[1]})
        self.assertIn(f"district {order[1] + 1}:", page.evaluate("document.getElementById('spoken').textContent"))
        page.key("Escape")
        self.assertIsNone(page.evaluate("districtingMap.lit()"))

    def test_difference_and_switches(self):
        page = self.open(self.two, **DESK)
        with_tours = page.evaluate("document.querySelector('canvas').toDataURL()")
        self.press(page, "#tours")
        self.assertEqual(page.evaluate("document.getElementById('tours').ariaPressed"), "false")
        without = page.evaluate("document.querySelector('canvas').toDataURL()")
        self.assertNotEqual(with_tours, without)
        self.press(page, "#units")
        self.assertNotEqual(without, page.evaluate("document.querySelector('canvas').toDataURL()"))
        self.press(page, "#mode-difference")
        self.assertIn("PolyStepOR and DistrictNet", self.text(page, ".plan-head"))
        where = [{u: k for k, d in enumerate(p["districts"]) for u in d["units"]} for p in self.plans]
        city = BrickCity(12, 10, seed=2)
        changed = {u for e in city.adjacent if (where[0][e[0]] == where[0][e[1]]) != (where[1][e[0]] == where[1][e[1]]) for u in e}
        self.assertIn(f"{len(changed)} of 120 units", self.text(page, ".plan-head"))
        page.mouse("mouseMoved", 640, 400)
        self.assertIn("Changed neighbours", self.text(page, ".tip"))
        self.screenshot(page, "desk-difference")
        self.press(page, "#mode-plans")
        self.assertEqual(page.evaluate("[...document.querySelectorAll('canvas')].filter(e => e.offsetParent).length"), 2)

    def test_phone(self):
        page = self.open(self.two, **PHONE)
        self.screenshot(page, "phone")
        self.screenshot(page, "phone-whole", whole=True)
        self.assertNoSideways(page, 390)
        self.assertTouchable(page)
        tops = page.evaluate("[...document.querySelectorAll('canvas')].filter(e => e.offsetParent).map(e => e.getBoundingClientRect().top)")
        self.assertGreater(tops[1], tops[0] + 200)  # one above the other
        x, y = self.label(page, 0, 2)
        page.touch("touchStart", (x, y))
        page.touch("touchEnd")
        self.assertEqual(page.evaluate("districtingMap.lit()"), {"plan": 0, "district": 2})
        self.assertIn("District 3", self.text(page, ".tip"))
        self.screenshot(page, "phone-tapped")
        page.touch("touchStart", (x - 20, y), (x + 20, y))
        page.touch("touchMove", (x - 40, y), (x + 40, y))
        page.touch("touchMove", (x - 60, y), (x + 60, y))
        page.touch("touchEnd")
        self.assertAlmostEqual(page.evaluate("districtingMap.view().zoom"), 3, delta=0.1)
        after = self.label(page, 0, 2)
        self.assertAlmostEqual(after[0], x, delta=3)
        # Zoomed in, one finger moves the map and not the page.
        page.touch("touchStart", after)
        for step in (10, 20, 30, 40):
            page.touch("touchMove", (after[0] + step, after[1] + step))
        page.touch("touchEnd")
        self.assertEqual(page.evaluate("window.scrollY"), 0)
        self.assertAlmostEqual(self.label(page, 0, 2)[0] - after[0], 40, delta=11)
        self.screenshot(page, "phone-zoomed")

    def test_phone_in_the_dark(self):
        page = self.open(self.two, dark=True, **PHONE)
        self.screenshot(page, "phone-dark")
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        self.assertEqual(ground, "rgb(14, 17, 20)")

    def test_one_plan(self):
        page = self.open(self.one, **DESK)
        self.screenshot(page, "desk-one")
        self.assertTrue(page.evaluate("document.getElementById('modes').hidden"))
        self.assertNoSideways(page, 1280)
        phone = self.open(self.one, **PHONE)
        self.assertNoSideways(phone, 390)
        self.assertTouchable(phone)

    def test_two_thousand_units_and_three_plans(self):
        page = self.open(self.large, **DESK)
        self.screenshot(page, "desk-large")
        self.assertEqual(page.evaluate("document.querySelector('h1').innerText"), "Bricks & <Co>")
        print(f"2,000 units, two maps: drawn in {page.evaluate('districtingMap.timeToDraw(5)'):.0f} ms")
        page.evaluate("(s => { s.value = 2; s.dispatchEvent(new Event('change')) })(document.querySelectorAll('select')[1])")
        page.settle()
        self.assertIn(f"{self.large_plans[2]['total_cost']:,.1f} km", self.text(page, ".maps figure:nth-child(2) .total"))
        page.set_dark(True)
        page.settle()
        self.screenshot(page, "desk-large-dark")
        phone = self.open(self.large, **PHONE)
        self.screenshot(phone, "phone-large")
        self.assertNoSideways(phone, 390)
        self.assertTouchable(phone)

    def test_print(self):
        page = self.open(self.two, dark=True, **DESK)
        page.pdf(PICTURES / "print.pdf")
        page.set_dark(True, media="print")
        hidden = page.evaluate("['.tools', '.zoom', 'footer'].map(s => getComputedStyle(document.querySelector(s)).display)")
        self.assertEqual(hidden, ["none", "none", "none"])


if __name__ == "__main__":
    if find_chromium() is None:
        print("skipped: Chromium is not installed (Debian package chromium; ./dev check installs it)")
        sys.exit(1 if os.environ.get("NEED_CHROMIUM") else SKIPPED)
    PROGRAM, PICTURES = sys.argv[1], Path(sys.argv[2])
    PICTURES.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
