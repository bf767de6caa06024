"""`python -m docs.reference`: write what the reference takes from the code."""

from __future__ import annotations

from pathlib import Path

from docs.reference import club, commands, configuration, endpoints, man, signs
from vision.evaluation.document_section import write_between

HERE = Path(__file__).parent

if __name__ == "__main__":
    write_between(HERE / "commands.md", "<!-- commands -->", "<!-- /commands -->", commands.markdown())
    (HERE / "perudo.1").write_text(man.page(), encoding="utf-8")
    write_between(HERE / "api.md", "<!-- endpoints -->", "<!-- /endpoints -->", endpoints.markdown())
    (HERE / "openapi.json").write_text(endpoints.openapi(), encoding="utf-8")
    write_between(
        HERE / "configuration.md", "<!-- configuration -->", "<!-- /configuration -->", configuration.markdown()
    )
    write_between(HERE / "club.md", "<!-- payloads -->", "<!-- /payloads -->", club.payloads())
    write_between(HERE / "club.md", "<!-- addresses -->", "<!-- /addresses -->", club.addresses())
    (HERE / "club.schema.json").write_text(club.schema(), encoding="utf-8")
    write_between(HERE / "wiring.md", "<!-- signs -->", "<!-- /signs -->", signs.markdown())
