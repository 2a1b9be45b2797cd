"""A form in a panel: its choices are offered as it is shown, and what is wrong stands below each field."""

from collections.abc import Mapping

from django import forms


class PanelForm(forms.Form):
    """What such forms share; call both once the fields are those that are shown."""

    def offer(self, name: str, choices: Mapping[str, str]) -> None:
        """Offer choices in a field, as values -> labels; nothing where the form has no such field."""
        field = self.fields.get(name)
        if isinstance(field, forms.ChoiceField):
            field.choices = list(choices.items())

    def mark_faults(self) -> None:
        """Have programs that read the page aloud say what is wrong with a field."""
        for field in self:
            if field.errors:
                field.field.widget.attrs |= {
                    "aria-invalid": "true",
                    "aria-describedby": f"{field.name}-wrong",
                }
