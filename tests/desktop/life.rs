//! Stories of how Ashore lives on a desktop.

use ashore_engine::{SettingKey, SettingValue, State};
use ashore_rpc::Call;
use ashore_tests::origin::{Body, Origin};

use crate::stage::Stage;

const MIB: u64 = 1 << 20;

async fn set(stage: &Stage, key: SettingKey, value: bool) {
    let value = Some(SettingValue::Flag(value));
    stage.client().await.call::<()>(&Call::Set { key, value }).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_wants_it_ends_ashore_with_its_window_and_loses_nothing() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/a.bin", Body::seeded(3, 4 * MIB)).gate_at(MIB);
    let mut ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    set(&stage, SettingKey::CloseToTray, false).await;
    let made = stage.add(origin.url("/a.bin"), "a").await;
    route.held().await;
    stage.close_window().await;
    assert!(ashore.ended().await, "it ends well");

    route.release();
    let _ashore = stage.ashore_in_tray().await;
    stage.registration(&made, "it went on", |now| now.state == State::Settled).await;
}
