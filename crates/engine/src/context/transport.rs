//! The door to the transfers: what the queue needs of whoever moves the bytes. A test of the queue stands somebody else
//! behind it, who moves none.

use std::{
    collections::HashSet,
    fmt,
    path::{Path, PathBuf},
};

use ashore_transfer::{Config, Failure, Found, Guid, Map, Offer, Progress, Rate, Scope, Spec, Transfers};
use futures_util::future::{BoxFuture, FutureExt as _};

/// As [`Transfers`] has them; what each does is said there.
pub(crate) trait Carrier: fmt::Debug + Send + Sync {
    fn configure(&self, config: Config) -> Result<(), Failure>;
    fn ask(&self, spec: Spec) -> BoxFuture<'_, Result<Offer, Failure>>;
    fn let_go(&self, guid: Guid);
    fn start(&self, spec: Spec);
    fn stop(&self, guid: Guid);
    fn limit(&self, scope: Scope, rate: Option<Rate>);
    fn progress(&self) -> Vec<(Guid, Progress)>;
    fn map(&self, guid: Guid, parts: usize) -> Option<Map>;
    fn promised(&self, volume: u64) -> u64;
    fn forget(&self, finished: Vec<(Guid, PathBuf)>);
    fn rest(&self) -> BoxFuture<'_, HashSet<Guid>>;
    fn look_anew(&self);
    fn discard<'a>(&'a self, guid: Guid, folder: &'a Path) -> BoxFuture<'a, ()>;
    fn drop_name(&self, found: Found) -> BoxFuture<'_, ()>;
}

impl Carrier for Transfers {
    fn configure(&self, config: Config) -> Result<(), Failure> {
        self.configure(config)
    }

    fn ask(&self, spec: Spec) -> BoxFuture<'_, Result<Offer, Failure>> {
        self.ask(spec).boxed()
    }

    fn let_go(&self, guid: Guid) {
        self.let_go(guid);
    }

    fn start(&self, spec: Spec) {
        self.start(spec);
    }

    fn stop(&self, guid: Guid) {
        self.stop(guid);
    }

    fn limit(&self, scope: Scope, rate: Option<Rate>) {
        self.limit(scope, rate);
    }

    fn progress(&self) -> Vec<(Guid, Progress)> {
        self.progress()
    }

    fn map(&self, guid: Guid, parts: usize) -> Option<Map> {
        self.map(guid, parts)
    }

    fn promised(&self, volume: u64) -> u64 {
        self.promised(volume)
    }

    fn forget(&self, finished: Vec<(Guid, PathBuf)>) {
        self.forget(finished);
    }

    fn rest(&self) -> BoxFuture<'_, HashSet<Guid>> {
        self.rest().boxed()
    }

    fn look_anew(&self) {
        self.look_anew();
    }

    fn discard<'a>(&'a self, guid: Guid, folder: &'a Path) -> BoxFuture<'a, ()> {
        self.discard(guid, folder).boxed()
    }

    fn drop_name(&self, found: Found) -> BoxFuture<'_, ()> {
        self.drop_name(found).boxed()
    }
}
