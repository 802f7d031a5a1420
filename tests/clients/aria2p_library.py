"""Uses the interface through the library aria2p, as its documentation describes.

Arguments: the port, the secret, the address of a web server, and the folder of downloads. The server has the files `/ok`
and `/held`. It never completes `/held`. Exits with 1 if a check fails.
"""

import base64
import pathlib
import sys
import tempfile
import threading
import time

import aria2p

PORT, SECRET, WEB, FOLDER = int(sys.argv[1]), sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
HOST = "http://127.0.0.1"
# Time limit in seconds. Only a failed test waits this long.
PATIENCE = 60


def expect(value, expected):
    if value != expected:
        raise AssertionError(f"{value!r} instead of {expected!r}")


def reach(download, status):
    """Waits until the download has this status. Polls, because no call of the interface waits for a status."""
    end = time.monotonic() + PATIENCE
    while True:
        download.update()
        if download.status == status:
            return download
        if time.monotonic() > end:
            raise AssertionError(f"{download.status} instead of {status}: {download.error_message}")
        time.sleep(0.05)


def refused(call):
    """Makes a call that the server must refuse. Returns the message of the refusal."""
    try:
        call()
    except aria2p.ClientException as error:
        return error.message
    raise AssertionError("the call was not refused")


def download_a_file(api):
    ended = threading.Event()
    api.listen_to_notifications(threaded=True, on_download_complete=lambda _api, _gid: ended.set(), timeout=1)
    download = reach(api.add_uris([f"{WEB}/ok"], options={"out": "library.bin", "split": "4"}), "complete")
    if not ended.wait(PATIENCE):
        raise AssertionError("no notification")
    api.stop_listening()
    expect((download.name, download.progress, download.is_complete), ("library.bin", 100.0, True))
    expect(download.completed_length, (FOLDER / "library.bin").stat().st_size)
    expect(download.root_files_paths, [FOLDER / "library.bin"])
    expect([one.gid for one in api.get_downloads()], [download.gid])
    expect(api.remove([download]), [True])
    expect(api.get_downloads(), [])


def pause_and_move(api):
    paused = {"pause": "true"}
    downloads = [api.add_uris([f"{WEB}/ok"], options={**paused, "out": f"{name}.bin"}) for name in "abc"]
    expect(api.move_to_top(downloads[2]), 0)
    expect(api.move_down(downloads[2]), 1)
    expect([one.gid for one in api.get_downloads()], [downloads[at].gid for at in (0, 2, 1)])
    api.set_options({"max-download-limit": "100K"}, [downloads[0]])
    expect(api.get_options([downloads[0]])[0].max_download_limit, 102400)
    held = reach(api.add_uris([f"{WEB}/held"], options={"out": "held.bin"}), "active")
    expect(api.get_stats().num_active, 1)
    expect(api.get_stats().num_waiting, 3)
    expect(api.pause([held]), [True])
    reach(held, "paused")
    expect(api.resume([held]), [True])
    reach(held, "active")
    expect(api.remove([held, *downloads], force=True), [True] * 4)
    expect(api.get_downloads(), [])


def add_a_metalink(api):
    files = "".join(f'<file name="{name}.bin"><url>{WEB}/ok</url></file>' for name in ("m1", "m2"))
    with tempfile.NamedTemporaryFile("w", suffix=".meta4") as document:
        document.write(f'<metalink xmlns="urn:ietf:params:xml:ns:metalink">{files}</metalink>')
        document.flush()
        downloads = api.add_metalink(document.name)
    expect([reach(one, "complete").name for one in downloads], ["m1.bin", "m2.bin"])
    expect(api.purge(), True)
    torrent = base64.b64encode(b"de").decode()
    expect("torrents" in refused(lambda: api.client.add_torrent(torrent, [])), True)


def change_options_of_the_program(api):
    expect(api.set_global_options({"max-overall-download-limit": "5M"}), True)
    expect(api.get_global_options().max_overall_download_limit, 5 << 20)
    expect(api.set_global_options({"max-overall-download-limit": "0"}), True)


def make_several_calls(client):
    answers = client.multicall2([("aria2.getVersion", []), ("aria2.tellStatus", ["1"])])
    expect(answers[0][0]["version"], client.get_version()["version"])
    expect(answers[1]["message"], "GID 1 is not found")
    expect(len(client.get_session_info()["sessionId"]), 40)
    expect(client.save_session(), "OK")
    expect("--aria2-may-stop" in refused(client.shutdown), True)
    expect(refused(aria2p.Client(HOST, PORT, "wrong").get_version), "Unauthorized")
    expect(refused(aria2p.Client(HOST, PORT).get_version), "Unauthorized")


CLIENT = aria2p.Client(HOST, PORT, SECRET)
API = aria2p.API(CLIENT)
download_a_file(API)
pause_and_move(API)
add_a_metalink(API)
change_options_of_the_program(API)
make_several_calls(CLIENT)
