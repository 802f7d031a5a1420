//! Moves downloads in the queue.

use ashore_engine::QueuePlace;
use serde_json::{Value, json};

use crate::aria2::{
    gids,
    methods::{Aria2Methods, refusal},
    params::CallParams,
    wire::Aria2Failure,
};

impl Aria2Methods {
    /// Moves a download among the waiting and paused downloads, and returns its new position.
    pub(super) async fn change_position(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let (gid, offset, origin) = (params.gid(0)?, params.integer(1)?, params.text(2)?);
        let download = self.find_own(&gid).await?;
        let mut waiting = self.waiting().await?;
        let current = waiting.iter().position(|one| one.unique_id == download.unique_id);
        let position = new_position(origin, offset, current.unwrap_or_default(), waiting.len());
        let position = position.ok_or_else(|| Aria2Failure::new("Illegal argument."))?;
        let missing = || Aria2Failure::new(format!("GID#{} not found in the waiting queue.", gids::gid_of(&download)));
        waiting.remove(current.ok_or_else(missing)?);
        let place = waiting.get(position).map_or(QueuePlace::Bottom, |next| QueuePlace::Before(next.unique_id));
        self.engine().move_to(download.unique_id, place).await.map_err(refusal)?;
        Ok(json!(position))
    }
}

/// Returns the position at `offset` from the `origin`, in a queue of `length` downloads; `None` if the origin is not
/// valid. `current` is the current position. [pure]
fn new_position(origin: &str, offset: i64, current: usize, length: usize) -> Option<usize> {
    let last = length.saturating_sub(1);
    let start = match origin {
        "POS_SET" => 0,
        "POS_CUR" => current,
        "POS_END" => last,
        _ => return None,
    };
    let distance = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    let position = if offset < 0 { start.saturating_sub(distance) } else { start.saturating_add(distance) };
    Some(position.min(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_position_is_limited_to_the_queue() {
        for (origin, offset, expected) in [
            ("POS_SET", 0, Some(0)),
            ("POS_SET", 2, Some(2)),
            ("POS_SET", -1, Some(0)),
            ("POS_SET", i64::MAX, Some(4)),
            ("POS_CUR", 1, Some(4)),
            ("POS_CUR", -2, Some(1)),
            ("POS_CUR", i64::MIN, Some(0)),
            ("POS_END", 0, Some(4)),
            ("POS_END", -1, Some(3)),
            ("POS_END", 7, Some(4)),
            ("POS_X", 0, None),
        ] {
            assert_eq!(new_position(origin, offset, 3, 5), expected, "{origin} {offset}");
        }
        assert_eq!(new_position("POS_END", 1, 0, 0), Some(0));
    }
}
