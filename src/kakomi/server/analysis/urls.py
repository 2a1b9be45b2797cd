"""The routes of studies, under `/analysis/`."""

from django.urls import path

from kakomi.server.analysis import async_views, sharing, try_again, views

urlpatterns = [
    path("", views.studies, name="analysis"),
    path("new/<slug:game>", views.new, name="analysis_new"),
    path("position/<slug:game>", views.position, name="analysis_position"),
    path("position/<slug:game>/picture.svg", sharing.position_svg, name="position_picture"),
    path("position/<slug:game>/picture.png", sharing.position_png, name="position_png"),
    path("position/<slug:game>/embed", sharing.position_embed, name="position_embed"),
    path("table/<slug:code>", views.table, name="analysis_table"),
    path("upload", views.upload, name="analysis_upload"),
    path("study/<slug:code>", views.study, name="study"),
    path("study/<slug:code>/picture.svg", sharing.study_svg, name="study_picture"),
    path("study/<slug:code>/picture.png", sharing.study_png, name="study_png"),
    path("study/<slug:code>/embed", sharing.study_embed, name="study_embed"),
    path("study/<slug:code>/listing", views.list_study, name="study_listing"),
    path("study/<slug:code>/view", views.view, name="study_view"),
    path("study/<slug:code>/edit", views.edit, name="study_edit"),
    path("study/<slug:code>/rename", views.rename, name="study_rename"),
    path("study/<slug:code>/copy", views.copy, name="study_copy"),
    path("study/<slug:code>/delete", views.delete, name="study_delete"),
    path("study/<slug:code>/restore", views.restore, name="study_restore"),
    path("study/<slug:code>/try/<int:ply>", try_again.page, name="study_try"),
    path("study/<slug:code>/engine", async_views.engine, name="study_engine"),
    path("study/<slug:code>/game-analysis", views.game_analysis, name="study_game_analysis"),
    path("study/<slug:code>/download.gif", async_views.download, {"form": "gif"}, name="study_film"),
    path("study/<slug:code>/download.<slug:form>", async_views.download, name="study_download"),
    path("engine/<slug:digest>/<slug:name>", views.engine_program, name="engine_program"),
    path("chart.css", views.chart_style, name="chart_style"),
]
