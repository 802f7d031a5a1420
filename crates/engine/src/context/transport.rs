//! Interface between the queue and the transfers. Tests of the queue use an implementation that moves no bytes.

use std::{
    collections::HashSet,
    fmt, io,
    path::{Path, PathBuf},
};

use ashore_transfer::{
    FlowScope, Guid, ProbeResult, RateLimit, RediscoveredFile, SegmentMap, TransferConfig, TransferFailure, TransferProgress,
    TransferSpec, Transfers,
};
use futures_util::future::{BoxFuture, FutureExt as _};

/// Methods of [`Transfers`] that the engine needs. See their documentation there.
pub(crate) trait Transport: fmt::Debug + Send + Sync {
    fn configure(&self, config: TransferConfig) -> Result<(), TransferFailure>;
    fn ask(&self, spec: TransferSpec) -> BoxFuture<'_, Result<ProbeResult, TransferFailure>>;
    fn release(&self, guid: Guid);
    fn start(&self, spec: TransferSpec);
    fn stop(&self, guid: Guid);
    fn limit(&self, scope: FlowScope, rate: Option<RateLimit>);
    fn progress(&self) -> Vec<(Guid, TransferProgress)>;
    fn map(&self, guid: Guid, parts: usize) -> Option<SegmentMap>;
    fn promised(&self, volume: u64) -> u64;
    fn forget(&self, finished: Vec<(Guid, PathBuf)>);
    fn shut_down(&self) -> BoxFuture<'_, HashSet<Guid>>;
    fn look_anew(&self);
    fn discard<'a>(&'a self, guid: Guid, folder: &'a Path) -> BoxFuture<'a, ()>;
    fn drop_name(&self, found: RediscoveredFile) -> BoxFuture<'_, ()>;
    fn relocate<'a>(&'a self, guid: Guid, from: &'a Path, to: &'a Path) -> BoxFuture<'a, io::Result<bool>>;
}

impl Transport for Transfers {
    fn configure(&self, config: TransferConfig) -> Result<(), TransferFailure> {
        self.configure(config)
    }

    fn ask(&self, spec: TransferSpec) -> BoxFuture<'_, Result<ProbeResult, TransferFailure>> {
        self.ask(spec).boxed()
    }

    fn release(&self, guid: Guid) {
        self.release(guid);
    }

    fn start(&self, spec: TransferSpec) {
        self.start(spec);
    }

    fn stop(&self, guid: Guid) {
        self.stop(guid);
    }

    fn limit(&self, scope: FlowScope, rate: Option<RateLimit>) {
        self.limit(scope, rate);
    }

    fn progress(&self) -> Vec<(Guid, TransferProgress)> {
        self.progress()
    }

    fn map(&self, guid: Guid, parts: usize) -> Option<SegmentMap> {
        self.map(guid, parts)
    }

    fn promised(&self, volume: u64) -> u64 {
        self.promised(volume)
    }

    fn forget(&self, finished: Vec<(Guid, PathBuf)>) {
        self.forget(finished);
    }

    fn shut_down(&self) -> BoxFuture<'_, HashSet<Guid>> {
        self.shut_down().boxed()
    }

    fn look_anew(&self) {
        self.look_anew();
    }

    fn discard<'a>(&'a self, guid: Guid, folder: &'a Path) -> BoxFuture<'a, ()> {
        self.discard(guid, folder).boxed()
    }

    fn drop_name(&self, found: RediscoveredFile) -> BoxFuture<'_, ()> {
        self.drop_name(found).boxed()
    }

    fn relocate<'a>(&'a self, guid: Guid, from: &'a Path, to: &'a Path) -> BoxFuture<'a, io::Result<bool>> {
        self.relocate(guid, from, to).boxed()
    }
}
