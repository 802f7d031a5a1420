//! Adds downloads.

use std::path::{Path, PathBuf};

use ashore_engine::{EngineError, LimitScope, QueuePlace, QueueWindow, from_metalink};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::aria2::{
    OWNER, gids,
    methods::{Aria2Methods, folder, gid_reservations::ReservedGid, refusal},
    options::{
        mapping::{self, DownloadPlan},
        table::{self, DOWNLOAD},
        values::{OptionMap, read, refused},
    },
    params::CallParams,
    wire::Aria2Failure,
};

impl Aria2Methods {
    pub(super) async fn add_uri(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let uris: Vec<&str> = params.list(0)?.iter().filter_map(Value::as_str).collect();
        if uris.is_empty() {
            return Err(Aria2Failure::new("URI is not provided."));
        }
        let options = self.download_options(params)?;
        let position = params.position(2)?;
        let plan = mapping::plan(&uris, &options)?;
        self.add(plan, &options, position).await.map(Value::String)
    }

    /// Adds each file of a Metalink as a separate download, as aria2 does. Returns the GIDs of these downloads.
    pub(super) async fn add_metalink(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let document = params.bytes(0)?;
        let mut options = self.download_options(params)?;
        let position = params.position(2)?;
        // aria2 ignores this option too, because the document may contain several files.
        options.remove("gid");
        let parsed = spawn_blocking(move || from_metalink(&document)).await;
        let unreadable = |why| Aria2Failure::new(format!("Could not parse Metalink XML document. {why}"));
        let parsed = parsed.map_err(|error| unreadable(error.to_string()))?.map_err(|why| unreadable(why.text))?;
        let plans = parsed.requests.into_iter().map(|request| mapping::plan_request(request, &options));
        // Check all files before the first download is added.
        let plans = plans.collect::<Result<Vec<_>, _>>()?;
        let mut gids = Vec::with_capacity(plans.len());
        for (at, plan) in plans.into_iter().enumerate() {
            gids.push(self.add(plan, &options, position.map(|position| position + at)).await?);
        }
        Ok(json!(gids))
    }

    /// Returns the options of a new download: the global options, overridden by the options at the index 1 of the parameters.
    fn download_options(&self, params: CallParams<'_>) -> Result<OptionMap, Aria2Failure> {
        let given = params.optional_object(1)?.map(|given| read(given, DOWNLOAD)).transpose()?.unwrap_or_default();
        let mut options = self.global().clone();
        options.retain(|name, _| table::find(name).is_some_and(|option| option.is(DOWNLOAD)));
        options.extend(given);
        Ok(options)
    }

    /// Adds a download, and returns its GID.
    async fn add(&self, plan: DownloadPlan, options: &OptionMap, position: Option<usize>) -> Result<String, Aria2Failure> {
        let folder = self.folder(options).await?;
        if let Some(name) = &plan.request.name
            && options.get("auto-file-renaming").is_some_and(|value| value == "false")
        {
            self.refuse_existing(folder.join(name)).await?;
        }
        let reserved = self.new_gid(options).await?;
        let gid = reserved.gid.clone();
        let place = self.place(position).await?;
        let limit = plan.accepted_limit();
        let new = plan.into_registration(gid.clone(), Some(folder), Some(place))?;
        let added = self.engine().add(new).await.map_err(add_refusal)?;
        drop(reserved);
        if let (Some(limit), Some(download)) = (limit, added.registration()) {
            let scope = LimitScope::Registration { unique_id: download.unique_id };
            self.engine().limit(scope, Some(limit)).await.map_err(refusal)?;
        }
        Ok(gid)
    }

    /// Returns the folder of a download with these options.
    pub(super) async fn folder(&self, options: &OptionMap) -> Result<PathBuf, Aria2Failure> {
        let named = options.get("dir").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        let folder = named.unwrap_or_else(|| self.engine().download_folder());
        let roots: Vec<PathBuf> = self.config.roots.iter().cloned().chain(self.engine().usual_folders()).collect();
        let resolved = spawn_blocking(move || folder::create(&folder, roots)).await;
        resolved.ok().and_then(Result::ok).ok_or_else(|| refused("dir"))
    }

    /// Fails if the file exists, because the download would then get another name.
    async fn refuse_existing(&self, file: PathBuf) -> Result<(), Aria2Failure> {
        let message = format!("File {} exists. Ashore never replaces files.", Path::display(&file));
        let exists = spawn_blocking(move || file.symlink_metadata().is_ok()).await.unwrap_or(true);
        if exists { Err(Aria2Failure::new(message)) } else { Ok(()) }
    }

    /// Returns the GID that the client chose, or a random one. Fails if the GID is not valid, or names another download.
    async fn new_gid(&self, options: &OptionMap) -> Result<ReservedGid<'_>, Aria2Failure> {
        let chosen = options.get("gid").filter(|gid| !gid.is_empty());
        loop {
            let gid = match chosen {
                Some(gid) => gids::chosen(gid).ok_or_else(no_uri)?,
                None => gids::from_random((self.config.random)()),
            };
            // Reserve the GID before the list is searched, so that no other call can add a download with this GID after
            // the search.
            if let Some(reserved) = self.reserved_gids.reserve(gid)
                && !self.is_taken(&reserved.gid, chosen.is_some()).await?
            {
                return Ok(reserved);
            }
            if chosen.is_some() {
                return Err(no_uri());
            }
        }
    }

    /// Whether a download that clients see has this GID. Downloads of other owners matter only if a client chose the
    /// GID, because a random GID never equals theirs by chance.
    async fn is_taken(&self, gid: &str, is_chosen: bool) -> Result<bool, Aria2Failure> {
        let own = self.engine().find_by_prefix(OWNER, gid, 1).await.map_err(refusal)?;
        Ok(!own.is_empty() || is_chosen && self.others().await?.any(|other| gids::gid_of(&other) == gid))
    }

    /// Returns the queue place for a position among the waiting and paused downloads.
    async fn place(&self, position: Option<usize>) -> Result<QueuePlace, Aria2Failure> {
        let Some(position) = position else { return Ok(QueuePlace::Bottom) };
        let offset = u32::try_from(position).unwrap_or(u32::MAX);
        let next = self.queue_page(QueueWindow { from_end: false, offset, limit: 1 }).await?;
        Ok(next.first().map_or(QueuePlace::Bottom, |next| QueuePlace::Before(next.unique_id)))
    }
}

fn no_uri() -> Aria2Failure {
    Aria2Failure::new("No URI to download.")
}

fn add_refusal(error: EngineError) -> Aria2Failure {
    match error {
        EngineError::Empty
        | EngineError::BadUrl { .. }
        | EngineError::BadScheme(_)
        | EngineError::BadPort { .. }
        | EngineError::IdTaken(_) => no_uri(),
        EngineError::Target { .. } => refused("dir"),
        error => refusal(error),
    }
}
