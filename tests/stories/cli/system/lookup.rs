//! Tests a name server that reports a name as missing, that fails, or that does not answer.
//!
//! Each case has its own code, text and number of tries. The engine uses the system's lookup with a private
//! `resolv.conf`.

use std::{
    fs,
    net::{Ipv4Addr, UdpSocket},
    thread,
};

use ashore_testkit::{
    apart::Apart,
    machine::{Machine, digest_of},
    origin::{Body, Origin},
    tools::run,
};
use serde_json::json;
use sha2::{Digest, Sha256};

/// Number of tries after a failure of the name server. A missing name gets fewer tries.
const ATTEMPTS: u64 = 6;
const NAMELESS: u64 = 4;

const A: [u8; 2] = [0, 1];
const SERVFAIL: u8 = 2;
const NXDOMAIN: u8 = 3;

/// Starts a local name server that runs until this program ends.
///
/// The answers depend on the name. Returns `None` if the system's lookup cannot reach this server on port 53.
fn name_server() -> Option<Ipv4Addr> {
    let [.., high, low] = std::process::id().to_be_bytes();
    let address = Ipv4Addr::new(127, 83, high, low.clamp(1, 254));
    let socket = UdpSocket::bind((address, 53)).ok()?;
    thread::spawn(move || {
        let mut asked = [0; 512];
        while let Ok((length, whom)) = socket.recv_from(&mut asked) {
            if let Some(answer) = answer(&asked[..length]) {
                let _ = socket.send_to(&answer, whom);
            }
        }
    });
    Some(address)
}

/// Returns the answer to a query (RFC 1035, section 4); `None` if the server must not answer.
fn answer(asked: &[u8]) -> Option<Vec<u8>> {
    const HEAD: usize = 12;
    let name = HEAD + asked[HEAD..].iter().position(|byte| *byte == 0)?;
    let (first, end) = (&asked[HEAD + 1..][..usize::from(asked[HEAD])], name + 5);
    let wants_address = asked[name + 1..][..2] == A;
    let (code, is_there) = match first {
        b"nobody" => (NXDOMAIN, false),
        b"broken" => (SERVFAIL, false),
        b"silent" => return None,
        // This name has only an IPv4 address, so answers to queries for other record types are empty.
        _ => (0, wants_address),
    };
    let mut said = asked[..2].to_vec();
    // Header of a recursive answer with one question and at most one record.
    said.extend([0x81, 0x80 | code, 0, 1, 0, is_there.into(), 0, 0, 0, 0]);
    said.extend(&asked[HEAD..end]);
    if is_there {
        // Record for the name in the question, valid for a minute.
        said.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    }
    Some(said)
}

#[tokio::test(flavor = "multi_thread")]
async fn name_lookup_distinguishes_unknown_name_from_failure_and_timeout() {
    let Some(apart) = Apart::for_a_story() else { return };
    let Some(address) = name_server() else { return eprintln!("This story is not told here. Nobody may listen on port 53.") };
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    let told = [
        ("resolv.conf", format!("nameserver {address}\noptions timeout:1 attempts:1\n")),
        ("nsswitch.conf", "hosts: files dns\n".to_owned()),
    ];
    for (name, text) in told {
        let own = machine.own_file(name, text.as_bytes());
        let system = std::path::Path::new("/etc").join(name);
        if fs::exists(&system).unwrap() {
            run(apart.command("mount").arg("--bind").arg(own).arg(system)).unwrap();
        }
    }
    machine.settings(&format!("attempts = {ATTEMPTS}\nconnect-timeout-seconds = 0.4\n"));
    machine.start_under(apart.words());
    machine.serve(None).await.unwrap_or_else(|died| panic!("{died:?}: {}", machine.log()));
    origin.file("/a", Body::seeded(1, 1000));
    let cases = [
        ("found", None, 1),
        ("nobody", Some(("dns", "Server not found")), NAMELESS),
        ("broken", Some(("name-server", "name server did not answer")), ATTEMPTS),
        ("silent", Some(("name-server", "name server did not answer")), ATTEMPTS),
    ];
    for (name, ..) in &cases {
        let mut url = origin.url("/a");
        url.set_host(Some(&format!("{name}.test"))).unwrap();
        let asked = json!({ "owner": "names", "developer_id": name, "folder": machine.target(), "requests": [{ "url": url, "name": name }] });
        machine.call("create", asked).await.unwrap();
    }
    for (name, expected, tries) in cases {
        let settled = machine.until(name, "settled", |one| one["state"] == "settled").await.unwrap();
        let page = json!({ "unique_id": settled["unique_id"], "from": 0, "limit": 1 });
        let records = machine.call("records", page).await.unwrap();
        assert_eq!(records[0]["attempts"], tries, "{name}: {records}");
        let Some((code, words)) = expected else {
            let digest = hex::encode(Sha256::digest(Body::seeded(1, 1000).slice(0, u64::MAX)));
            assert_eq!(digest_of(&machine.target().join(name)).unwrap(), digest, "the resolved server gets the request");
            continue;
        };
        assert_eq!((&settled["result"], &settled["failure"]["code"]), (&json!("failure"), &json!(code)), "{name}: {settled}");
        assert!(settled["failure"]["text"].as_str().unwrap().contains(words), "{name}: {settled}");
    }
    machine.stop().await;
}
