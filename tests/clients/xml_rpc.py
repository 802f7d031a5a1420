"""Uses the interface through the XML-RPC library of Python, as the examples in aria2's manual do.

Arguments: the port, the secret, and the address of a file. Exits with 1 if a check fails.
"""

import sys
import time
import xmlrpc.client

PORT, SECRET, FILE = sys.argv[1:]
TOKEN = f"token:{SECRET}"
# A shorter GID could be the beginning of the GID of the download, which is random.
MISSING = "0" * 16
# Seconds. Only a failed test waits this long.
PATIENCE = 60

server = xmlrpc.client.ServerProxy(f"http://127.0.0.1:{PORT}/rpc")
gid = server.aria2.addUri(TOKEN, [FILE], {"out": "xml <&>.bin", "split": 2})
end = time.monotonic() + PATIENCE
while (status := server.aria2.tellStatus(TOKEN, gid, ["status", "files", "totalLength"]))["status"] != "complete":
    assert status["status"] in ("waiting", "active") and time.monotonic() < end, status
    time.sleep(0.05)
assert status["files"][0]["uris"][0]["uri"] == FILE, status
assert status["files"][0]["completedLength"] == status["totalLength"], status

calls = xmlrpc.client.MultiCall(server)
calls.aria2.getVersion(TOKEN)
calls.aria2.tellStatus(TOKEN, MISSING)
results = calls()
assert results[0]["version"] == "1.36.0"
try:
    print(results[1])
except xmlrpc.client.Fault as fault:
    assert (fault.faultCode, fault.faultString) == (1, f"GID {MISSING} is not found"), fault
else:
    raise AssertionError("the call was not refused")

try:
    server.aria2.getVersion("token:wrong")
except xmlrpc.client.Fault as fault:
    assert fault.faultString == "Unauthorized", fault
else:
    raise AssertionError("the call was not refused")
