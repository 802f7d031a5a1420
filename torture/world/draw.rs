//! What a person asks for: large files that come over several connections, sets of small ones, uploads.

use std::{collections::BTreeMap, time::Duration};

use ashore_tests::{
    machine::Machine,
    origin::{Body, Origin},
};
use rand::{Rng, rngs::StdRng};
use serde_json::{Value, json};

use super::{Asked, Shelved};

/// So much, so often, of each connection: slow enough that a death finds it on its way.
const EVERY: Duration = Duration::from_millis(8);

/// Larger files come over several connections.
pub(super) const SHARED: u64 = 16 << 20;

/// How much is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// As a person with much to fetch does: files of tens of megabytes, sets, uploads.
    Heavy,
    /// A little of each, for lives that end soon.
    Light,
}

/// One more registration, its files put on the server.
pub(super) fn registration(
    random: &mut StdRng,
    load: Load,
    origin: &Origin,
    shelf: &mut BTreeMap<String, Shelved>,
    machine: &Machine,
    number: usize,
) -> Asked {
    let mut put = |size: u64, piece: usize, sent: Option<Vec<u8>>| -> Value {
        let count = shelf.len() as u64;
        let name = format!("file-{count}.bin");
        let body = Body::seeded(count + 1, size);
        let route = origin.file(&format!("/{name}"), body.clone()).trickle(piece, EVERY);
        let url = origin.url(&format!("/{name}")).to_string();
        let request = match &sent {
            Some(bytes) => {
                let path = machine.own_file(&format!("sent-{count}"), bytes);
                json!({ "url": url, "method": "POST", "upload_file": path })
            }
            None => json!({ "url": url }),
        };
        shelf.insert(name, Shelved { route, body, sent, held: None });
        request
    };
    let is_heavy = load == Load::Heavy;
    let (most, set, sent) = if is_heavy { (6 << 20, 25, 400_000) } else { (3 << 19, 6, 100_000) };
    let requests = match random.random_range(0..20) {
        // Large enough for several connections.
        0..3 if is_heavy => vec![put(random.random_range(SHARED + (1 << 20)..28 << 20), 1 << 20, None)],
        0..10 => vec![put(random.random_range(1..most), 128 << 10, None)],
        10..17 => {
            let count = random.random_range(2..set);
            (0..count).map(|_| put(random.random_range(0..sent / 2), 64 << 10, None)).collect()
        }
        _ => {
            let body = ashore_tests::origin::content(number as u64 + 7, random.random_range(1..sent));
            vec![put(random.random_range(0..sent), 64 << 10, Some(body))]
        }
    };
    Asked { name: format!("registration-{number}"), requests, is_acknowledged: false }
}
