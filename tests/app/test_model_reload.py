"""SIGHUP: a changed routing file is taken over, a broken one is not."""

import signal
from pathlib import Path

from config.settings import Settings
from tests.ke_process import has_fork_server, new_data_dir, serving, wait_for

SHIPPED = Settings().models_file


def test_hangup_takes_a_changed_file_over_and_keeps_the_old_one_where_it_is_broken(
    tmp_path: Path,
) -> None:
    file = tmp_path / "models.yaml"
    file.write_text(SHIPPED.read_text())
    with new_data_dir() as data_dir, serving(data_dir, KE_MODELS_FILE=str(file)) as service:
        wait_for(lambda: has_fork_server(data_dir))
        worker = service.worker()
        engine_id = service.create_engine()

        def refusal() -> str:
            body = {"name": "q", "query": "Who?", "model": "gamma-2.5"}
            path = f"/api/v1/knowledge-engines/{engine_id}/query"
            return str(service.client.post(path, json=body).json()["error"])

        assert refusal() == "Model Gamma 2.5 is not enabled"

        file.write_text(SHIPPED.read_text().replace("Gamma 2.5", "Gamma Next"))
        service.process.send_signal(signal.SIGHUP)
        wait_for(lambda: refusal() == "Model Gamma Next is not enabled")

        file.write_text("models: {}\nauto: {}\n")
        service.process.send_signal(signal.SIGHUP)
        # By the API and by the worker, which may have come too late to read the file before.
        wait_for(lambda: service.log.read_text().count("auto.standard: missing") >= 2)
        assert refusal() == "Model Gamma Next is not enabled"
        assert service.worker() == worker
