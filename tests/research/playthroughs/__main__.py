from research.playthroughs import LOADED, begun_anew, path_of

for loaded in LOADED:
    path_of(loaded).write_text(begun_anew(loaded), encoding="utf-8")
