//! Engine methods for the title, description and icons of a registration, and for clicks on it.

use ashore_transfer::disk;

use crate::{
    Engine, EngineError, EngineEvent,
    api::engine::{ACCEPT_WAITS, does_not_answer},
    intake::{icons::accept_icons, validate::accept_description},
    model::{NotificationIcon, UniqueId},
};

impl Engine {
    /// Changes the title, description or icons of a registration, even if it is from an earlier run of Ashore.
    ///
    /// Fails with `Unknown`, `Invalid` or `Icon` before anything is written.
    pub async fn update_ui(&self, id: UniqueId, mut face: NotificationIcon) -> Result<(), EngineError> {
        self.show(id).await?;
        face.description = face.description.as_deref().map(accept_description).transpose()?;
        if let Some(first) = face.icons.as_ref().and_then(|icons| icons.first()) {
            let silent = EngineError::Icon { path: first.src.clone(), why: does_not_answer() };
            let icons = face.icons.take().unwrap_or_default();
            let checked = disk::within(ACCEPT_WAITS, move || accept_icons(None, icons)).await;
            face.icons = Some(checked.unwrap_or(Err(silent))?);
        }
        let mut ledger = self.shared.store.begin().await?;
        ledger.update_ui(id, &face, self.shared.env.now()).await?;
        ledger.commit().await?;
        self.changed(id).await;
        Ok(())
    }

    /// Sends a click event for a registration to clients of its owner.
    ///
    /// The event corresponds to `backgroundfetchclick` of Background Fetch. The click is not persisted, because it
    /// needs an immediate response. Fails with `Unknown` if the registration is not in the list.
    pub async fn click(&self, id: UniqueId) -> Result<(), EngineError> {
        let registration = Box::new(self.show(id).await?);
        self.shared.speaker.emit(EngineEvent::Clicked { registration });
        Ok(())
    }
}
