// The list of turns: which moment of the game the board shows.

export function markMoment(shown) {
  const moves = shown.querySelector(".moves");
  moves?.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const link = moves?.querySelector(`a[href$="&ply=${shown.querySelector(".steps").dataset.ply}"]`);
  if (!link) return;
  link.setAttribute("aria-current", "step");
  const [top, bottom] = [moves.scrollTop, moves.scrollTop + moves.clientHeight - link.offsetHeight];
  const at = link.offsetTop - moves.offsetTop;
  if (at < top || at > bottom) moves.scrollTop = at - moves.clientHeight / 2;
}
