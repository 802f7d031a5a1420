"""Client of Sync Storage 1.5 in another language, written only from the description of the protocol.

Takes the root of a server and a set-up link, enrols a device, and uses the storage once with the bearer token of the device and
once with Hawk. The client imports only the standard library, and no code of the server. Exits with 1 at the first deviation.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.text = status, headers, body.decode()

    def json(self):
        return json.loads(self.text)

    def modified(self):
        """Returns X-Last-Modified as the text that the server sent."""
        return self.headers["X-Last-Modified"]


def hkdf(secret, salt, info):
    """Returns 32 bytes of HKDF with SHA-256 (RFC 5869)."""
    key = hmac.new(salt, secret, hashlib.sha256).digest()
    return hmac.new(key, info + b"\x01", hashlib.sha256).digest()


def bearer(token):
    return lambda method, url: f"Bearer {token}"


def hawk(identity, key):
    """Signs method, resource, host and port with HMAC-SHA256."""

    def sign(method, url):
        parts = urllib.parse.urlsplit(url)
        resource = parts.path + (f"?{parts.query}" if parts.query else "")
        port = parts.port or (443 if parts.scheme == "https" else 80)
        now, nonce = str(int(time.time())), base64.b64encode(os.urandom(6)).decode()
        text = "\n".join(["hawk.1.header", now, nonce, method, resource, parts.hostname, str(port), "", "", ""])
        mac = base64.b64encode(hmac.new(key.encode(), text.encode(), hashlib.sha256).digest()).decode()
        return f'Hawk id="{identity}", ts="{now}", nonce="{nonce}", mac="{mac}"'

    return sign


class Client:
    def __init__(self, root, sign=None):
        self.root, self.sign = root, sign

    def ask(self, method, path, body=None, **headers):
        url = self.root + path
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(url, data=data, method=method, headers=named)
        if data is not None and "Content-Type" not in named:
            request.add_header("Content-Type", "application/json")
        if self.sign:
            request.add_header("Authorization", self.sign(method, url))
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                answer = Answer(response.status, response.headers, response.read())
        except urllib.error.HTTPError as error:
            answer = Answer(error.code, error.headers, error.read())
        # X-Weave-Timestamp is never earlier than X-Last-Modified.
        now = answer.headers["X-Weave-Timestamp"]
        assert float(now) >= float(answer.headers.get("X-Last-Modified", 0)), (now, answer.modified())
        return answer

    def expect(self, status, method, path, body=None, **headers):
        answer = self.ask(method, path, body, **headers)
        assert answer.status == status, (method, path, answer.status, answer.text)
        return answer

    def pages(self, path, limit):
        """Returns every row of a listing, read page by page."""
        rows, offset = [], ""
        while True:
            answer = self.expect(200, "GET", f"{path}&limit={limit}{offset}")
            page = answer.json()
            assert len(page) <= limit and int(answer.headers["X-Weave-Records"]) == len(page), answer.text
            rows += page
            following = answer.headers.get("X-Weave-Next-Offset")
            if following is None:
                return rows
            offset = "&offset=" + urllib.parse.quote(following)


def enrol(server, link):
    """Creates a user and a device with a link. Returns the uid and the token."""
    place, fragment = link.removeprefix("ashore://join/").split("#")
    _, uid, invite = place.split("/")
    secret = fragment.split(".")[0]
    auth = hkdf(secret.encode(), uid.encode(), b"ashore-sync/1/auth").hex()
    asked = {"uid": int(uid), "invite": invite, "auth": auth, "name": "A client in Python"}
    made = server.expect(201, "POST", "/1.0/enrol", asked).json()
    server.expect(401, "POST", "/1.0/enrol", asked)
    return made["uid"], made["token"]


def single_objects(client, name):
    assert client.expect(200, "GET", f"/storage/{name}").text == "[]"
    client.expect(404, "GET", f"/storage/{name}/a")
    first = client.expect(200, "PUT", f"/storage/{name}/a", {"payload": "ä\n\u2028", "sortindex": 3}, X_If_Unmodified_Since="0")
    assert first.text == first.modified(), "the body is the time"
    read = client.expect(200, "GET", f"/storage/{name}/a")
    assert read.json() == {"id": "a", "payload": "ä\n\u2028", "sortindex": 3, "modified": float(first.text)}, read.text
    second = client.expect(200, "PUT", f"/storage/{name}/a", {"sortindex": 4})
    assert float(second.text) > float(first.text), "times of writes strictly increase"
    kept = client.expect(200, "GET", f"/storage/{name}/a").json()
    assert (kept["payload"], kept["sortindex"]) == ("ä\n\u2028", 4), kept
    assert client.expect(400, "PUT", f"/storage/{name}/a", {"payload": 1}).text == "8"


def conditions(client, name):
    known = client.expect(200, "GET", f"/storage/{name}/a").modified()
    for path in (f"/storage/{name}/a", f"/storage/{name}", "/info/collections"):
        seen = client.expect(200, "GET", path).modified()
        unchanged = client.expect(304, "GET", path, X_If_Modified_Since=seen)
        assert (unchanged.text, unchanged.modified()) == ("", seen), path
        client.expect(200, "GET", path, X_If_Modified_Since="1.00")
    refused = client.expect(412, "PUT", f"/storage/{name}/a", {"payload": "lost"}, X_If_Unmodified_Since="1.00")
    assert refused.modified() == known and refused.text == "", "a refusal states the current time of modification"
    client.expect(412, "PUT", f"/storage/{name}/a", {"payload": "lost"}, X_If_Unmodified_Since="0")
    client.expect(412, "DELETE", f"/storage/{name}", X_If_Unmodified_Since="1.00")
    assert client.expect(200, "GET", f"/storage/{name}/a").json()["payload"] != "lost"
    assert client.expect(200, "PUT", f"/storage/{name}/a", {"sortindex": 5}, X_If_Unmodified_Since=known)
    client.expect(400, "GET", f"/storage/{name}", X_If_Modified_Since="yesterday")
    client.expect(400, "GET", f"/storage/{name}", X_If_Modified_Since="1", X_If_Unmodified_Since="1")


def batches(client, name):
    before = client.expect(200, "GET", f"/storage/{name}").modified()
    objects = [{"id": f"b{number:03}", "payload": "y" * 10, "sortindex": number} for number in range(250)]
    begun = client.expect(202, "POST", f"/storage/{name}?batch=true", objects[:100], X_If_Unmodified_Since=before).json()
    assert len(begun["success"]) == 100 and begun["failed"] == {}, begun
    batch = urllib.parse.quote(begun["batch"], safe="")
    lines = "".join(json.dumps(one) + "\n" for one in objects[100:200]).encode()
    client.expect(202, "POST", f"/storage/{name}?batch={batch}", lines, Content_Type="application/newlines")
    assert client.expect(200, "GET", f"/storage/{name}").json() == ["a"], "nothing of an open batch is visible"
    done = client.expect(200, "POST", f"/storage/{name}?batch={batch}&commit=true", objects[200:], X_If_Unmodified_Since=before)
    assert f'"modified":{done.modified()}' in done.text, done.text
    client.expect(400, "POST", f"/storage/{name}?batch={batch}&commit=true", [])
    rows = client.expect(200, "GET", f"/storage/{name}?full=1&newer={before}").json()
    assert len(rows) == 250 and {row["modified"] for row in rows} == {float(done.modified())}, "all at once, with one time"


def listings(client, name):
    names = [f"b{number:03}" for number in range(250)]
    oldest = client.pages(f"/storage/{name}?sort=oldest", 37)
    assert oldest == ["a"] + names, oldest
    assert client.pages(f"/storage/{name}?sort=newest", 100) == oldest[::-1]
    by_index = client.pages(f"/storage/{name}?full=1&sort=index", 60)
    indexes = [row["sortindex"] for row in by_index]
    assert len(by_index) == 251 and indexes == sorted(indexes, reverse=True)
    some = client.expect(200, "GET", f"/storage/{name}?full=1&ids=b001,b200,none").json()
    assert sorted(row["id"] for row in some) == ["b001", "b200"]
    lines = client.expect(200, "GET", f"/storage/{name}?sort=oldest&limit=3", Accept="application/newlines")
    assert lines.text == '"a"\n"b000"\n"b001"\n' and lines.headers["Content-Type"] == "application/newlines"
    for wrong in ("newer=x", "limit=-1", "sort=up", "offset=x", "ids=a%0A"):
        assert client.expect(400, "GET", f"/storage/{name}?{wrong}").text == "0", wrong
    client.expect(406, "GET", f"/storage/{name}", Accept="text/html")


def counters(client, name):
    assert client.expect(200, "GET", "/info/collection_counts").json()[name] == 251
    bytes_there = len("ä\n\u2028".encode()) + 250 * 10
    assert client.expect(200, "GET", "/info/collection_usage").json()[name] == bytes_there / 1024
    used, limit = client.expect(200, "GET", "/info/quota").json()
    assert used == bytes_there / 1024 and limit == 2 * 1024 * 1024
    stored = client.expect(200, "GET", "/info/collections").json()[name]
    assert stored == float(client.expect(200, "GET", f"/storage/{name}").modified())
    assert client.expect(200, "GET", "/info/configuration").json()["max_post_records"] == 100


def deletions(client, name):
    known = client.expect(200, "GET", f"/storage/{name}").modified()
    client.expect(200, "DELETE", f"/storage/{name}/b000")
    client.expect(404, "DELETE", f"/storage/{name}/b000")
    deleted = client.expect(200, "DELETE", f"/storage/{name}?ids=b001,b002")
    assert float(deleted.modified()) > float(known), "a deletion is a write"
    assert len(client.expect(200, "GET", f"/storage/{name}").json()) == 248
    client.expect(400, "DELETE", "/storage?ids=")
    client.expect(200, "DELETE", f"/storage/{name}")
    assert name not in client.expect(200, "GET", "/info/collections").json()
    client.expect(200, "PUT", f"/storage/{name}/z", {"payload": "z", "ttl": 0})
    client.expect(404, "GET", f"/storage/{name}/z")
    client.expect(200, "DELETE", "/storage")
    assert client.expect(200, "GET", "/info/collections").json() == {}


def limits(client, name):
    """A client that sends all of an oversized request can read the reason of the refusal."""
    refused = client.expect(413, "PUT", f"/storage/{name}/big", {"payload": "x" * 6_000_000})
    assert refused.text == "17", refused.text
    many = [{"id": str(number)} for number in range(101)]
    failed = client.expect(200, "POST", f"/storage/{name}", many).json()["failed"]
    assert failed == {"100": "retry bso"}, failed
    client.expect(200, "DELETE", f"/storage/{name}")


def main(server, link):
    uid, token = enrol(Client(server), link)
    credentials = Client(server, bearer(token)).expect(200, "GET", "/1.0/sync/1.5").json()
    root = f"{server}/1.5/{uid}"
    assert credentials["api_endpoint"] == root and credentials["hashalg"] == "sha256", credentials
    identity, key = credentials["id"], credentials["key"]
    Client(root).expect(401, "GET", "/info/collections")
    Client(root, bearer(token + "x")).expect(401, "GET", "/info/collections")
    Client(root, hawk(identity, key + "x")).expect(401, "GET", "/info/collections")
    Client(f"{server}/1.5/{uid + 1}", bearer(token)).expect(400, "GET", "/info/collections")
    for sign, name in ((bearer(token), "tabs"), (hawk(identity, key), "with-hawk")):
        client = Client(root, sign)
        for step in (single_objects, conditions, batches, listings, counters, deletions, limits):
            step(client, name)
            print(name, step.__name__, flush=True)


main(*sys.argv[1:])
