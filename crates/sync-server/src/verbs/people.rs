//! Manages users, devices, quotas, and invites.

use ashore_sync_server::{auth::enrol::NO_PIN, clock::ServerClock, http::set_up_invite};

use super::reach::{KnownAddress, ReachableServer};
use crate::{
    arguments::{CommonArguments, DeviceArguments, InviteArguments, QuotaSize, SetQuotaArguments, UsersArguments, origin},
    print::{TerminalOutput, clean, moment, size},
    problem::{ServerExit, ServerProblem},
};

/// `invite`
pub async fn invite(
    common: &CommonArguments,
    inviting: &InviteArguments,
    out: TerminalOutput,
) -> Result<ServerExit, ServerProblem> {
    let reach = reach(common, inviting)?;
    let store = super::store(common, "invite").await?;
    let (id, secret) = set_up_invite(&store, ServerClock::system().now()).await?;
    let link = reach.link(id, secret);
    store.close().await;
    match out.json {
        true => out.object(&serde_json::json!({ "invite": link }))?,
        false => out.line(link)?,
    }
    Ok(ServerExit::Done)
}

/// Returns the address from the arguments. If they contain no address, returns the one that the server recorded.
fn reach(common: &CommonArguments, inviting: &InviteArguments) -> Result<ReachableServer, ServerProblem> {
    let known = KnownAddress::read(&common.folder()?);
    let kind = common.place()?.kind();
    if let Some(known) = known.as_ref().filter(|known| known.database != kind) {
        let text = format!(
            "The server on this folder uses {}, and this would invite to another database, on {kind}. Name the database of the server \
             with --database or ASHORE_SYNC_SERVER_DATABASE, or leave both out for SQLite.",
            known.database
        );
        return Err(ServerProblem::refused("other-database", text));
    }
    let known = known.and_then(|known| known.reach);
    let found = match &inviting.address {
        Some(url) if url.contains("://") => {
            let url =
                origin(url).map_err(|why| ServerProblem::Usage(format!("The address {} cannot be used: {why}.", clean(url))))?;
            ReachableServer::of_url(&url)
        }
        Some(address) => {
            let pin = if inviting.plain { Some(NO_PIN.to_owned()) } else { known.map(|known| known.pin) };
            pin.map(|pin| ReachableServer { address: address.clone(), pin })
        }
        None => known.map(|known| if inviting.plain { ReachableServer { pin: NO_PIN.to_owned(), ..known } } else { known }),
    };
    let text = "The address of the server is not known here. Start the server first, on the same --data-dir and with --public-url where a \
                proxy is in front of it, or name the address that clients use: ashore-sync-server invite --address https://sync.example";
    found.ok_or_else(|| ServerProblem::refused("unknown-address", text))
}

/// `users`
pub async fn users(common: &CommonArguments, users: &UsersArguments, out: TerminalOutput) -> Result<ServerExit, ServerProblem> {
    let store = super::store(common, "users").await?;
    if let Some(user) = users.remove {
        let is_removed = store.delete_user(user).await?;
        store.close().await;
        return if is_removed { Ok(ServerExit::Done) } else { Err(unknown_user(user)) };
    }
    for user in store.users().await? {
        if out.json {
            out.object(&user)?;
            continue;
        }
        let quota = match user.quota {
            None => "the server's quota".to_owned(),
            Some(i64::MAX) => "no quota".to_owned(),
            Some(quota) => format!("of {}", size(quota)),
        };
        let (bytes, modified) = (size(user.bytes), moment(user.modified));
        out.line(format_args!("{:>10}  {bytes:>10}  {quota}  {} devices  last write {modified}", user.uid, user.devices))?;
    }
    store.close().await;
    Ok(ServerExit::Done)
}

/// `devices`
pub async fn devices(
    common: &CommonArguments,
    devices: &DeviceArguments,
    out: TerminalOutput,
) -> Result<ServerExit, ServerProblem> {
    let store = super::store(common, "devices").await?;
    if !store.is_user(devices.user).await? {
        return Err(unknown_user(devices.user));
    }
    if let Some(device) = &devices.remove {
        let is_removed = store.delete_device(devices.user, device).await?;
        store.close().await;
        let text = format!(
            "User {} has no device {}. `ashore-sync-server devices {}` lists them.",
            devices.user,
            clean(device),
            devices.user
        );
        return if is_removed { Ok(ServerExit::Done) } else { Err(ServerProblem::refused("unknown-device", text)) };
    }
    for device in store.devices(devices.user).await? {
        match out.json {
            true => out.object(&device)?,
            false => out.line(format_args!("{}  {}  seen {}", device.id, clean(&device.name), moment(device.last_seen)))?,
        }
    }
    store.close().await;
    Ok(ServerExit::Done)
}

/// `quota`
pub async fn quota(
    common: &CommonArguments,
    asked: &SetQuotaArguments,
    out: TerminalOutput,
) -> Result<ServerExit, ServerProblem> {
    let store = super::store(common, "quota").await?;
    if let Some(QuotaSize(bytes)) = asked.size {
        if !store.set_quota(asked.user, bytes).await? {
            return Err(unknown_user(asked.user));
        }
    } else if !store.is_user(asked.user).await? {
        return Err(unknown_user(asked.user));
    }
    let now = ServerClock::system().now();
    let (states, _, own) = store.info(asked.user, now, true).await?;
    let used: i64 = states.values().map(|state| state.bytes).sum();
    store.close().await;
    if out.json {
        out.object(&serde_json::json!({ "uid": asked.user, "bytes": used, "quota": own }))?;
    } else {
        let quota =
            own.map_or("the server's quota".to_owned(), |own| if own == i64::MAX { "no quota".to_owned() } else { size(own) });
        out.line(format_args!("{} of {quota}", size(used)))?;
    }
    Ok(ServerExit::Done)
}

fn unknown_user(user: i64) -> ServerProblem {
    ServerProblem::refused("unknown-user", format!("There is no user {user}. `ashore-sync-server users` lists them."))
}
