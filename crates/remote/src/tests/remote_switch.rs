//! The switch of the server for other devices, with a real engine.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener as StdListener, TcpStream as StdStream},
    path::{Path, PathBuf},
};

use ashore_engine::SettingOverrides;
use ashore_rpc::{OwnProcess, PeerStream, connect, hold};
use tempfile::TempDir;

use crate::{
    RemoteSwitch, SwitchPosition, SwitchedServer, clock, devices, session_file::SessionFile, sessions::SessionBook,
    token_scope::TokenScope,
};

/// Engine with a switch that has a port on loopback.
struct SwitchPlace {
    folder: TempDir,
    own: OwnProcess,
    switch: RemoteSwitch,
    server: SwitchedServer,
}

impl SwitchPlace {
    async fn new(position: SwitchPosition) -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let own = hold(folder.path(), "test", SettingOverrides::default()).await.unwrap();
        let switch = switch_of(folder.path(), position);
        let server = switch.start(&PeerStream::Own(own.clone()));
        Self { folder, own, switch, server }
    }

    fn data_dir(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    async fn close(self) {
        self.server.stop().await;
        self.own.close().await;
    }
}

/// Returns a switch whose server listens on a port of loopback that the system chooses.
fn switch_of(data_dir: &Path, position: SwitchPosition) -> RemoteSwitch {
    RemoteSwitch::new(data_dir, SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), position)
}

fn is_reachable(port: u16) -> bool {
    StdStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
}

fn variant<T>(result: Result<T, ashore_engine::UserMessage>) -> (String, Option<String>) {
    result.err().map(|why| (why.code, why.variant)).unwrap_or_default()
}

#[tokio::test]
async fn server_listens_only_while_switch_is_on() {
    let place = SwitchPlace::new(SwitchPosition::default()).await;
    let off = place.switch.report().unwrap();
    assert_eq!((off.is_on, off.url, off.fault), (false, None, None));
    let position = place.switch.turn_on().await.unwrap();
    let port = position.port.unwrap();
    assert!(position.is_on && is_reachable(port));
    let on = place.switch.report().unwrap();
    assert_eq!((on.is_on, on.url, on.is_local), (true, Some(format!("http://127.0.0.1:{port}/")), true));
    assert_eq!(place.switch.turn_off().await, SwitchPosition { is_on: false, port: Some(port) });
    assert!(!is_reachable(port) && place.switch.report().unwrap().url.is_none());
    assert_eq!(place.switch.turn_on().await.unwrap(), position, "the port stays the same");
    place.close().await;
    assert!(!is_reachable(port));
}

#[tokio::test]
async fn server_of_stored_switch_opens_with_the_engine() {
    let place = SwitchPlace::new(SwitchPosition { is_on: true, port: None }).await;
    // The first change that is confirmed comes after the start.
    let port = place.switch.turn_on().await.unwrap().port.unwrap();
    assert!(is_reachable(port));
    place.close().await;
}

#[tokio::test]
async fn switch_stays_off_if_port_is_in_use() {
    let other = StdListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = other.local_addr().unwrap().port();
    let place = SwitchPlace::new(SwitchPosition { is_on: false, port: Some(port) }).await;
    let why = place.switch.turn_on().await.unwrap_err();
    assert!(why.text.contains(&format!("port {port} (")), "{why}");
    let report = place.switch.report().unwrap();
    assert_eq!((report.is_on, report.fault), (false, None));
    drop(other);
    assert_eq!(place.switch.turn_on().await.unwrap().port, Some(port));
    place.close().await;
}

#[tokio::test]
async fn client_of_another_program_opens_no_server() {
    let place = SwitchPlace::new(SwitchPosition::default()).await;
    let connection = connect(&place.data_dir(), "test", true).await.unwrap();
    assert!(!connection.is_own());
    let switch = switch_of(&place.data_dir(), SwitchPosition { is_on: true, port: None });
    let server = switch.start(&connection);
    let refused = ("remote-switch".to_owned(), Some("elsewhere".to_owned()));
    assert_eq!(variant(switch.turn_on().await), refused);
    let report = switch.report().unwrap();
    assert_eq!((report.is_on, report.fault.and_then(|why| why.variant)), (true, refused.1));
    server.stop().await;
    place.close().await;
}

#[tokio::test]
async fn report_lists_devices_and_tells_whether_the_link_was_used() {
    let place = SwitchPlace::new(SwitchPosition::default()).await;
    assert_eq!(variant(devices::shown_link(&place.data_dir())).0, "remote-listen");
    place.switch.turn_on().await.unwrap();
    let link = devices::shown_link(&place.data_dir()).unwrap();
    assert!(link.qr.size > 0 && place.switch.report().unwrap().link_seconds.is_some_and(|rest| rest <= link.seconds));
    let code = link.url.split("#pair=").nth(1).unwrap().to_owned();
    let now = clock::now();
    let redeem = |book: &mut SessionBook| book.redeem_link(&code, "Phone", now, &mut rand::rng()).is_some();
    assert!(SessionFile::new(&place.data_dir()).change(redeem).unwrap());
    let report = place.switch.report().unwrap();
    assert_eq!(report.link_seconds, None);
    let devices: Vec<_> = report.devices.iter().map(|one| (one.name.as_str(), one.is_program, one.scope)).collect();
    assert_eq!(devices, [("Phone", false, TokenScope::Control)]);
    place.close().await;
}
