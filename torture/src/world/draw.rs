//! Random requests of a user: large files over several connections, registrations of many small files, and uploads.

use std::{collections::BTreeMap, time::Duration};

use ashore_testkit::{
    machine::Machine,
    origin::{Body, Origin, Route},
};
use rand::{Rng, rngs::StdRng};
use serde_json::{Value, json};

use crate::world::shelf::{AskedDownload, SHARED, Shelved, WorldEdit};

/// Interval at which a connection sends pieces, long enough that a kill can interrupt transfers.
const EVERY: Duration = Duration::from_millis(8);

/// Maximum number of files in a registration.
const MANY: u64 = 40;

/// Size in bytes below which files are sent in smaller pieces.
const SMALL: u64 = 256 << 10;

/// Load of a session: number and sizes of its downloads and uploads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnLoad {
    /// Load of a heavy user: files of tens of megabytes, many small files, and uploads.
    Heavy,
    /// The same kinds as in `Heavy`, but only a few of each, for short sessions.
    Light,
    /// Registrations of many small files, and uploads.
    Many,
    /// Uploads, and registrations of one large file each, which uses several connections.
    Large,
}

/// Serves a file slowly enough that a kill can interrupt its transfer.
pub(super) fn route(origin: &Origin, path: &str, body: &Body) -> Route {
    let piece = match body.length() {
        0..SMALL => 64 << 10,
        SMALL..SHARED => 128 << 10,
        SHARED.. => 1 << 20,
    };
    origin.file(path, body.clone()).trickle(piece, EVERY)
}

/// Draws a new registration and puts its files on the server.
pub(super) fn registration(
    random: &mut StdRng,
    load: DrawnLoad,
    origin: &Origin,
    shelf: &mut BTreeMap<String, Shelved>,
    machine: &Machine,
    number: usize,
) -> AskedDownload {
    let mut put = |size: u64, sent: Option<Vec<u8>>| -> Value {
        let upload = sent.as_ref().map(|bytes| machine.own_file(&format!("sent-{}", shelf.len()), bytes));
        let (url, _) = shelve(origin, shelf, size, sent);
        upload.map_or_else(|| json!({ "url": url }), |path| json!({ "url": url, "method": "POST", "upload_file": path }))
    };
    // Maximum values: size of any file, size of a file over one connection, number of files, and size of an upload
    // body.
    let heavy = (28 << 20, 6 << 20, 25, 400_000);
    let (largest, most, set, sent) = if load == DrawnLoad::Heavy { heavy } else { (18 << 20, 3 << 19, 6, 100_000) };
    let requests = match (load, random.random_range(0..20)) {
        (DrawnLoad::Heavy, 0..3) | (DrawnLoad::Large, 0..14) => vec![put(random.random_range(SHARED + (1 << 20)..largest), None)],
        (DrawnLoad::Many, 0..14) => {
            let count = random.random_range(MANY / 2..MANY);
            (0..count).map(|_| put(random.random_range(0..SMALL / 4), None)).collect()
        }
        (DrawnLoad::Heavy | DrawnLoad::Light, 0..10) => vec![put(random.random_range(1..most), None)],
        (DrawnLoad::Heavy | DrawnLoad::Light, 10..17) => {
            let count = random.random_range(2..set);
            (0..count).map(|_| put(random.random_range(0..sent / 2), None)).collect()
        }
        _ => {
            let body = ashore_testkit::origin::content(number as u64 + 7, random.random_range(1..sent));
            vec![put(random.random_range(0..sent), Some(body))]
        }
    };
    asked(number, requests)
}

/// Puts another file on the server, with an upload body if given. Returns its address and route.
pub(super) fn shelve(
    origin: &Origin,
    shelf: &mut BTreeMap<String, Shelved>,
    size: u64,
    sent: Option<Vec<u8>>,
) -> (String, Route) {
    let count = shelf.len() as u64;
    let name = format!("file-{count}.bin");
    let body = Body::seeded(count + 1, size);
    let route = route(origin, &format!("/{name}"), &body);
    let url = origin.url(&format!("/{name}")).to_string();
    shelf.insert(name, Shelved { routes: vec![route.clone()], addresses: vec![url.clone()], body, sent, held: None });
    (url, route)
}

/// Returns a new registration with these requests. The engine has not received it yet.
pub(super) fn asked(number: usize, requests: Vec<Value>) -> AskedDownload {
    let (is_cancelled, is_removed) = (WorldEdit::No, WorldEdit::No);
    let name = format!("registration-{number}");
    AskedDownload { titles: vec![name.clone()], name, requests, is_acknowledged: false, is_cancelled, is_removed }
}
