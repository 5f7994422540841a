"""A headless Chromium, driven through its debugging pipe: no driver, no package, no open port."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--disable-dev-shm-usage",
)  # fmt: skip
# The browser reads commands from 3 and answers on 4; pipes may have any numbers, so they are moved there.
_MOVE_PIPES = (
    "import fcntl, os, sys\n"
    "high = [fcntl.fcntl(int(fd), fcntl.F_DUPFD, 20) for fd in sys.argv[1:3]]\n"
    "os.dup2(high[0], 3); os.dup2(high[1], 4)\n"
    "os.execvp(sys.argv[3], sys.argv[3:])\n"
)
_PATIENCE = 180.0


def find_chromium() -> str:
    """Return the browser, or skip the test."""
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            return found
    return pytest.skip("there is no Chromium on the PATH")


class Chromium:
    """One page in one browser; it remembers every request and everything that the console said."""

    def __init__(self, binary, profile):
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        self._process = subprocess.Popen(
            [
                sys.executable, "-c", _MOVE_PIPES, str(commands), str(answers), binary, *_FLAGS,
                "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank",
            ],
            pass_fds=(commands, answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(commands)
        os.close(answers)
        self._buffer, self._number, self._session = b"", 0, None
        self.requests, self.complaints, self._events = [], [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._commands)
        os.close(self._answers)

    def open(self, path, *, width=1200, height=900, scheme="light"):
        """Show a file, anew."""
        mobile = width < 600
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=mobile,
        )  # fmt: skip
        self.choose_scheme(scheme)
        self.requests.clear()
        self.complaints.clear()
        self._events.clear()
        self.call("Page.navigate", url=path.as_uri())
        self._wait_for("Page.loadEventFired")

    def choose_scheme(self, scheme):
        """Let the system be light or dark."""
        self.choose_media("", scheme=scheme)

    def choose_media(self, media, *, scheme):
        """Show the page as on a screen, or as in "print"."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", media=media, features=[feature])

    def evaluate(self, script):
        """Return the value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key, code):
        """Press a key where the focus is."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text
            )

    def screenshot(self, path):
        """Write a picture of what is seen."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def call(self, method, **parameters):
        """Send a command and return its answer; what happens meanwhile is kept."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._commands, data) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def _wait_for(self, event):
        while event not in self._events:
            self._next()

    def _next(self):
        deadline = time.monotonic() + _PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._answers], [], [], max(0.0, deadline - time.monotonic()))
            data = os.read(self._answers, 1 << 20) if ready else b""
            if not data:
                raise RuntimeError("the browser ended" if ready else "the browser does not answer")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(line)
        self._note(message)
        return message

    def _note(self, message):
        event, found = message.get("method"), message.get("params", {})
        self._events.append(event)
        if event == "Network.requestWillBeSent":
            self.requests.append(found["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(found["exceptionDetails"]))
        elif event == "Runtime.consoleAPICalled" and found["type"] in ("error", "warning", "assert"):
            self.complaints.append(json.dumps(found["args"]))
        elif event == "Log.entryAdded" and found["entry"]["level"] in ("error", "warning"):
            self.complaints.append(json.dumps(found["entry"]))
