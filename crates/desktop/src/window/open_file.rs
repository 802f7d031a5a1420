//! Opens downloaded files and shows them in their folders.
//!
//! Accepts only files that are complete in the ledger, and opens only unchanged files.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use ashore_engine::{GateCode, ProgressTotals, RecordOutcome, Registration, ResponseRecord, UniqueId, UserMessage};
use ashore_messages::{message, text};
use ashore_pipe::PipeQuestion;
use ashore_rpc::MethodCall;
use url::Url;
use zbus::Connection;

use crate::{context::AppContext, i18n::plain_text::plain, system::open_with, tasks::incoming_links::tell_owner};

/// Opens a finished file with the desktop's program for this kind of file. Asks first if the file could run code.
pub async fn open(shell: &AppContext, unique_id: UniqueId, index: u32) -> Result<(), UserMessage> {
    let path = finished(shell, unique_id, index).await?;
    tell_owner(shell, unique_id).await;
    let runs = fs::metadata(&path).is_ok_and(|found| found.permissions().mode() & 0o111 != 0);
    if (runs || is_risky(&path)) && !confirmed(shell, &path).await {
        return Ok(());
    }
    open_with::open(&path).await.map_err(|error| message!("not-opened", path = &path, why = &error))
}

/// Shows a finished file in the desktop's file manager.
pub async fn show_in_folder(shell: &AppContext, unique_id: UniqueId, index: u32) -> Result<(), UserMessage> {
    let path = match finished(shell, unique_id, index).await {
        // Also show a changed file, because the user may have edited it and still wants to find it.
        Err(message) if message.code == "changed" => placed(shell, unique_id, index).await?.ok_or(message)?,
        found => found?,
    };
    if let Err(error) = shown("ShowItems", &path).await {
        tracing::debug!(%error, "file manager could not show the file; opening its folder instead");
        let folder = path.parent().unwrap_or(&path);
        open_with::open(folder).await.map_err(|error| message!("not-opened.folder", path = &path, why = &error))?;
    }
    Ok(())
}

/// Shows the folder for the files of a registration, even if no file is complete.
///
/// If the registration waits because the disk of the list is full, shows the folder of the list.
pub async fn show_folder(shell: &AppContext, unique_id: UniqueId) -> Result<(), UserMessage> {
    let registration: Registration = shell.door.ask(MethodCall::Show { unique_id }).await?;
    let totals = shell.door.ask(MethodCall::Totals).await?;
    let folder = if waits_for_the_list(&registration, &totals) { &shell.data_dir } else { &registration.folder };
    if let Err(error) = shown("ShowFolders", folder).await {
        tracing::debug!(%error, "file manager could not show the folder; opening it directly");
        open_with::open(folder).await.map_err(|error| not_shown(folder, &error))?;
    }
    Ok(())
}

/// Whether the registration waits because the disk of the list is full.
///
/// If a gate for disk space applies to all registrations, it always concerns the disk of the list.
fn waits_for_the_list(registration: &Registration, totals: &ProgressTotals) -> bool {
    let is_disk = |code: &str| code == GateCode::Disk.word();
    let (waits, gate) = (registration.waiting_for.as_ref(), totals.gate.as_ref());
    waits.is_some_and(|why| is_disk(&why.code)) && gate.is_some_and(|gate| gate.code == GateCode::Disk)
}

fn not_shown(folder: &Path, error: &io::Error) -> UserMessage {
    message!("not-opened.whole-folder", path = folder, why = error)
}

/// Shows the first finished file of a registration in its folder.
pub async fn show_any_in_folder(shell: &AppContext, unique_id: UniqueId) -> Result<(), UserMessage> {
    let mut from = 0;
    loop {
        let page: Vec<ResponseRecord> = shell.door.ask(MethodCall::Records { unique_id, from, limit: 0 }).await?;
        let found = page.iter().find(|record| record.outcome == Some(RecordOutcome::Success) && record.path.is_some());
        match (found, page.last()) {
            (Some(record), _) => return show_in_folder(shell, unique_id, record.index).await,
            (None, Some(last)) => from = last.index + 1,
            (None, None) => return Err(message!("not-there")),
        }
    }
}

/// Returns the `file:` URLs of those finished files that still exist. Meant for other programs.
pub async fn addresses(shell: &AppContext, files: Vec<(UniqueId, u32)>) -> Vec<Url> {
    let mut addresses = Vec::new();
    for (unique_id, index) in files {
        match finished(shell, unique_id, index).await {
            Ok(path) => addresses.extend(Url::from_file_path(path)),
            Err(message) => tracing::debug!(message.text, "file is not available; left out of the address list"),
        }
    }
    addresses
}

async fn finished(shell: &AppContext, unique_id: UniqueId, index: u32) -> Result<PathBuf, UserMessage> {
    shell.door.ask(MethodCall::File { unique_id, index }).await
}

/// Returns the path at which Ashore stored a file, even if the file has changed since then.
async fn placed(shell: &AppContext, unique_id: UniqueId, index: u32) -> Result<Option<PathBuf>, UserMessage> {
    let records: Vec<ResponseRecord> = shell.door.ask(MethodCall::Records { unique_id, from: index, limit: 1 }).await?;
    Ok(records.into_iter().find(|record| record.index == index).and_then(|record| record.path))
}

/// Asks the file manager to show a folder, or a file in its folder (File Manager D-Bus Interface).
async fn shown(verb: &str, path: &Path) -> zbus::Result<()> {
    const MANAGER: &str = "org.freedesktop.FileManager1";
    let address = Url::from_file_path(path).map_err(|()| zbus::Error::Failure("the path is not whole".to_owned()))?;
    let bus = Connection::session().await?;
    let arguments = (vec![address.as_str()], "");
    bus.call_method(Some(MANAGER), "/org/freedesktop/FileManager1", Some(MANAGER), verb, &arguments).await.map(drop)
}

async fn confirmed(shell: &AppContext, path: &Path) -> bool {
    let name = path.file_name().map(|name| plain(&name.to_string_lossy())).unwrap_or_default();
    let question = PipeQuestion::Confirm {
        title: text!("ask-open"),
        body: text!("ask-open.body", name = name),
        yes: text!("action-open"),
        no: text!("action-cancel"),
    };
    // Without a window, the question gets no answer, which counts as a refusal.
    shell.window.ask(question).await.unwrap_or(false)
}

/// Extensions of files that may run code when they are opened.
const RISKY: [&str; 79] = [
    "apk",
    "app",
    "appimage",
    "appx",
    "bash",
    "bat",
    "bin",
    "chm",
    "cmd",
    "com",
    "command",
    "cpl",
    "csh",
    "deb",
    "desktop",
    "dll",
    "dmg",
    "docm",
    "dotm",
    "exe",
    "fish",
    "flatpak",
    "flatpakref",
    "hta",
    "htm",
    "html",
    "inf",
    "jar",
    "jnlp",
    "js",
    "jse",
    "ksh",
    "lnk",
    "lua",
    "mht",
    "mhtml",
    "mjs",
    "msc",
    "msi",
    "msix",
    "msp",
    "php",
    "pif",
    "pl",
    "potm",
    "ppam",
    "ppsm",
    "pptm",
    "ps1",
    "py",
    "pyc",
    "pyw",
    "rb",
    "reg",
    "rpm",
    "run",
    "scf",
    "scpt",
    "scr",
    "sct",
    "service",
    "sh",
    "snap",
    "svg",
    "tcl",
    "url",
    "vb",
    "vbe",
    "vbs",
    "ws",
    "wsc",
    "wsf",
    "wsh",
    "xhtml",
    "xlam",
    "xll",
    "xlsm",
    "xltm",
    "zsh",
];

/// Whether a file with this name may run code when it is opened. The caller also checks the mode of the file.
fn is_risky(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    extension.is_some_and(|extension| RISKY.contains(&extension.as_str()))
}

#[cfg(test)]
mod tests {
    use ashore_engine::MessageArgument;
    use ashore_messages::Catalogue;

    use super::*;
    use crate::notifications::content::tests::{closed_gate, registration};

    #[test]
    fn folder_of_list_is_shown_if_disk_of_list_is_full() {
        let full = message!("disk.short", amount = MessageArgument::size(1_000_000), folder = "/a");
        let waits = Registration { waiting_for: Some(full.clone()), ..registration() };
        let closed = |code, message| ProgressTotals { gate: Some(closed_gate(code, message)), ..ProgressTotals::default() };
        assert!(waits_for_the_list(&waits, &closed(GateCode::Disk, full.clone())));
        assert!(!waits_for_the_list(&waits, &ProgressTotals::default()), "its own folder is full");
        assert!(!waits_for_the_list(&waits, &closed(GateCode::Metered, message!("metered"))));
        assert!(!waits_for_the_list(&registration(), &closed(GateCode::Disk, full)), "it failed before");
    }

    #[test]
    fn failure_to_show_folder_is_translated() {
        let message = not_shown(Path::new("/a b"), &io::Error::other("no program can"));
        let german = message.render(&Catalogue::new("de"));
        assert_eq!(german, "Der Ordner /a b konnte nicht gezeigt werden: no program can.");
    }

    #[test]
    fn executable_file_types_are_treated_as_risky() {
        let risky = ["a.sh", "report.pdf.EXE", "b.Desktop", "x.AppImage", "page.html", "c.jnlp", "d.Service", "budget.xlam"];
        assert!(risky.iter().all(|name| is_risky(Path::new(name))));
        assert!(["a.pdf", "b.tar.gz", "c", "lecture-07.mp4"].iter().all(|name| !is_risky(Path::new(name))));
    }
}
