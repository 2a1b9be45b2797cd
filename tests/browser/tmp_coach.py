import sys, time, random
from pathlib import Path
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import conftest  # noqa
import tempfile
from browser.chromium import chromium
from browser.opening import begin
from browser.sitting import Sitting
from browser.visitor import Visitor, expect
from server.sites import Site, running
out=Path("/tmp/tp/shots"); out.mkdir(exist_ok=True)
with tempfile.TemporaryDirectory() as folder, running(site := Site(Path(folder))), chromium() as browser:
    v=Visitor(browser,f"http://localhost:{site.port}",viewport={"width":1280,"height":900},color_scheme="light")
    begin(v, "lin", 9, "1")
    p=v.page; 
    if p.locator("#coach-on").count(): p.locator("#coach-on").click()
    s=Sitting(v); s.play_on(random.Random(3), turns=12); s.await_turn()
    for _ in range(60):
        time.sleep(1)
        t=p.locator(".coach-words").inner_text()
        if "Checking" not in t and "thinking" not in t: break
    print(t)
    print(p.locator("[data-part=verdict]").inner_text())
    p.screenshot(path=str(out/"coach.png")); print(*v.troubles)
