//! Runs one download as a separate process without a ledger. Each option reverses one design choice.

use std::{path::PathBuf, time::Duration};

use anyhow::Result;
use ashore_testkit::download;
use ashore_transfer::{ExpectedContent, Guid, TransferConfig, TransferSpec};
use clap::Args;
use tokio::runtime;
use url::Url;
use uuid::Uuid;

/// Arguments: the download, and the design choice to reverse.
#[derive(Debug, Args)]
pub struct TransferFigure {
    /// Address to fetch
    url: Url,
    /// Target folder
    folder: PathBuf,
    /// Persist nothing before the end
    #[arg(long)]
    without_checkpoints: bool,
    /// Make no checksums of the written data
    #[arg(long)]
    without_checksums: bool,
    /// Do not reserve disk space
    #[arg(long)]
    without_reservation: bool,
    /// Write received data in batches of this many bytes
    #[arg(long)]
    batch: Option<usize>,
    /// Number of network threads, if not the default
    #[arg(long)]
    workers: Option<usize>,
    /// Expected SHA-256
    #[arg(long)]
    sha256: Option<String>,
}

impl TransferFigure {
    /// Runs the download.
    pub fn run(self) -> Result<()> {
        let runtime = match self.workers {
            Some(workers) => runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build()?,
            None => ashore_transfer::runtime()?,
        };
        runtime.block_on(self.fetch())
    }

    async fn fetch(self) -> Result<()> {
        let mut config = TransferConfig { connections: 1, checksums: !self.without_checksums, ..TransferConfig::default() };
        if self.without_checkpoints {
            (config.checkpoint_interval, config.checkpoint_bytes) = (Duration::from_secs(86_400), 1 << 50);
        }
        if self.without_reservation {
            config.reserve_after = u64::MAX;
        }
        config.batch_bytes = self.batch.unwrap_or(config.batch_bytes);
        let digest = self.sha256.map(|hex| format!("sha-256={hex}").parse());
        let digest = digest.transpose().map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let guid = Guid(Uuid::new_v4());
        let spec = TransferSpec {
            expected: ExpectedContent { digests: digest.into_iter().collect(), ..ExpectedContent::default() },
            ..TransferSpec::download(guid, self.url, self.folder)
        };
        download(config, spec).await
    }
}
