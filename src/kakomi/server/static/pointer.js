// The point under the pointer takes on the colour of whom its layer waits for.
//
// Not by a style that asks what the layer is like: with every turn all points of the board would be styled anew.

document.addEventListener("pointerover", ({ target }) => {
  const layer = target.closest?.(".target")?.parentNode;
  if (layer && "for" in layer.dataset) target.dataset.for = layer.dataset.for;
});

document.addEventListener("pointerout", ({ target }) => {
  if (target.matches?.(".target")) delete target.dataset.for;
});
