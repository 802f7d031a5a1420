//! State that is shared by the connections of an origin.

use std::{
    collections::HashMap,
    sync::{Mutex, atomic::AtomicUsize},
};

use super::{request::Requests, route::Route};

#[derive(Debug, Default)]
pub(super) struct OriginState {
    pub routes: Mutex<HashMap<String, Route>>,
    pub requests: Requests,
    pub connections: AtomicUsize,
}
