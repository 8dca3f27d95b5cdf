"""Builds a digest for looking at, again after every save, and serves it meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from sitegen.diagnostics import Problem
from sitegen.digest import BuildOptions
from sitegen.progress import Progress
from sitegen.serve.handler import make_server
from sitegen.serve.preview import Preview
from sitegen.serve.watch import await_change


def serve(
    options: BuildOptions,
    *,
    port: int,
    progress: Progress,
    say: Callable[[str], None],
    complain: Callable[[Sequence[Problem]], None],
) -> None:
    """Serve a digest and keep it new until interrupted.

    Args:
        options: as for a build; output and registry are left alone.
        port: first one to try.
        progress: of the first build.
        say: prints a line.
        complain: prints problems.

    Raises:
        SitegenError: no port is free.
    """
    preview = Preview(options, complain)
    live = preview.live
    with make_server(preview.folder, live.base_path, port, live) as server:
        serving = threading.Thread(target=server.serve_forever, name="serve")
        try:
            watching, seen = preview.names, preview.look()
            known = preview.build(progress)
            complain(known)
            serving.start()
            host, bound = server.server_address[:2]
            say(f"http://{host!s}:{bound}{live.base_path}  (stop with Ctrl-C)")
            while True:
                seen = await_change(preview.look, seen)
                start = time.perf_counter()
                problems = preview.build(Progress())
                if problems != known:
                    complain(problems)
                known = problems
                outcome = "not rebuilt" if live.shown.kept else f"rebuilt: {preview.changed} files"
                if preview.names != watching:  # site.toml names other sources now
                    watching, seen = preview.names, preview.look()
                say(f"{outcome} ({time.perf_counter() - start:.2f} s)")
        except KeyboardInterrupt:
            say("stopped")
        finally:
            live.close()
            preview.close()
            if serving.ident is not None:
                server.shutdown()
                serving.join()
