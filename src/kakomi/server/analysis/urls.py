"""The addresses of analysis boards, all under `/analysis/`."""

from django.urls import path

from kakomi.server.analysis.views import downloads, editing, engine, looking, opening, survey

urlpatterns = [
    path("", looking.studies, name="analysis"),
    path("new/<slug:game>", opening.new, name="analysis_new"),
    path("position/<slug:game>", opening.position, name="analysis_position"),
    path("table/<slug:code>", opening.table, name="analysis_table"),
    path("upload", opening.upload, name="analysis_upload"),
    path("study/<slug:code>", looking.study, name="study"),
    path("study/<slug:code>/node/<int:number>", looking.node, name="study_node"),
    path("study/<slug:code>/view", looking.view, name="study_view"),
    path("study/<slug:code>/edit", editing.edit, name="study_edit"),
    path("study/<slug:code>/rename", editing.rename, name="study_rename"),
    path("study/<slug:code>/copy", editing.copy, name="study_copy"),
    path("study/<slug:code>/delete", editing.delete, name="study_delete"),
    path("study/<slug:code>/restore", editing.restore, name="study_restore"),
    path("study/<slug:code>/engine", engine.engine, name="study_engine"),
    path("study/<slug:code>/survey", survey.survey, name="study_survey"),
    path("study/<slug:code>/download.<slug:form>", downloads.download, name="study_download"),
    path("chart.css", survey.chart_style, name="chart_style"),
]
