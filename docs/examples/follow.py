#!/usr/bin/env python3
"""Downloads a file and acknowledges its end, even if Ashore restarts: follow.py SOCKET URL FOLDER. See docs/socket.md."""
import json, socket, sys, time
class Ashore:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines, self.events, self.asked = self.socket.makefile(encoding="utf-8"), [], 0
    def read(self):
        line = self.lines.readline()
        if not line.endswith("\n"):
            raise ConnectionError("Ashore has closed")
        return json.loads(line)
    def ask(self, method, **params):
        self.asked += 1
        request = {"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        while (message := self.read()).get("id") != self.asked:
            self.events.append(message["params"])  # This event arrived before the response.
        if "error" in message:
            sys.exit(message["error"]["message"])
        return message["result"]
    def event(self):
        return self.events.pop(0) if self.events else self.read()["params"]
path, url, folder = sys.argv[1:]
added = None
while True:
    try:
        ashore, one = Ashore(path), {}
        ashore.ask("greet", version=1, owner="example")
        ashore.ask("subscribe")  # Ashore sends unacknowledged ends again.
        added = added or ashore.ask("add", folder=folder, requests=[{"url": url}])["unique_id"]
        while one.get("unique_id") != added:
            event = ashore.event()
            one = event["registration"] if event["type"] == "ended" else {}
        print(one["result"], one["event_number"], one["path"], flush=True)
        input()  # A real program processes the file here, before it acknowledges.
        sys.exit(not ashore.ask("acknowledge", unique_id=added, event_number=one["event_number"]))
    except OSError:
        time.sleep(0.1)  # Ashore has closed, or is still starting.
