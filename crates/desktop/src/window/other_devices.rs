//! Requests of the page that concern other devices: the server for them, and their sign-in and sign-out.
//!
//! - The user confirms in a dialog of the desktop before the server opens, and before a link is shown. Code that is
//!   injected into the page can therefore not let anyone in.
//! - Consent to the server includes consent to one link, because the user opens the server to sign a device in.

use std::sync::atomic::Ordering;

use ashore_engine::UserMessage;
use ashore_messages::text;
use ashore_remote::{RemoteReport, ShownLink, shown_link, sign_device_out};

use crate::{
    context::AppContext,
    window::consent::{agreed, confirm},
};

/// Opens or closes the server for other devices, and returns its state.
///
/// Fails with `declined` without consent, and as [`ashore_remote::RemoteSwitch::turn_on`] does.
pub async fn allow(shell: &AppContext, is_on: bool) -> Result<RemoteReport, UserMessage> {
    if !is_on {
        shell.is_link_granted.store(false, Ordering::SeqCst);
        shell.remembered.set_remote(shell.remote.turn_off().await);
        return shell.remote.report();
    }
    let is_new = !shell.remote.position().is_on;
    if is_new {
        agreed(shell, confirm(text!("ask-devices"), text!("ask-devices.body"), text!("ask-devices.yes"))).await?;
    }
    shell.remembered.set_remote(shell.remote.turn_on().await?);
    if is_new {
        shell.is_link_granted.store(true, Ordering::SeqCst);
    }
    shell.remote.report()
}

/// Returns a link that signs one device in. Asks the user, except for the first link after the consent to the server.
///
/// Fails with `declined` without consent, and as [`ashore_remote::sign_in_link`] does.
pub async fn link(shell: &AppContext) -> Result<ShownLink, UserMessage> {
    if !shell.is_link_granted.swap(false, Ordering::SeqCst) {
        agreed(shell, confirm(text!("ask-device-link"), text!("ask-device-link.body"), text!("ask-invite.yes"))).await?;
    }
    shown_link(&shell.data_dir)
}

/// Signs a device or program out, and returns the state of the server.
///
/// Fails if no device or program has this name.
pub fn sign_out(shell: &AppContext, name: &str) -> Result<RemoteReport, UserMessage> {
    sign_device_out(&shell.data_dir, name)?;
    shell.remote.report()
}
