//! Calls of window and command line that concern devices and programs. The calls change files in the data folder, whether or
//! not a server runs.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, UdpSocket},
    path::Path,
};

use ashore_engine::UserMessage;
use ashore_messages::message;
use ashore_sync::service::QrPicture;
use serde::Serialize;
use ts_rs::TS;

use crate::{
    clock, listening_state,
    page_address::PageAddress,
    pairing_link::{PendingLink, VALID_FOR},
    remote_token::TokenFile,
    session_file::SessionFile,
    sessions::{ProgramRefusal, SessionBook, TokenKind},
    token_scope::TokenScope,
};

/// Address that belongs to no network (RFC 5737). The route to this address shows which address of this machine faces
/// the network.
const ELSEWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);

/// A link that signs one device in.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct SignInLink {
    /// Address of the page, with the code in its fragment.
    pub url: String,
    /// Seconds for which the link is valid.
    pub seconds: u64,
    /// Whether only this machine can reach the address in the link.
    pub is_local: bool,
}

/// A link that signs one device in, with its QR code.
#[derive(Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct ShownLink {
    /// Address of the page, with the code in its fragment.
    pub url: String,
    /// Seconds for which the link is valid.
    #[ts(type = "number")]
    pub seconds: u64,
    /// QR code of the address.
    pub qr: QrPicture,
}

/// Device or program that is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct SignedInDevice {
    /// Name, unique among all devices, programs and paired browsers.
    pub name: String,
    /// Whether it is a program with a token.
    pub is_program: bool,
    /// Permission.
    pub scope: TokenScope,
    /// Time of the latest use, in seconds of Unix time, accurate to an hour.
    #[ts(type = "number")]
    pub seen_at: u64,
}

/// Makes a link that signs one device in with `scope`. An earlier link becomes invalid.
///
/// Fails if no server runs, if the server has no address for other devices, or if the link cannot be stored.
pub fn sign_in_link(data_dir: &Path, scope: TokenScope) -> Result<SignInLink, UserMessage> {
    let address: PageAddress = listening_state::read(data_dir).ok_or_else(|| message!("remote-listen.closed"))?;
    let (url, is_local) = address.best(own_address()).ok_or_else(|| message!("remote-listen.no-address"))?;
    let (link, code) = PendingLink::new(scope, clock::now(), &mut rand::rng());
    change(data_dir, move |book| book.link = Some(link))?;
    Ok(SignInLink { url: format!("{url}#pair={code}"), seconds: VALID_FOR, is_local })
}

/// Makes a link that signs one device in, with permission to do everything. An earlier link becomes invalid.
///
/// Fails as [`sign_in_link`] does.
pub fn shown_link(data_dir: &Path) -> Result<ShownLink, UserMessage> {
    let SignInLink { url, seconds, .. } = sign_in_link(data_dir, TokenScope::Control)?;
    // Only a public address of thousands of characters is too long for a QR code.
    let qr = QrPicture::from_text(&url).ok_or_else(|| message!("remote-listen.no-address"))?;
    Ok(ShownLink { url, seconds, qr })
}

/// Returns the best address for other devices, and whether only this machine can reach it. Returns `None` if no server
/// runs, or if it has no address for other devices.
pub(crate) fn page_address(data_dir: &Path) -> Option<(String, bool)> {
    listening_state::read::<PageAddress>(data_dir)?.best(own_address())
}

/// Returns the number of seconds for which the latest link is still valid. Returns `None` if a device has used the link,
/// or if there is none.
pub(crate) fn link_seconds(data_dir: &Path) -> Result<Option<u64>, UserMessage> {
    let file = SessionFile::new(data_dir);
    let book = file.read().map_err(|error| file.fault(&error))?;
    Ok(book.link.and_then(|link| link.seconds_left(clock::now())))
}

/// Returns the token, and creates it if there is none. Fails if other users can read the token, or if it cannot be
/// stored.
pub fn ensure_token(data_dir: &Path) -> Result<String, UserMessage> {
    let token = TokenFile::new(data_dir);
    match token.read()? {
        Some(token) => Ok(token),
        // The lock keeps two programs from creating two tokens.
        None => change(data_dir, |_| token.read()?.map_or_else(|| token.renew(&mut rand::rng()), Ok))?,
    }
}

/// Replaces the token and signs all devices out. Returns the new token. Tokens of programs stay valid.
pub fn renew_token(data_dir: &Path) -> Result<String, UserMessage> {
    change(data_dir, |book| {
        book.sign_out_devices();
        TokenFile::new(data_dir).renew(&mut rand::rng())
    })?
}

/// Issues a token for the program `name`. Fails if another device or program has this name, if the name is not valid, or
/// if there are too many programs.
pub fn program_token(data_dir: &Path, name: &str, scope: TokenScope) -> Result<String, UserMessage> {
    let issue = |book: &mut SessionBook| book.issue_to_program(name, scope, clock::now(), &mut rand::rng());
    change(data_dir, issue)?.map(|issued| issued.token).map_err(|refusal| match refusal {
        ProgramRefusal::NameTaken => message!("remote-device.taken", name = name),
        ProgramRefusal::TooMany => message!("remote-device.many"),
    })
}

/// Returns all devices and programs, the oldest first.
pub fn signed_in_devices(data_dir: &Path) -> Result<Vec<SignedInDevice>, UserMessage> {
    let file = SessionFile::new(data_dir);
    let book = file.read().map_err(|error| file.fault(&error))?;
    let owners = book.valid_of(&[TokenKind::Device, TokenKind::Program], clock::now());
    let device = owners.map(|token| SignedInDevice {
        name: token.name.clone(),
        is_program: token.kind == TokenKind::Program,
        scope: token.scope,
        seen_at: token.seen_at,
    });
    Ok(device.collect())
}

/// Signs the device or program `name` out. Fails if no device or program has this name.
pub fn sign_device_out(data_dir: &Path, name: &str) -> Result<(), UserMessage> {
    let is_signed_out = change(data_dir, |book| book.sign_out(name, clock::now()))?;
    if is_signed_out { Ok(()) } else { Err(message!("remote-device", name = name)) }
}

fn change<T>(data_dir: &Path, change: impl FnOnce(&mut SessionBook) -> T) -> Result<T, UserMessage> {
    let file = SessionFile::new(data_dir);
    std::fs::create_dir_all(data_dir).and_then(|()| file.change(change)).map_err(|error| file.fault(&error))
}

/// Returns the address of this machine on its network. Sends nothing.
fn own_address() -> Option<IpAddr> {
    let find = || -> io::Result<IpAddr> {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        socket.connect(ELSEWHERE)?;
        Ok(socket.local_addr()?.ip())
    };
    find().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listening_state::ListeningFile;

    #[test]
    fn token_is_created_once_and_renewal_signs_devices_out() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path();
        let token = ensure_token(data_dir).unwrap();
        assert_eq!(ensure_token(data_dir).unwrap(), token);
        change(data_dir, |book| book.sign_in("Phone", TokenScope::Control, clock::now(), &mut rand::rng())).unwrap();
        program_token(data_dir, "sonarr", TokenScope::Add).unwrap();
        assert_ne!(renew_token(data_dir).unwrap(), token);
        let names: Vec<_> = signed_in_devices(data_dir).unwrap().into_iter().map(|one| (one.name, one.is_program)).collect();
        assert_eq!(names, [("sonarr".to_owned(), true)]);
    }

    #[test]
    fn program_name_must_be_unique_and_can_be_used_to_sign_program_out() {
        let folder = tempfile::tempdir().unwrap();
        program_token(folder.path(), "sonarr", TokenScope::Add).unwrap();
        let code = |result: Result<_, UserMessage>| result.err().map(|why| (why.code, why.variant));
        let taken = Some(("remote-device".to_owned(), Some("taken".to_owned())));
        assert_eq!(code(program_token(folder.path(), "sonarr", TokenScope::Read).map(drop)), taken);
        assert_eq!(code(sign_device_out(folder.path(), "sonarr")), None);
        assert_eq!(code(sign_device_out(folder.path(), "sonarr")), Some(("remote-device".to_owned(), None)));
    }

    #[test]
    fn sign_in_link_requires_a_running_server_with_an_address() {
        let folder = tempfile::tempdir().unwrap();
        let variant = || sign_in_link(folder.path(), TokenScope::Control).err().and_then(|why| why.variant);
        assert_eq!(variant().as_deref(), Some("closed"));
        let mut file = ListeningFile::lock(folder.path()).unwrap();
        file.write(&PageAddress::default()).unwrap();
        assert_eq!(variant().as_deref(), Some("no-address"));
        let listeners = vec!["127.0.0.1:7".parse().unwrap()];
        file.write(&PageAddress { listeners, public_url: None, base_path: "/".to_owned() }).unwrap();
        let link = sign_in_link(folder.path(), TokenScope::Control).unwrap();
        let code = link.url.strip_prefix("http://127.0.0.1:7/#pair=").unwrap();
        assert!(link.is_local && code.len() == 32);
    }
}
