#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Opens a page of `lanecrypt speed --html` in headless Chromium and checks what a person would see.

usage: test_report.py PAGE.html [SCREENSHOT-DIR]

Needs the packages chromium and chromium-driver, and nothing beyond Python's standard library: the driver is spoken to over the
few JSON calls of the WebDriver protocol. The page must show several message sizes, for a line of one point can hide another.
What must be on the page is computed here from the JSON in it, not by its script.
"""

import base64
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--force-device-scale-factor=1"]

failures = []


def check(ok, what):
    print(("ok    " if ok else "FAIL  ") + what)
    if not ok:
        failures.append(what)


class Browser:
    """One chromedriver with one browser session."""

    def __init__(self, profile):
        driver = shutil.which("chromedriver")
        if not driver:
            sys.exit("test_report.py: no chromedriver: apt-get install chromium chromium-driver")
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        # No proxy: the driver listens on this machine.
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.session = None
        for line in self.driver.stdout:
            port = re.search(r"started successfully on port (\d+)", line)
            if port:
                self.base = f"http://127.0.0.1:{port[1]}/session"
                break
        else:
            sys.exit("test_report.py: chromedriver did not start")
        options = {"args": FLAGS + ["--user-data-dir=" + profile]}
        always = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        self.session = self.call("POST", "", {"capabilities": {"alwaysMatch": always}})["sessionId"]

    def call(self, method, path, body=None):
        url = self.base + (f"/{self.session}" if self.session else "") + path
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with self.opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise RuntimeError(json.load(e)["value"]["message"].splitlines()[0]) from None

    def js(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def cdp(self, command, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def view(self, width, height, scheme):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        time.sleep(0.4)  # the resize observer and the redraw

    def hover(self, x, y):
        moves = [{"type": "pointerMove", "duration": 0, "x": px, "y": int(y)} for px in (int(x) - 3, int(x))]
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": moves}]})
        time.sleep(0.2)

    def quit(self):
        try:
            if self.session:
                self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


# All that's visible, in one object. The pixel count says for each line of the legend, and for the ceiling, how many pixels of
# its colour the chart's canvas has: a blank or half-drawn chart can't pass.
LOOK = r"""
const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgb = text => { probe.fillStyle = text; probe.fillRect(0, 0, 1, 1); return probe.getImageData(0, 0, 1, 1).data; };
const pixels = (canvas, text) => {
  if (!canvas.width || !canvas.height) return 0;
  const want = rgb(text), have = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let n = 0;
  for (let i = 0; i < have.length; i += 4)
    if (have[i + 3] > 250 &&
        Math.abs(have[i] - want[0]) + Math.abs(have[i + 1] - want[1]) + Math.abs(have[i + 2] - want[2]) < 24) n++;
  return n;
};
const ceiling = getComputedStyle(document.documentElement).getPropertyValue("--ceiling").trim();
return {
  background: getComputedStyle(document.body).backgroundColor,
  overflow: document.documentElement.scrollWidth - innerWidth,
  text: document.body.innerText,
  cards: [...document.querySelectorAll("section.alg")].map(s => {
    const canvas = s.querySelector("canvas"), box = canvas && canvas.getBoundingClientRect();
    return {
      alg: s.id, title: s.querySelector("h2").textContent, headline: s.querySelector(".headline").textContent,
      canvas: canvas ? { width: canvas.clientWidth, inside: box.right <= innerWidth && box.left >= 0 } : null,
      lines: [...s.querySelectorAll(".legend button")].map(b => {
        const path = b.querySelector("path");
        return { name: b.textContent, color: getComputedStyle(path).stroke,
                 pixels: canvas ? pixels(canvas, getComputedStyle(path).stroke) : 0 };
      }),
      ceiling: canvas ? pixels(canvas, ceiling) : 0,
      rows: [...s.querySelectorAll("table.figures tbody tr")].filter(r => r.getClientRects().length)
              .map(r => [...r.children].map(c => c.textContent)),
      tips: [...s.querySelectorAll(".tip")].filter(t => t.getClientRects().length)
              .map(t => ({ title: t.querySelector("p").innerText,
                           rows: [...t.querySelectorAll("tbody tr")].map(r => [...r.children].map(c => c.innerText.trim())) }))
    };
  }),
  curves: [...document.querySelectorAll("section.curve")].map(s => {
    const canvas = s.querySelector("canvas"), box = canvas && canvas.getBoundingClientRect();
    return {
      alg: s.id.replace("curve-", ""), text: s.innerText,
      canvas: canvas ? { width: canvas.clientWidth, inside: box.right <= innerWidth && box.left >= 0 } : null,
      lines: [...s.querySelectorAll(".legend button")].map(b => {
        const stroke = getComputedStyle(b.querySelector("path")).stroke;
        return { name: b.textContent, shown: b.getAttribute("aria-pressed") === "true",
                 pixels: canvas ? pixels(canvas, stroke) : 0 };
      }),
      rows: [...s.querySelectorAll("tbody tr")].filter(r => r.getClientRects().length)
        .map(r => [...r.children].map(c => c.textContent))
    };
  })
};
"""


def speed_rows(data):
    """The rows that are a point of a line; others (key set-up, unknown kinds) may be there and must do no harm."""
    return [r for r in data["rows"] if r.get("gbps") and r.get("size") and r.get("impl") != "init" and r.get("op") != "init"]


def numbers(text):
    return [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def near(a, b):
    return abs(a - b) <= 0.051 * max(abs(a), abs(b)) + 0.0006  # the page rounds


def lies_under_another(name, lines):
    """Real results: two implementations can be as good as equally fast at most sizes; then one line is drawn upon the other."""
    near_enough = 0.03 * max(y for line in lines.values() for y in line.values())
    this = lines.get(name)
    if this is None:
        return False
    return any(sum(abs(this[s] - other.get(s, 0)) < near_enough for s in this) > 0.7 * len(this)
               for n, other in lines.items() if n != name)


def check_curves(look, curves, data, what):
    """The cards of `speed --curve`: a line for each implementation, hidden only if it's the portable one; a row of figures."""
    expected = collections.OrderedDict()
    for c in curves:
        expected.setdefault(c["alg"], []).append(c)
    check([c["alg"] for c in look["curves"]] == list(expected), f"{what}: a card for each of {len(expected)} curves")
    for card in look["curves"]:
        mine = expected.get(card["alg"], [])
        name = f"{what}: curves of {card['alg']}"
        check(card["canvas"] and card["canvas"]["inside"], f"{name}: the chart fits")
        check([line["name"] for line in card["lines"]] == [c["impl"] for c in mine], f"{name}: the legend names {len(mine)} lines")
        shown = {line["name"] for line in card["lines"] if line["shown"]}
        check(shown and all("portable" in c["impl"] for c in mine if c["impl"] not in shown),
              f"{name}: only the portable line is hidden")
        enough = max(40, (card["canvas"] or {"width": 0})["width"] * 0.15)
        lines = {c["impl"]: dict(zip(c["sizes"], c["cycles"])) for c in mine if c["impl"] in shown}
        blank = [line["name"] for line in card["lines"]
                 if line["shown"] and line["pixels"] < enough and not lies_under_another(line["name"], lines)]
        check(not blank, f"{name}: every line is drawn" + (f", but not {blank}" if blank else ""))
        check([row[0] for row in card["rows"]] == [c["impl"] for c in mine], f"{name}: the table has {len(mine)} rows")
        for c, row in zip(mine, card["rows"]):
            have = numbers(" ".join(row[1:]))
            want = ([dict(zip(c["sizes"], c["cycles"]))[s] for s in (16, 64, 256, 1024, 4096) if s in c["sizes"]] + [c["cliffs"]] +
                    [x for step in c["steps"] for x in (step["cycles"], step["size"])])
            check(len(have) == len(want) and all(abs(a - b) <= 0.51 for a, b in zip(have, want)),
                  f"{name}: {c['impl']} has its cycles and largest steps")


def check_choice(look, rows, data, what):
    """The cards of the page against the rows of the JSON that belong to what is chosen."""
    expected = collections.OrderedDict()
    for r in rows:
        expected.setdefault(r["alg"], []).append(r)
    check([c["alg"] for c in look["cards"]] == list(expected), f"{what}: a card for each of {len(expected)} algorithms")
    check(sum(c["canvas"] is not None for c in look["cards"]) == len(expected), f"{what}: {len(expected)} charts")
    for card in look["cards"]:
        mine = expected.get(card["alg"], [])
        name = f"{what}: {card['alg']}"
        title = re.sub("Chacha", "ChaCha", "-".join(w.upper() if len(w) < 4 else w.capitalize() for w in card["alg"].split("-")))
        check(card["title"] == title, f"{name}: the title is {title!r} (is {card['title']!r})")
        check(("same in both directions" in card["headline"]) == (card["alg"] in data.get("one_op", [])),
              f"{name}: the headline says whether there are two directions")
        impls = {r["impl"] for r in mine}
        peers = {f"{p['name']} {p['version']}" for r in mine for p in r["peers"]}
        check({line["name"] for line in card["lines"]} == impls | peers,
              f"{name}: the legend names {len(impls)} + {len(peers)} lines")
        drawn = collections.defaultdict(dict)
        for r in mine:
            drawn[r["impl"]][r["size"]] = r["gbps"]
        # More than a leader to a name or a few markers: a line crosses the chart.
        width = card["canvas"]["width"] if card["canvas"] else 0
        enough = max(40, width * 0.15)
        blank = [line["name"] for line in card["lines"] if line["pixels"] < enough and not lies_under_another(line["name"], drawn)]
        check(card["lines"] and not blank, f"{name}: every line is drawn" + (f", but not {blank}" if blank else ""))
        if data["ceilings"].get(card["alg"]):
            check(card["ceiling"] > 2 * enough, f"{name}: the ceiling is drawn")
        check(len(card["rows"]) == len(mine), f"{name}: the table has {len(mine)} rows (is {len(card['rows'])})")
        for r in mine:
            cells = [c for c in card["rows"] if c[1] == r["impl"] and near(numbers(c[2])[0], r["gbps"]) and
                     near(numbers(c[3])[0], r["ns"])]
            if not cells:
                check(False, f"{name}: no table row for {r['impl']} at {r['size']} bytes")


def screenshot(browser, folder, name):
    if folder:
        browser.js("scrollTo(0, 0)")
        height = browser.js("return document.documentElement.scrollHeight")
        width = browser.js("return innerWidth")
        save(folder, name, browser.cdp("Page.captureScreenshot", captureBeyondViewport=True, format="png",
                                       clip={"x": 0, "y": 0, "width": width, "height": min(height, 2400), "scale": 1})["data"])


def save(folder, name, png):
    with open(os.path.join(folder, name + ".png"), "wb") as f:
        f.write(base64.b64decode(png))


def check_hover(browser, data, rows, what, folder):
    """Puts the mouse over the middle of the first chart: the figures of one size must appear, and they must be right."""
    box = browser.js("const c = document.querySelector('section.alg canvas'); if (!c) return null;"
                     "c.scrollIntoView({block: 'center'}); const b = c.getBoundingClientRect(); "
                     "return [b.left, b.top, b.width, b.height]")
    if not box:
        return check(False, f"{what}: no chart to hover")
    before = browser.js(LOOK)["cards"][0]["tips"]
    browser.hover(box[0] + box[2] * 0.4, box[1] + box[3] * 0.5)
    card = browser.js(LOOK)["cards"][0]
    check(not before and len(card["tips"]) == 1, f"{what}: hovering shows a tooltip")
    if not card["tips"]:
        return
    if folder:
        save(folder, what + "-hover", browser.call("GET", "/screenshot"))
    tip = card["tips"][0]
    mine = [r for r in rows if r["alg"] == card["alg"]]
    sizes = [s for s in {r["size"] for r in mine} if tip["title"].startswith(f"{s} B") or f"({s:,} bytes)" in tip["title"]]
    check(len(sizes) == 1, f"{what}: the tooltip names one message size")
    lines = {cells[0]: numbers(" ".join(cells[1:])) for cells in tip["rows"]}
    for r in (r for r in mine if r["size"] in sizes):
        want = [r["gbps"], r["ns"]] + ([100 * r["of_ceiling"]] if data["ceilings"].get(r["alg"]) else [])
        want += [p["ratio"] for p in r["peers"]]
        have = lines.get(r["impl"], [])
        check(len(have) == len(want) and all(near(a, b) or abs(a - b) <= 0.5 for a, b in zip(have, want)),
              f"{what}: the tooltip has GB/s, ns, share and ratios of {r['impl']}")


def run(page, shots):
    with open(page, encoding="utf-8") as f:
        source = f.read()
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', source, re.S)
    if not found:
        sys.exit("test_report.py: no JSON in " + page)
    data = json.loads(found[1])
    rows, curves = speed_rows(data), data.get("curves", [])
    if not rows and not curves:
        sys.exit("test_report.py: no rows in the JSON, so nothing could be tested")
    check(not re.search(r"""(?:src|href|action)\s*=\s*["']?\s*(?:https?:)?//|url\(\s*["']?(?:https?:)?//|@import""", source),
          "no reference to another host in the source")

    profile = tempfile.mkdtemp(prefix="lc-report-")
    browser = Browser(profile)
    try:
        browser.view(1280, 900, "light")
        browser.call("POST", "/url", {"url": "file://" + os.path.abspath(page)})
        time.sleep(0.5)

        # What the page shows at first.
        ops = [r["op"] for r in rows + curves]
        chosen = {"op": "seal" if "seal" in ops else ops[0], "batch": min((r["batch"] for r in rows), default=1),
                  "cold": min((r["cold"] for r in rows), default=False)}

        def curves_of(op):
            return [c for c in curves if c["op"] == op or c["alg"] in data.get("one_op", [])]

        def of(choice):
            # An algorithm for which to open is to seal was timed once, and that is shown whatever is chosen.
            return [r for r in rows if all(r[k] == v or k == "op" and r["alg"] in data.get("one_op", [])
                                           for k, v in choice.items())]

        light = browser.js(LOOK)
        check_choice(light, of(chosen), data, "light")
        check_curves(light, curves_of(chosen["op"]), data, "light")
        for fact in [data["cpu"], f"{data['ghz']:.2f} GHz", data.get("date"), data.get("version")]:
            if fact:
                check(fact in light["text"], f"the header says {fact!r}")
        if rows:
            check_hover(browser, data, of(chosen), "light", shots)
        screenshot(browser, shots, "light-wide")
        browser.hover(8, 8)

        browser.view(1280, 900, "dark")
        dark = browser.js(LOOK)
        check_choice(dark, of(chosen), data, "dark")
        check_curves(dark, curves_of(chosen["op"]), data, "dark")
        check(light["background"] != dark["background"],
              f"dark has another background ({light['background']}, {dark['background']})")
        colors = [[line["color"] for card in look["cards"] for line in card["lines"]] for look in (light, dark)]
        check(not rows or colors[0] != colors[1], "dark has other line colours")
        screenshot(browser, shots, "dark-wide")

        for width in (390, 800, 1900):
            browser.view(width, 844, "dark" if width == 800 else "light")
            look = browser.js(LOOK)
            check(look["overflow"] <= 0, f"{width} px: the page is not wider than the screen")
            check(look["cards"] + look["curves"] and
                  all(c["canvas"] and c["canvas"]["inside"] and c["canvas"]["width"] > width / 4
                      for c in look["cards"] + look["curves"]),
                  f"{width} px: the charts fit")
            if width == 390:
                check_choice(look, of(chosen), data, "phone")
                check_curves(look, curves_of(chosen["op"]), data, "phone")
                if rows:
                    check_hover(browser, data, of(chosen), "phone", shots)
                check(browser.js("return document.documentElement.scrollWidth - innerWidth") <= 0,
                      "phone: not wider than the screen with a tooltip")
            screenshot(browser, shots, f"{width}")

        # Each control in turn: its rows, and the right number of them.
        browser.view(1280, 900, "light")
        for key in chosen:
            for value in sorted({r[key] for r in rows} | ({c["op"] for c in curves} if key == "op" else set())):
                if value == chosen[key]:
                    continue
                text = str(value).lower() if isinstance(value, bool) else str(value)
                click = ("const i = [...document.getElementsByName(arguments[0])].find(i => i.value === arguments[1]);"
                         " if (i) i.click(); return !!i")
                check(browser.js(click, key, text), f"there is a choice {key} = {text}")
                time.sleep(0.2)
                look = browser.js(LOOK)
                now = of({**chosen, key: value})
                check_choice(look, now, data, f"{key} = {text}")
                check_curves(look, curves_of(value if key == "op" else chosen["op"]), data, f"{key} = {text}")
                browser.js(click, key, str(chosen[key]).lower())

        # A curve's tooltip, and the cards themselves for the eye.
        if curves:
            box = browser.js("const c = document.querySelector('section.curve canvas'); c.scrollIntoView({block: 'center'});"
                             "const b = c.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]")
            browser.hover(box[0] + box[2] * 0.4, box[1] + box[3] * 0.5)
            tip = browser.js("const t = document.querySelector('section.curve .tip'); return t.hidden ? '' : t.innerText")
            check(re.match(r"[\d,]+ bytes\n", tip) and len(tip.splitlines()) > 2, "curves: hovering shows a tooltip")
            if shots:
                save(shots, "curve-hover", browser.call("GET", "/screenshot"))
            browser.hover(8, 8)

        # A name in the legend hides its line and brings it back: one that shares its colour with no other, as the seventh does.
        colors = [line.get("color") for line in (look["cards"] + look["curves"])[0]["lines"]] or [None]
        number = next(i for i, color in enumerate(colors) if color is None or colors.count(color) == 1)
        toggle = f"document.querySelectorAll('section.card .legend button')[{number}]?.click()"
        counts = []
        for _ in range(2):
            browser.js(toggle)
            time.sleep(0.2)
            look = browser.js(LOOK)
            lines = [line for card in look["cards"] + look["curves"] for line in card["lines"]]
            counts.append(lines[number]["pixels"] if lines else 0)
        check(counts[0] < 10 < counts[1], "a click in the legend hides the line and shows it again")

        errors = [e["message"] for e in browser.log("browser") if e["level"] == "SEVERE"]
        check(not errors, "no errors in the console" + "".join("\n      " + e for e in errors[:5]))
        loads = set()
        for entry in browser.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                loads.add(message["params"]["request"]["url"])
        # chrome: and chrome-untrusted: are the browser's own start page, which no page from a file can load.
        own = ("data:", "chrome:", "chrome-untrusted:", "file://" + os.path.abspath(page))
        outside = sorted(u for u in loads if not u.startswith(own))
        check(loads and not outside, f"nothing but the page itself is loaded {outside or ''}".rstrip())
    finally:
        browser.quit()
        shutil.rmtree(profile, ignore_errors=True)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    run(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else None)
    if failures:
        sys.exit(f"test_report.py: {len(failures)} checks failed, first: {failures[0]}")


if __name__ == "__main__":
    main()
