"""The addresses of analysis boards, all under `/analysis/`."""

from django.urls import path

from kakomi.server.analysis.views import detail, downloads, edit, engine, game_analysis, new

urlpatterns = [
    path("", detail.studies, name="analysis"),
    path("new/<slug:game>", new.new, name="analysis_new"),
    path("position/<slug:game>", new.position, name="analysis_position"),
    path("table/<slug:code>", new.table, name="analysis_table"),
    path("upload", new.upload, name="analysis_upload"),
    path("study/<slug:code>", detail.study, name="study"),
    path("study/<slug:code>/node/<int:number>", detail.node, name="study_node"),
    path("study/<slug:code>/view", detail.view, name="study_view"),
    path("study/<slug:code>/edit", edit.edit, name="study_edit"),
    path("study/<slug:code>/rename", edit.rename, name="study_rename"),
    path("study/<slug:code>/copy", edit.copy, name="study_copy"),
    path("study/<slug:code>/delete", edit.delete, name="study_delete"),
    path("study/<slug:code>/restore", edit.restore, name="study_restore"),
    path("study/<slug:code>/engine", engine.engine, name="study_engine"),
    path("study/<slug:code>/survey", game_analysis.game_analysis, name="study_survey"),
    path("study/<slug:code>/download.<slug:form>", downloads.download, name="study_download"),
    path("chart.css", game_analysis.chart_style, name="chart_style"),
]
