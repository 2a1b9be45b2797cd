import sys, json, time
from pathlib import Path
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import conftest  # noqa
import tempfile
import kakomi
from kakomi import records
from browser.chromium import chromium
from browser.visitor import Visitor, expect
from server.sites import Site, running
out=Path("/tmp/tp/shots"); out.mkdir(exist_ok=True)
with tempfile.TemporaryDirectory() as folder, running(site := Site(Path(folder))), chromium() as browser:
    for name in sys.argv[1:]:
        d=json.load(open(f"/tmp/tp/{name}-0.json")); game=kakomi.game(name)
        rec=records.recorded(game,d["actions"]); path=out/f"{name}.json"; records.save(rec,game,str(path))
        v=Visitor(browser,f"http://localhost:{site.port}",viewport={"width":1280,"height":900},color_scheme="light")
        p=v.page; p.goto("/analysis")
        p.set_input_files("input[type=file]", str(path)); p.get_by_role("button", name="Open file").first.click() if p.get_by_role("button", name="Open file").count() else p.locator("form:has(input[type=file]) button").first.click()
        v.await_page("/analysis/study/")
        p.locator("#analysis-form button").first.click()
        t=time.time()
        p.wait_for_function("() => document.querySelector('#game-analysis') && !('running' in document.getElementById('game-analysis').dataset) && document.querySelector('.turning-points, #game-analysis .accuracy')", timeout=400000)
        print(name, "analysed in", round(time.time()-t), flush=True)
        for li in p.locator(".turning-points > li > p").all_inner_texts(): print("  ", li)
        region=p.locator(".turning-points [data-region]")
        if region.count():
            region.first.locator("a.move").click(); time.sleep(1)
            print("  lost:", p.locator("#board .target.is-lost").count())
        p.evaluate("scrollTo(0,0)")
        p.screenshot(path=str(out/f"{name}-turn.png"), full_page=True)
        p.locator("#engine-switch").click(); p.wait_for_timeout(1500)
        p.locator("#owners-switch").click(); p.wait_for_timeout(2500)
        p.screenshot(path=str(out/f"{name}-map.png"))
        p.emulate_media(color_scheme="dark"); p.wait_for_timeout(300)
        p.screenshot(path=str(out/f"{name}-dark.png"))
        print(*v.troubles)
        v.context.close()
