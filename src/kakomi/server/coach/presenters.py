"""A coach's advice as a page shows it: three sentences, and what is drawn on the board with them."""

from dataclasses import asdict, dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from kakomi.core.returns import percent
from kakomi.server.analysis.analysis_view import AnalysisView
from kakomi.server.analysis.game_graph import TurnMark, better_turn, turn_in_words
from kakomi.server.boardview.effects import effect_words
from kakomi.server.coach.coaching import Advice
from kakomi.server.language import translate
from kakomi.solve import Proof
from kakomi.study.analysis.move import CERTAIN, Threat


@dataclass(frozen=True)
class AdviceView:
    """Advice in the viewer's language, on a board that is turned so far."""

    advice: Advice
    turned: int

    def as_data(self) -> dict[str, Any]:
        """As the page's script takes it: what is known, the sentences as HTML."""
        data: dict[str, Any] = {"chance": self._chance}
        if self.advice.has_looked_for_threat:
            data["threat"] = self._threat
        if self.advice.moves:
            data["verdict"] = self._verdict
        elif self.advice.situation.own_turn is not None:
            words = gettext("Your last turn is being looked at…")
            data["verdict"] = {"html": format_html('<span class="fine">{}</span>', words)}
        return data

    @property
    def _chance(self) -> dict[str, Any]:
        situation, report = self.advice.situation, self.advice.report
        bar = AnalysisView(situation.position, report)
        values = {"analysis": bar, "words": self._chance_words, "certainty": self._certainty}
        return {"html": render_to_string("coach/_chance.html", values).strip()}

    @property
    def _chance_words(self) -> str:
        situation, report = self.advice.situation, self.advice.report
        chance = report.chances[situation.player]
        if situation.position.is_over:
            return gettext("The game is over.")
        if self._proof and self._proof.result is not None:
            return _proved_words(self._proof, situation.player)
        if report.is_proven and chance == 1:
            return gettext("You can win for sure")
        if report.is_proven and chance == 0:
            return gettext("Lost, unless somebody errs")
        if len(report.chances) > 2:
            said = gettext("{percent} for you (even: {even})")
            return said.format(percent=percent(chance), even=percent(1 / len(report.chances)))
        return gettext("{percent} for you").format(percent=percent(chance))

    @property
    def _certainty(self) -> str:
        """How sure the chance is; empty where it is exact."""
        situation, report = self.advice.situation, self.advice.report
        if situation.position.is_over:
            return ""
        if report.is_exact or (self._proof and self._proof.result is not None):
            return gettext("this is proven")
        said = gettext("± {points}, {count} simulations")
        return said.format(
            points=max(1, round(100 * CERTAIN * self.advice.error)),
            count=number_format(report.simulations, force_grouping=True),
        )

    @property
    def _proof(self) -> Proof | None:
        return self.advice.proof

    @property
    def _threat(self) -> dict[str, Any]:
        situation, threat = self.advice.situation, self.advice.threat
        if threat is None:
            words = gettext("Nobody threatens anything clear.") if situation.is_to_act else ""
            return {"html": words}
        names = [translate(name) for name in situation.position.game.player_names]
        effect = effect_words(threat.effect, names)
        if threat.wins:
            said = gettext("{player} threatens {turn} and wins.")
        elif effect:
            said = gettext("{player} threatens {turn}: {effect}.")
        else:
            said = gettext("{player} would like to play {turn}.")
        turn = _button("threat", threat.actions)
        html = format_html(said, player=names[threat.player], turn=turn, effect=effect)
        return {"html": html, **asdict(self._threat_mark(threat))}

    def _threat_mark(self, threat: Threat) -> TurnMark:
        position = self.advice.situation.position
        return TurnMark.of(position, threat.actions, threat.effect, "!", self.turned)

    @property
    def _verdict(self) -> dict[str, Any]:
        mistake = self.advice.mistake
        if mistake is None:
            return {"html": gettext("Your last turn: nothing clearly better was found.")}
        better = better_turn(mistake)
        said = gettext("{turn} was better: {promise} instead of {chance}.")
        words = format_html(
            said,
            turn=_button("verdict", better),
            promise=percent(mistake.promise),
            chance=percent(mistake.after.chances[mistake.ply.player]),
        )
        values = {"words": words, "may_take_back": self.advice.situation.may_take_back}
        html = render_to_string("coach/_verdict.html", values).strip()
        mark = TurnMark.of_better(mistake, self.turned)
        return {"html": html, **asdict(mark)}


def _proved_words(proof: Proof, player: int) -> str:
    """What best play comes to for a player, among two."""
    assert proof.result is not None
    result = proof.result if proof.to_move == player else -proof.result
    margin = abs(proof.margin or 0)
    if not result:
        return gettext("A draw, unless somebody errs")
    if not margin:
        return gettext("You can win for sure") if result > 0 else gettext("Lost, unless somebody errs")
    if result > 0:
        said = ngettext(
            "You can win by {margin} point for sure", "You can win by {margin} points for sure", margin
        )
    else:
        said = ngettext(
            "Lost by {margin} point, unless somebody errs",
            "Lost by {margin} points, unless somebody errs",
            margin,
        )
    return said.format(margin=margin)


def _button(shows: str, actions: tuple[str, ...]) -> SafeString:
    """A turn that is drawn on the board while it is pointed at or has the focus."""
    button = '<button type="button" class="coach-turn" data-shows="{}">{}</button>'
    return format_html(button, shows, turn_in_words(actions))
