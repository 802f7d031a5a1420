//! Tests uploads.
//!
//! A body that was sent is never sent again automatically. An upload whose body was not sent is retried.

use ashore_engine::{FailureReason, RecordState, RegistrationResult, RegistrationState};
use ashore_testkit::{
    home::{Home, upload},
    origin::{Body, Origin, content},
};

#[tokio::test]
async fn interrupted_upload_is_sent_again_only_by_user() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let form = origin.file("/form", Body::bytes("ok")).reset_upload_after(100_000).times(1);
    let source = home.source("letter", &content(1, 5_000_000));
    let id = home.create(Home::ask_for([upload("POST", origin.url("/form"), &source)])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.failure_reason), (RegistrationResult::Failure, FailureReason::FetchError));
    let failure = settled.failure.unwrap();
    assert_eq!(failure.code, "upload-interrupted");
    assert!(failure.text.contains("may have received a part of it"), "{}", failure.text);
    assert!(settled.uploaded > 0 && settled.uploaded <= 5_000_000);
    home.crash().await;
    home.reopen().await;
    assert_eq!(home.show(id).await.unwrap().state, RegistrationState::Settled);
    assert_eq!(form.requests().len(), 1);

    assert_eq!(home.retry(id).await.unwrap(), 1);
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.uploaded), (RegistrationResult::Success, 5_000_000));
    assert_eq!(form.requests().len(), 2);
    assert!(form.requests()[1].body == content(1, 5_000_000), "whole, from its first byte");
}

#[tokio::test]
async fn upload_is_not_sent_again_after_crash() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let form = origin.file("/form", Body::seeded(1, 1000)).gate_at(0);
    let source = home.source("letter", b"a letter");
    let id = home.create(Home::ask_for([upload("PUT", origin.url("/form"), &source)])).await.unwrap().unique_id;
    form.held().await;
    home.crash().await;
    form.release();
    home.reopen().await;
    let settled = home.settled(id).await;
    assert_eq!(settled.failure.unwrap().code, "upload-interrupted");
    assert_eq!(form.requests().len(), 1);
    assert_eq!(home.pending_notifications().await.unwrap()[0].unique_id, id);
}

#[tokio::test]
async fn upload_whose_body_was_not_sent_is_retried_automatically() {
    let closed = Origin::closed();
    let home = Home::open().await;
    let source = home.source("letter", b"a letter");
    let id = home.create(Home::ask_for([upload("PUT", closed.url("/form"), &source)])).await.unwrap().unique_id;
    let record = home.until_record(id, 0, |record| record.code.is_some()).await;
    assert_eq!((record.code.as_deref(), record.outcome), (Some("connect"), None));
    assert!(matches!(record.state, RecordState::Waiting | RecordState::Pending | RecordState::Active));
    let origin = closed.open();
    let form = origin.file("/form", Body::bytes("ok"));
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.uploaded), (RegistrationResult::Success, 8));
    assert_eq!(form.requests().len(), 1);
    assert_eq!(form.requests()[0].body, b"a letter");
}

#[tokio::test]
async fn pause_does_not_interrupt_upload_that_has_begun() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let form = origin.file("/form", Body::seeded(1, 1000)).gate_at(500);
    let source = home.source("letter", b"a letter");
    let id = home.create(Home::ask_for([upload("PUT", origin.url("/form"), &source)])).await.unwrap().unique_id;
    form.held().await;
    home.pause(Some(id)).await.unwrap();
    assert_eq!(home.show(id).await.unwrap().state, RegistrationState::Paused);
    form.release();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(form.requests().len(), 1);
}

#[tokio::test]
async fn refused_upload_is_recorded_with_status() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let form = origin.file("/form", Body::bytes("ok")).status(413);
    let source = home.source("letter", b"a letter");
    let id = home.create(Home::ask_for([upload("PUT", origin.url("/form"), &source)])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.failure_reason), (RegistrationResult::Failure, FailureReason::BadStatus));
    assert_eq!(home.records(id, 0, 0).await.unwrap()[0].status, Some(413));
    assert_eq!(form.requests().len(), 1);
}

#[tokio::test]
async fn upload_body_is_not_sent_twice_to_busy_server() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let form = origin.file("/form", Body::bytes("ok")).status(503).times(1);
    let source = home.source("letter", b"a letter");
    let id = home.create(Home::ask_for([upload("POST", origin.url("/form"), &source)])).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Failure);
    assert_eq!(form.requests().len(), 1);
}

#[tokio::test]
async fn empty_file_can_be_uploaded() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let form = origin.file("/form", Body::bytes("")).answers_with(204);
    let source = home.source("letter", b"");
    let id = home.create(Home::ask_for([upload("PUT", origin.url("/form"), &source)])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.uploaded, settled.upload_total), (RegistrationResult::Success, 0, 0));
    assert_eq!(form.requests()[0].method, "PUT");
    let record = &home.records(id, 0, 0).await.unwrap()[0];
    assert_eq!((record.status, record.path.clone()), (Some(204), None));
    assert!(home.names().is_empty());
}
