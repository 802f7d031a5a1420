//! The verbs about what people see of a registration: its title, its description, its icons, and a click on it.

use ashore_transfer::disk;

use crate::{
    Engine, EngineError, EngineEvent,
    api::engine::{ACCEPT_WAITS, DOES_NOT_ANSWER},
    intake::{icons::accept_icons, validate::accept_description},
    model::{NotificationIcon, UniqueId},
};

impl Engine {
    /// Changes what people see, now and after a restart.
    ///
    /// `Unknown`, `Invalid` or `Icon`; nothing is written then.
    pub async fn update_ui(&self, id: UniqueId, mut face: NotificationIcon) -> Result<(), EngineError> {
        self.show(id).await?;
        face.description = face.description.as_deref().map(accept_description).transpose()?;
        if let Some(first) = face.icons.as_ref().and_then(|icons| icons.first()) {
            let silent = EngineError::Icon { path: first.src.clone(), why: DOES_NOT_ANSWER.to_owned() };
            let icons = face.icons.take().unwrap_or_default();
            let checked = disk::within(ACCEPT_WAITS, move || accept_icons(None, icons)).await;
            face.icons = Some(checked.unwrap_or(Err(silent))?);
        }
        let mut ledger = self.shared.store.begin().await?;
        ledger.update_ui(id, &face).await?;
        ledger.commit().await?;
        self.changed(id).await;
        Ok(())
    }

    /// A person clicked on it: clients of its owner hear so, as Background Fetch's `backgroundfetchclick` is dispatched. Nothing is
    /// kept, since a click wants an answer now. `Unknown` when it is not in the list.
    pub async fn click(&self, id: UniqueId) -> Result<(), EngineError> {
        let registration = Box::new(self.show(id).await?);
        self.shared.speaker.emit(EngineEvent::Clicked { registration });
        Ok(())
    }
}
