"use strict";
(() => {
  const data = JSON.parse(document.getElementById("replay-data").textContent);
  const svgElement = (name, attributes = {}) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  // Tooltips for points of charts and places on boards, beside the pointer or the point.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "status");
  document.body.append(tip);
  const say = (text, x, y) => {
    tip.textContent = text;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(innerWidth - box.width - 8, x - box.width / 2)) + "px";
    tip.style.top = (y - box.height - 14 > 4 ? y - box.height - 14 : y + 18) + "px";
    tip.classList.add("on");
  };
  const hush = () => tip.classList.remove("on");
  const titleOf = (element) => {
    const title = element.querySelector("title");
    if (title) { element.dataset.told = title.textContent; title.remove(); }
    return element.dataset.told || "";
  };

  for (const chart of document.querySelectorAll("[data-chart]")) {
    const dots = [...chart.querySelectorAll(".dot")];
    dots.forEach(titleOf);
    dots.sort((one, other) => one.cx.baseVal.value - other.cx.baseVal.value);
    let here = -1;
    const look = (place) => {
      dots[here]?.classList.remove("here");
      here = place;
      const dot = dots[here];
      if (!dot) return hush();
      dot.classList.add("here");
      const box = dot.getBoundingClientRect();
      say(dot.dataset.told, box.x + box.width / 2, box.y);
    };
    chart.addEventListener("pointermove", (event) => {
      let nearest = -1, least = 40 ** 2;
      dots.forEach((dot, place) => {
        const box = dot.getBoundingClientRect();
        const far = (box.x + box.width / 2 - event.clientX) ** 2 + ((box.y + box.height / 2 - event.clientY) / 2.5) ** 2;
        if (far < least) [nearest, least] = [place, far];
      });
      look(nearest);
    });
    chart.addEventListener("pointerleave", () => look(-1));
    chart.addEventListener("blur", () => look(-1));
    const open = () => dots[here]?.dataset.game && show(dots[here].dataset.game, Number(dots[here].dataset.ply));
    chart.addEventListener("click", open);
    chart.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === "Enter") open();
      if (event.key === "Escape") look(-1);
      if (!step || !dots.length) return;
      event.preventDefault();
      look((here + step + dots.length) % dots.length);
    });
  }
  for (const board of document.querySelectorAll(".map svg")) {
    board.querySelectorAll(".target").forEach(titleOf);
    board.addEventListener("pointermove", (event) => {
      const target = event.target.closest(".target");
      target?.dataset.told ? say(target.dataset.told, event.clientX, event.clientY) : hush();
    });
    board.addEventListener("pointerleave", hush);
  }

  // Games.
  const dialog = document.getElementById("replay");
  const byId = (name) => document.getElementById("replay-" + name);
  const board = dialog.querySelector(".board svg");
  const prefix = board.id;
  const targets = board.querySelector(".targets");
  const layer = (name) => {
    const group = svgElement("g", { class: name });
    targets.before(group);
    return group;
  };
  const stones = layer("stones"), lasts = layer("lasts");
  let game, ply, name;

  const positionAt = (wanted) => {
    const held = game.start.slice();
    for (const [, , , changes] of game.steps.slice(0, wanted)) for (const [point, owner] of changes) held[point] = owner;
    return held;
  };
  const draw = () => {
    const held = positionAt(ply);
    stones.replaceChildren(...held.flatMap((owner, point) => owner < 0 ? [] : [svgElement("use", {
      href: `#${prefix}-stone-${owner}`, x: data.points[point][0], y: data.points[point][1], class: `stone player-${owner}`,
    })]));
    const step = game.steps[ply - 1];
    const place = step && (data.points[data.names.indexOf(step[2])] || data.cells[step[2]]);
    lasts.replaceChildren(...(place ? [svgElement("use", { href: `#${prefix}-last`, x: place[0], y: place[1] })] : []));
    const scores = game.scores[ply].join(" to ");
    const chances = game.chances[ply];
    const expected = chances ? " · expected " + data.players.map((player, n) => `${player} ${Math.round(100 * chances[n])} %`).join(", ") : "";
    byId("now").textContent = (step ? `${ply}. ${data.players[step[1]]}: ${step[0]}` : "The start") +
      (ply && ply <= game.opening ? " (random opening)" : "") + ` · score ${scores}${expected}`;
    byId("ply").value = ply;
    byId("turns").querySelectorAll("a").forEach((link) => link.classList.toggle("here", Number(link.dataset.to) === ply));
    const current = byId("turns").querySelector(".here");
    if (current) current.parentElement.parentElement.scrollTop = current.offsetTop - current.parentElement.parentElement.offsetTop - 60;
    drawChances();
    history.replaceState(null, "", `#${name}@${ply}`);
  };
  const drawChances = () => {
    const x = (place) => 6 + 288 * place / Math.max(1, game.steps.length), y = (chance) => 84 - 78 * chance;
    const paths = data.players.slice(0, data.players.length === 2 ? 1 : undefined).map((_, player) => {
      let path = "";
      game.chances.forEach((row, place) => { if (row) path += `${path ? "L" : "M"}${x(place).toFixed(1)} ${y(row[player]).toFixed(1)}`; });
      return svgElement("path", { d: path || "M0 0", class: "c" + player });
    });
    const now = svgElement("line", { x1: x(ply), x2: x(ply), y1: 3, y2: 87 });
    const chart = byId("chances");
    chart.replaceChildren(...paths, now);
    chart.hidden = chart.style.display = game.chances.some(Boolean) ? "" : "none";
  };
  const listTurns = () => {
    const items = [];
    game.steps.forEach(([text], place) => {
      if (!place || game.turns[place] !== game.turns[place - 1]) items.push(document.createElement("li"));
      const link = document.createElement("a");
      link.href = "#";
      link.textContent = text;
      link.dataset.to = place + 1;
      items[items.length - 1].append(link, " ");
    });
    byId("turns").replaceChildren(...items);
  };
  byId("legend").replaceChildren(...data.players.slice(0, data.players.length === 2 ? 1 : undefined).map((player, n) => {
    const item = document.createElement("li"), key = document.createElement("span");
    item.className = "c" + n;
    key.className = "key";
    item.append(key, player + " expected");
    return item;
  }));
  const go = (wanted) => { ply = Math.max(0, Math.min(game.steps.length, wanted)); draw(); };
  const show = (wanted, at) => {
    if (!data.games[wanted]) return;
    [name, game] = [wanted, data.games[wanted]];
    byId("title").textContent = game.label;
    byId("result").textContent = `${game.title}. ${game.result}.`;
    byId("ply").max = game.steps.length;
    byId("record").href = "data:application/json," + encodeURIComponent(game.record);
    byId("record").download = wanted + ".json";
    listTurns();
    if (!dialog.open) dialog.showModal();
    go(at);
  };
  const deeds = { first: () => go(0), back: () => go(ply - 1), forward: () => go(ply + 1), last: () => go(game.steps.length), close: () => dialog.close() };
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) return dialog.close();
    const to = event.target.closest("[data-to]");
    if (to) { event.preventDefault(); return go(Number(to.dataset.to)); }
    deeds[event.target.closest("[data-do]")?.dataset.do]?.();
  });
  dialog.addEventListener("keydown", (event) => {
    const deed = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
    if (deed && event.target !== byId("ply")) { event.preventDefault(); deeds[deed](); }
  });
  dialog.addEventListener("close", () => history.replaceState(null, "", location.pathname + location.search));
  byId("ply").addEventListener("input", (event) => go(Number(event.target.value)));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-game]");
    if (link) { event.preventDefault(); show(link.dataset.game, Number(link.dataset.ply)); }
  });
  const [wanted, at] = decodeURIComponent(location.hash.slice(1)).split("@");
  show(wanted, Number(at) || 0);
})();
