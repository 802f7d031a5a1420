//! What somebody asks for, and where it is to stand.

use std::path::PathBuf;

use ashore_transfer::Guid;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{ImageResource, UniqueId};

/// What somebody asks for: an ordered list of requests under one title.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct NewRegistration {
    /// Who asks: `window`, `command-line`, or a name of the caller's own.
    pub owner: String,
    /// How it came to be asked for.
    #[ts(as = "Option<Source>", optional)]
    pub source: Source,
    /// Nothing is added while everything is paused: what is not wanted then is not wanted later.
    #[ts(as = "Option<bool>", optional)]
    pub ignore_when_paused: bool,
    /// The owner's own name for it, 1 byte to 1 MiB; unique among the owner's active ones. None: the `unique_id`.
    pub developer_id: Option<String>,
    /// What people see. None: taken from the requests.
    pub title: Option<String>,
    /// What it is, in more words; at most 64 KiB.
    pub description: Option<String>,
    /// An image file shown beside the title, where there is only one; the same as `icons` with this one.
    #[serde(default, with = "crate::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub icon: Option<PathBuf>,
    /// Image files of which the one that fits is shown beside the title, at most 32.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ImageResource>>", optional)]
    pub icons: Vec<ImageResource>,
    /// How many bytes all bodies may have together; 0 when nobody knows.
    #[serde(rename = "downloadTotal")]
    #[ts(as = "Option<u32>", optional)]
    pub download_total: u64,
    /// Where files go. None: the folder of the settings.
    #[serde(default, with = "crate::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub folder: Option<PathBuf>,
    /// Wait for `resume` instead of starting.
    #[ts(as = "Option<bool>", optional)]
    pub paused: bool,
    /// Where it stands in the queue. None: where the settings say.
    pub place: Option<Place>,
    /// Of its requests at once, 1 to 64; 1: one after the other, in order. None: as many as the settings allow.
    pub parallel: Option<u32>,
    /// How long it stays in the list when it is over, in seconds, up to a hundred years. None: as the settings say.
    #[ts(type = "number", optional)]
    pub keep_for_seconds: Option<u64>,
    /// Whether its end event is kept for clients of the owner until one acknowledges it. None: as soon as a client has
    /// registered for the owner, unless that is the person (`window`, `command-line`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deliver: Option<bool>,
    /// When it leaves the list by itself, its files go to the trash, where they are still those that were downloaded.
    #[ts(as = "Option<bool>", optional)]
    pub takes_files: bool,
    /// What to fetch, in order.
    pub requests: Vec<NewRequest>,
}

/// How a download came to be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum Source {
    /// A person, in the window.
    Window,
    /// A person, with the command.
    CommandLine,
    /// A feed that is followed.
    Feed,
    /// A link that was copied.
    Clipboard,
    /// Another device of the person's.
    Device,
    /// Any other program.
    #[default]
    Program,
}

impl Source {
    /// Somebody meant it, this once.
    pub fn is_person(self) -> bool {
        matches!(self, Self::Window | Self::CommandLine)
    }
}

/// A place in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum Place {
    /// Before everything, at once: where there is no room, the last of what runs is set aside with its bytes kept.
    Now,
    /// Next, when there is room.
    Top,
    /// Right before this one, which is active.
    Before(UniqueId),
    /// After everything.
    Bottom,
}

/// One request of a new registration. What is not said of it is not written: most are an address and nothing else, and there
/// may be a hundred thousand in one message.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct NewRequest {
    /// Where from: `http` or `https`, without credentials.
    pub url: String,
    /// `GET` (the default), `HEAD`, `POST`, `PUT` (the default with `upload_file`), `PATCH` or `DELETE`. All but the first two may
    /// have an `upload_file` and need none; what they do at the server is never asked for twice by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Extra header fields, name and value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<(String, String)>>", optional)]
    pub headers: Vec<(String, String)>,
    /// The file sent as the body; it is copied before the id returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default, with = "crate::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub upload_file: Option<PathBuf>,
    /// The file's name. None: from the answer and the URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the file must hash to: `sha-256=HEX`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
    /// The same in other algorithms; all of them must hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub checksums: Vec<String>,
    /// The file's size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(type = "number", optional)]
    pub size: Option<u64>,
    /// Digests of the file's pieces, so that a bad one is fetched again alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<NewPieces>,
    /// Further addresses of the same file, the best first: `http` or `https`, without credentials.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub mirrors: Vec<String>,
    /// Not fetched where its file is in the folder already, and right: the one that the list knows under this address, unchanged
    /// since, or one that is as long and not older than what the server offers.
    #[serde(skip_serializing_if = "is_false")]
    #[ts(as = "Option<bool>", optional)]
    pub skip_existing: bool,
    /// A failure of this one does not fail the registration.
    #[serde(skip_serializing_if = "is_false")]
    #[ts(as = "Option<bool>", optional)]
    pub optional: bool,
    /// What is fetched when this one is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
    /// The answer that waits for it, from a `Probed`. One that has been let go meanwhile is no loss: it is asked for anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(type = "string", optional)]
    pub probe: Option<Guid>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// What comes after a request, in the same registration: added to the list in the transaction that completes it, so that
/// a crash loses no part and fetches none twice. After a failure of an optional one the chain goes on.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
#[ts(export)]
pub enum Next {
    /// The next page of a numbered series.
    Series(Series),
    /// The first of these, and the others after it; at most 1,000.
    List(Vec<NewRequest>),
    /// What this file names, one link a line (lines that begin with # aside); at most 10,000 in 4 MiB.
    Parts {
        /// A failure of one of them does not fail the registration.
        #[serde(default)]
        optional: bool,
    },
}

/// Pages that differ by a number; at most 100,000.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export, optional_fields)]
pub struct Series {
    /// The address, with `{}` where the number goes.
    pub url: String,
    /// The number of the next page.
    #[ts(type = "number")]
    pub number: u64,
    /// The number of the last one.
    #[ts(type = "number")]
    pub until: u64,
    /// Numbers are filled up with zeros to so many digits.
    #[serde(default)]
    #[ts(as = "Option<u8>", optional)]
    pub width: u8,
    /// What the pages are called, with `{}` where the number goes. None: what the server calls them.
    pub name: Option<String>,
    /// Pages that are there already, and right, are not fetched.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub skip_existing: bool,
}

/// Digests of the pieces of a file, all of one length but for the last, which may be shorter.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct NewPieces {
    /// How they were computed: `sha-256`, `sha-512`, `sha-1` or `md5`.
    pub algorithm: String,
    /// Bytes in a piece.
    #[ts(type = "number")]
    pub length: u64,
    /// The digest of each piece in order, in hexadecimal digits.
    pub digests: Vec<String>,
}
