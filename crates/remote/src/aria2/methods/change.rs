//! Reads and changes options of downloads and of the whole program.

use std::sync::Arc;

use ashore_engine::{LentLimits, LimitScope, OwnerChoices, Registration, SettingKey, SettingValue};
use serde_json::{Value, json};

use crate::aria2::{
    methods::{Aria2Methods, refusal},
    options::{
        mapping::{self, KeptDownload},
        table::{CHANGE, DOWNLOAD, ECHOED, GLOBAL, LISTED, OPTIONS, find},
        values::{OptionMap, read, refused},
    },
    params::CallParams,
    wire::Aria2Failure,
};

/// Options that describe the request. They cannot be changed after a download was added.
const FIXED: [&str; 7] = ["checksum", "header", "http-passwd", "http-user", "out", "referer", "user-agent"];
/// Options of the whole program that limit transfers.
const SPEED: &str = "max-overall-download-limit";
const PARALLEL: &str = "max-concurrent-downloads";

impl Aria2Methods {
    pub(super) async fn get_option(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let download = self.find(&params.gid(0)?).await?;
        let kept = self.kept(&download).await?;
        let mut options = defaults(ECHOED);
        options.extend(self.global().iter().filter(|(name, _)| is_echoed(name)).map(owned));
        options.extend(kept.options.iter().map(owned));
        options.insert("dir".to_owned(), download.folder.to_string_lossy().into_owned());
        Ok(json!(options))
    }

    pub(super) async fn change_option(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let gid = params.gid(0)?;
        let given = params.object(1)?;
        let download = self.find_own(&gid).await?;
        if download.is_settled() {
            return Err(Aria2Failure::new(format!("Cannot change option for GID#{}", download.developer_id)));
        }
        let changes = read(given, CHANGE)?;
        let kept = self.kept(&download).await?;
        refuse_fixed(&changes, &kept)?;
        self.change_folder(&download, &changes).await?;
        if changes.contains_key("max-download-limit") {
            let scope = LimitScope::Registration { unique_id: download.unique_id };
            let limit = mapping::speed_limit(&changes).map(|bytes| bytes.max(1024));
            self.engine().limit(scope, limit).await.map_err(refusal)?;
        }
        let mut kept = KeptDownload::clone(&kept);
        kept.options.extend(mapping::kept(&changes));
        let data = serde_json::to_string(&kept).map_err(|error| Aria2Failure::new(error.to_string()))?;
        let choices = OwnerChoices { data, connections: mapping::connections(&kept.options) };
        self.engine().choose_for_owner(download.unique_id, &choices).await.map_err(refusal)?;
        self.kept.insert(download.unique_id, Arc::new(kept));
        Ok(json!("OK"))
    }

    async fn change_folder(&self, download: &Registration, changes: &OptionMap) -> Result<(), Aria2Failure> {
        if !changes.contains_key("dir") {
            return Ok(());
        }
        let folder = self.folder(changes).await?;
        if folder == download.folder {
            return Ok(());
        }
        self.engine().put_into(download.unique_id, folder).await.map_err(|_| refused("dir"))
    }

    pub(super) async fn get_global_option(&self) -> Result<Value, Aria2Failure> {
        let mut options = defaults(LISTED);
        let totals = self.engine().totals().await.map_err(refusal)?;
        options.insert("dir".to_owned(), self.engine().download_folder().display().to_string());
        options.insert(SPEED.to_owned(), totals.speed_limit.unwrap_or(0).to_string());
        options.insert("enable-rpc".to_owned(), true.to_string());
        let settings = self.engine().settings().settings;
        if let Some(SettingValue::Number(parallel)) =
            settings.into_iter().find(|one| one.key == SettingKey::Parallel).map(|one| one.value)
        {
            options.insert(PARALLEL.to_owned(), parallel.to_string());
        }
        options.extend(self.global().iter().filter(|(name, _)| name.as_str() != SPEED).map(owned));
        Ok(json!(options))
    }

    pub(super) async fn change_global_option(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let changes = read(params.object(0)?, GLOBAL)?;
        if let Some(name) =
            changes.iter().find(|(name, value)| name.ends_with("-proxy") && *name != "no-proxy" && !value.is_empty())
        {
            return Err(refused(name.0));
        }
        if changes.contains_key("dir") {
            self.folder(&changes).await?;
        }
        let mut kept = mapping::kept(&changes);
        // Do not keep the user name: its password is not kept, and a server refuses a user name without a password.
        kept.remove("http-user");
        let limits = {
            let mut global = self.global();
            global.extend(kept);
            let number = |name: &str| global.get(name).and_then(|value| value.parse::<u64>().ok()).filter(|number| *number > 0);
            let parallel = number(PARALLEL).map(|number| u32::try_from(number).unwrap_or(u32::MAX));
            LentLimits { bytes_per_second: number(SPEED), parallel }
        };
        if changes.contains_key(SPEED) || changes.contains_key(PARALLEL) {
            self.engine().lend(limits).await;
        }
        Ok(json!("OK"))
    }
}

/// Fails if an option would change the request, or if an option names a proxy.
fn refuse_fixed(changes: &OptionMap, kept: &KeptDownload) -> Result<(), Aria2Failure> {
    for (name, value) in changes {
        let before = kept.options.get(name).map_or("", String::as_str);
        let is_proxy = name.ends_with("-proxy") && name != "no-proxy";
        if (FIXED.contains(&name.as_str()) && value != before) || (is_proxy && !value.is_empty()) {
            return Err(refused(name));
        }
    }
    Ok(())
}

/// Returns the options that have this property, and their default values.
fn defaults(property: u8) -> OptionMap {
    let options = OPTIONS.iter().filter(|option| option.is(property));
    options.map(|option| (option.name.to_owned(), option.default.to_owned())).collect()
}

/// Whether a download inherits the global option.
fn is_echoed(name: &str) -> bool {
    find(name).is_some_and(|option| option.is(DOWNLOAD))
}

fn owned((name, value): (&String, &String)) -> (String, String) {
    (name.clone(), value.clone())
}
