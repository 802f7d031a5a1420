//! Runs the contract on the simulated server and on the real one.

use ashore_sync::server::{DeviceEnrolment, SimulatedServer};
use zeroize::Zeroizing;

use crate::{
    contract,
    support::{RealServer, TestCertificate},
};

#[tokio::test]
async fn simulated_server_fulfils_contract() {
    let server = SimulatedServer::new(1_700_000_000_000);
    let invite = Some(server.set_up_invite("proof"));
    let auth = Zeroizing::new("proof".to_owned());
    let set_up = DeviceEnrolment { uid: 0, invite, auth, name: "Laptop".to_owned() };
    contract::run(server, set_up).await;
}

#[tokio::test]
async fn real_server_fulfils_contract() {
    let server = RealServer::start(None).await;
    contract::run(server.client(), server.set_up()).await;
}

#[tokio::test]
async fn real_server_fulfils_contract_over_tls() {
    let server = RealServer::start(Some(&TestCertificate::valid())).await;
    contract::run(server.client(), server.set_up()).await;
}
