from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("guests", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="guest",
            name="sign_outs",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
