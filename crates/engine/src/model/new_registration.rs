//! New registrations, their requests, and their place in the queue.

use std::path::PathBuf;

use ashore_transfer::Guid;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{ImageResource, UniqueId};

/// New registration: an ordered list of requests under one title.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct NewRegistration {
    /// Owner: `window`, `command-line`, or a name chosen by the caller.
    pub owner: String,
    /// Source of the request for this registration.
    #[ts(as = "Option<RequestSource>", optional)]
    pub source: RequestSource,
    /// Whether to drop the registration if everything is paused. A dropped registration is not added later.
    #[ts(as = "Option<bool>", optional)]
    pub ignore_when_paused: bool,
    /// Name that the owner chose, 1 byte to 1 MiB. With `None`, the name is the `unique_id`.
    ///
    /// Unique among the owner's active registrations.
    pub developer_id: Option<String>,
    /// Displayed title; `None` to derive it from the requests.
    pub title: Option<String>,
    /// Text that describes the download, beside its title; at most 64 KiB.
    pub description: Option<String>,
    /// Image file that is shown beside the title. Equivalent to `icons` with this single image.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub icon: Option<PathBuf>,
    /// Image files, at most 32. The best fitting one is shown beside the title.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ImageResource>>", optional)]
    pub icons: Vec<ImageResource>,
    /// Maximum total size of all bodies in bytes; 0 if unknown.
    #[serde(rename = "downloadTotal")]
    #[ts(as = "Option<u32>", optional)]
    pub download_total: u64,
    /// Folder of the files; `None` for the default in the settings.
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub folder: Option<PathBuf>,
    /// Whether the registration waits for `resume` instead of starting immediately.
    #[ts(as = "Option<bool>", optional)]
    pub paused: bool,
    /// Place in the queue; `None` for the default in the settings.
    pub place: Option<QueuePlace>,
    /// Maximum number of parallel requests of this registration, 1 to 64; `None` for the default in the settings.
    ///
    /// With 1, the requests run one after the other in order.
    pub parallel: Option<u32>,
    /// Maximum number of connections for each file; `None` for the value in the settings. A value above the one in the
    /// settings has no effect, and 0 counts as 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<u32>,
    /// Text that the owner's clients store with the registration. Ashore does not interpret it, and neither exports nor
    /// syncs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner_data: Option<String>,
    /// Seconds that the registration stays in the list after its end, at most a hundred years; `None` for the default
    /// in the settings.
    #[ts(type = "number", optional)]
    pub keep_for_seconds: Option<u64>,
    /// Whether the end event is kept until a client of the owner acknowledges it.
    ///
    /// `None`: kept if a client has registered for the owner, unless the owner stands for the user (`window`,
    /// `command-line`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deliver: Option<bool>,
    /// Whether the files go to the trash when the registration expires from the list. Changed files stay.
    #[ts(as = "Option<bool>", optional)]
    pub takes_files: bool,
    /// Page on which a browser found the link. The user opens it again to get a new link.
    ///
    /// Credentials in the address are removed. An address that is not valid, or not `http` or `https`, is ignored.
    pub page: Option<String>,
    /// Address of the link before redirects, from a browser. Checked in the same way as `page`.
    pub first_url: Option<String>,
    /// Requests in order.
    pub requests: Vec<NewRequest>,
}

/// Way in which a download was requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum RequestSource {
    /// A person requested the download in the window.
    Window,
    /// A person requested the download with the command line.
    CommandLine,
    /// A subscribed feed requested the download.
    Feed,
    /// The link of the download was copied to the clipboard.
    Clipboard,
    /// Another device of the same user requested the download.
    Device,
    /// A person clicked a link in a browser, and the browser extension handed the download over.
    Browser,
    /// Some other program requested the download.
    #[default]
    Program,
}

/// Owner of the downloads that the browser extension handed over.
pub const BROWSER: &str = "browser";
/// Owner of the downloads that programs added through the interface of aria2.
pub const ARIA2: &str = "aria2";

impl RequestSource {
    /// Returns the source of requests from a caller that acts for `owner`. A caller without an owner acts for the user.
    pub fn of_caller(owner: Option<&str>) -> Self {
        match owner {
            None | Some("window") => Self::Window,
            Some("command-line") => Self::CommandLine,
            Some(BROWSER) => Self::Browser,
            Some(_) => Self::Program,
        }
    }

    /// Returns the source of a registration that a client creates for `owner`. `self` is the source that the client
    /// declares.
    ///
    /// A program cannot declare a direct request by a person, because it could then reach addresses that only a person
    /// may reach.
    pub fn limited_to(self, owner: Option<&str>) -> Self {
        self.limited_to_caller(Self::of_caller(owner))
    }

    /// Returns the source of a registration that a caller of the source `caller` creates. `self` is the source that the
    /// caller declares.
    pub fn limited_to_caller(self, caller: Self) -> Self {
        if caller == Self::Browser || self.is_wide() && !caller.is_person() { caller } else { self }
    }

    /// Whether a registration of this source may reach local addresses.
    pub fn is_wide(self) -> bool {
        self.is_person() || self == Self::Clipboard
    }

    /// Whether the cookies and sign-ins of a registration of `owner` are used only by this registration.
    ///
    /// If false, they are stored for their origin, and later downloads use them too.
    ///
    /// True for every hand-over from a browser. This includes links from the browser's menu, although the window is
    /// their source. Also true for programs made for aria2: a program that may only add downloads must not replace the
    /// sign-ins of the user.
    pub(crate) fn keeps_own_credentials(self, owner: &str) -> bool {
        self == Self::Browser || matches!(owner, BROWSER | ARIA2)
    }

    /// Whether a person directly requested the download.
    pub fn is_person(self) -> bool {
        matches!(self, Self::Window | Self::CommandLine)
    }
}

/// Place in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum QueuePlace {
    /// First place in the queue, with an immediate start.
    ///
    /// If no transfer slot is free, the last running transfer is preempted and keeps its bytes.
    Now,
    /// First place in the queue. The registration starts when a transfer slot is free.
    Top,
    /// Place directly before this active registration.
    Before(UniqueId),
    /// Place after all other registrations.
    Bottom,
}

/// Request of a new registration.
///
/// Fields with their default value are not serialised. Most requests have only an address, and a message may contain a
/// hundred thousand of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct NewRequest {
    /// Address: `http` or `https`, without credentials.
    pub url: String,
    /// `GET` (the default), `HEAD`, `POST`, `PUT` (the default with `upload_file`), `PATCH` or `DELETE`.
    ///
    /// All methods except `GET` and `HEAD` may have an `upload_file`, but do not need one. These methods may change
    /// something at the server, so their requests are never repeated automatically.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Extra header fields, name and value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<(String, String)>>", optional)]
    pub headers: Vec<(String, String)>,
    /// File that is sent as the request body. It is copied before the call returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default, with = "crate::model::values::path_text::option")]
    #[ts(as = "Option<PathBuf>")]
    pub upload_file: Option<PathBuf>,
    /// File name; `None` to derive it from the response and the URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Required digest of the file: `sha-256=HEX`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
    /// Further required digests, in other algorithms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub checksums: Vec<String>,
    /// The file's size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(type = "number", optional)]
    pub size: Option<u64>,
    /// Digests of the file's pieces. If a piece is damaged, only this piece is fetched again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<NewPieces>,
    /// Further addresses of the same file, the best first: `http` or `https`, without credentials.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub mirrors: Vec<String>,
    /// Whether to skip the request if its file already exists and is correct.
    ///
    /// A file is correct in either of two cases:
    ///
    /// - The list contains this address, and the file has not changed since the download.
    /// - The file has the size of the server's file, and is no older than the server's file.
    #[serde(skip_serializing_if = "is_false")]
    #[ts(as = "Option<bool>", optional)]
    pub skip_existing: bool,
    /// Whether the registration can succeed even if this request fails.
    #[serde(skip_serializing_if = "is_false")]
    #[ts(as = "Option<bool>", optional)]
    pub optional: bool,
    /// Requests that follow when this one is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<FollowUpRule>,
    /// GUID of the stored response for this request, from a `ProbeReport`.
    ///
    /// If that response was released, the request is sent again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(type = "string", optional)]
    pub probe: Option<Guid>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Requests that follow another request in the same registration.
///
/// The transaction that completes the request also adds the following requests. Therefore a crash neither loses a
/// request nor fetches it twice. The chain continues after the failure of an optional request.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
#[ts(export)]
pub enum FollowUpRule {
    /// The next page of a numbered series.
    Series(FollowUpSeries),
    /// Requests in sequence; at most 1,000.
    List(Vec<NewRequest>),
    /// Requests for the links in the received file.
    ///
    /// The file has one link per line: at most 10,000 links, and at most 4 MiB. Lines that begin with # are skipped.
    Parts {
        /// Whether the registration can succeed even if one of these requests fails.
        #[serde(default)]
        optional: bool,
    },
}

/// Pages that differ only by a number; at most 100,000.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export, optional_fields)]
pub struct FollowUpSeries {
    /// Address, with `{}` as the placeholder for the number.
    pub url: String,
    /// Number of the next page.
    #[ts(type = "number")]
    pub number: u64,
    /// Number of the last page.
    #[ts(type = "number")]
    pub until: u64,
    /// Number of digits. Shorter numbers are padded with zeros.
    #[serde(default)]
    #[ts(as = "Option<u8>", optional)]
    pub width: u8,
    /// File names of the pages, with `{}` as the placeholder for the number; `None` for the names from the server.
    pub name: Option<String>,
    /// Whether to skip pages whose files already exist and are correct.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub skip_existing: bool,
}

/// Digests of the pieces of a file. All pieces have the same length, but the last one may be shorter.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct NewPieces {
    /// Algorithm of the digests: `sha-256`, `sha-512`, `sha-1` or `md5`.
    pub algorithm: String,
    /// Length of a piece in bytes.
    #[ts(type = "number")]
    pub length: u64,
    /// Digest of each piece in order, in hexadecimal digits.
    pub digests: Vec<String>,
}
