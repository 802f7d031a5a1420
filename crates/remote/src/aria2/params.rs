//! Reads the parameters of a method. Wrong parameters are refused with aria2's messages. [pure]

use ashore_engine::QueueWindow;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use crate::aria2::{
    gids::{GidPrefix, parse_prefix},
    wire::Aria2Failure,
};

/// Parameters of a call, without its token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallParams<'a>(pub &'a [Value]);

impl<'a> CallParams<'a> {
    fn required(self, at: usize) -> Result<&'a Value, Aria2Failure> {
        self.0.get(at).ok_or_else(|| Aria2Failure::new(format!("The parameter at {at} is required but missing.")))
    }

    /// Returns the GID at the index `at`.
    pub(crate) fn gid(self, at: usize) -> Result<GidPrefix, Aria2Failure> {
        parse_prefix(self.text(at)?)
    }

    /// Returns the text at the index `at`.
    pub(crate) fn text(self, at: usize) -> Result<&'a str, Aria2Failure> {
        self.required(at)?.as_str().ok_or_else(|| wrong_type(at))
    }

    /// Returns the bytes that the text at the index `at` encodes in Base64.
    pub(crate) fn bytes(self, at: usize) -> Result<Vec<u8>, Aria2Failure> {
        // Clients may break the text into lines.
        let text: String = self.text(at)?.split_ascii_whitespace().collect();
        STANDARD.decode(text).map_err(|error| Aria2Failure::new(format!("The parameter at {at} is not Base64: {error}.")))
    }

    /// Returns the list at the index `at`.
    pub(crate) fn list(self, at: usize) -> Result<&'a [Value], Aria2Failure> {
        self.required(at)?.as_array().map(Vec::as_slice).ok_or_else(|| wrong_type(at))
    }

    /// Returns the object at the index `at`.
    pub(crate) fn object(self, at: usize) -> Result<&'a Map<String, Value>, Aria2Failure> {
        self.required(at)?.as_object().ok_or_else(|| wrong_type(at))
    }

    /// Returns the object at the index `at`; `None` if there is no such parameter.
    pub(crate) fn optional_object(self, at: usize) -> Result<Option<&'a Map<String, Value>>, Aria2Failure> {
        self.0.get(at).map(|value| value.as_object().ok_or_else(|| wrong_type(at))).transpose()
    }

    /// Returns the parameter at the index `at` as a whole number.
    pub(crate) fn integer(self, at: usize) -> Result<i64, Aria2Failure> {
        self.required(at)?.as_i64().ok_or_else(|| wrong_type(at))
    }

    /// Returns the parameter at the index `at` as a number of entries.
    pub(crate) fn count(self, at: usize) -> Result<usize, Aria2Failure> {
        self.at_least(at, 0)
    }

    /// Returns the parameter at the index `at` as the number of a file, from 1.
    pub(crate) fn file_number(self, at: usize) -> Result<usize, Aria2Failure> {
        self.at_least(at, 1)
    }

    fn at_least(self, at: usize, least: usize) -> Result<usize, Aria2Failure> {
        let number = usize::try_from(self.integer(at)?).ok().filter(|number| *number >= least);
        let message = format!("has invalid value: the value must be greater than or equal to {least}.");
        number.ok_or_else(|| Aria2Failure::new(format!("The integer parameter at {at} {message}")))
    }

    /// Returns the parameter at the index `at` as a position; `None` if there is no such parameter.
    pub(crate) fn position(self, at: usize) -> Result<Option<usize>, Aria2Failure> {
        let Some(value) = self.0.get(at) else { return Ok(None) };
        let position = value.as_i64().ok_or_else(|| wrong_type(at))?;
        let refused = |_| Aria2Failure::new("Position must be greater than or equal to 0.");
        usize::try_from(position).map(Some).map_err(refused)
    }

    /// Reads the names of the wanted keys from the list at the index `at`. Without names, all keys are wanted.
    pub(crate) fn keys(self, at: usize) -> Result<WantedKeys<'a>, Aria2Failure> {
        let Some(value) = self.0.get(at) else { return Ok(WantedKeys(Vec::new())) };
        let keys = value.as_array().ok_or_else(|| wrong_type(at))?;
        Ok(WantedKeys(keys.iter().filter_map(Value::as_str).collect()))
    }
}

/// Names of the keys that an answer contains.
#[derive(Clone, Debug)]
pub(crate) struct WantedKeys<'a>(Vec<&'a str>);

impl WantedKeys<'_> {
    /// Whether the answer contains the key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.is_empty() || self.0.contains(&key)
    }
}

fn wrong_type(at: usize) -> Aria2Failure {
    Aria2Failure::new(format!("The parameter at {at} has wrong type."))
}

/// Returns the first parameter, which must be a list, without copying the list.
pub(crate) fn take_list(mut params: Vec<Value>) -> Result<Vec<Value>, Aria2Failure> {
    CallParams(&params).list(0)?;
    if let Value::Array(list) = params.swap_remove(0) { Ok(list) } else { Ok(Vec::new()) }
}

/// Removes the token at the beginning of `params` and returns it. Only one token is removed.
pub(crate) fn take_token(params: &mut Vec<Value>) -> Option<String> {
    let token = params.first()?.as_str()?.strip_prefix("token:")?.to_owned();
    params.remove(0);
    Some(token)
}

/// Returns at most `count` of `items`, starting at `offset`. A negative offset counts from the end; the items are then
/// returned in reverse order.
pub(crate) fn window<T: Clone>(items: &[T], offset: i64, count: usize) -> Vec<T> {
    if let Ok(offset) = usize::try_from(offset) {
        return items.iter().skip(offset).take(count).cloned().collect();
    }
    let from_end = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    if from_end > items.len() {
        return Vec::new();
    }
    items.iter().rev().skip(from_end - 1).take(count).cloned().collect()
}

/// Returns the part of the queue that [`window`] would return from a list of the whole queue.
pub(crate) fn queue_window(offset: i64, count: usize) -> QueueWindow {
    let from_end = offset < 0;
    let distance = if from_end { offset.unsigned_abs() - 1 } else { offset.unsigned_abs() };
    let limit = u32::try_from(count).unwrap_or(u32::MAX);
    QueueWindow { from_end, offset: u32::try_from(distance).unwrap_or(u32::MAX), limit }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T, Aria2Failure>) -> String {
        result.unwrap_err().message
    }

    #[test]
    fn window_of_queue_counts_from_start_or_from_end() {
        let window = |offset, count| queue_window(offset, count);
        assert_eq!(window(3, 2), QueueWindow { from_end: false, offset: 3, limit: 2 });
        assert_eq!(window(-1, 2), QueueWindow { from_end: true, offset: 0, limit: 2 });
        assert_eq!(window(i64::MIN, usize::MAX), QueueWindow { from_end: true, offset: u32::MAX, limit: u32::MAX });
        assert_eq!(window(i64::MAX, 0), QueueWindow { from_end: false, offset: u32::MAX, limit: 0 });
    }

    #[test]
    fn missing_or_wrong_parameter_is_named_by_index() {
        let values = [json!(5), json!("x"), json!(-1)];
        let params = CallParams(&values);
        assert_eq!(message(params.gid(0)), "The parameter at 0 has wrong type.");
        assert_eq!(message(params.list(1)), "The parameter at 1 has wrong type.");
        assert_eq!(message(params.object(3)), "The parameter at 3 is required but missing.");
        assert_eq!(message(params.optional_object(0)), "The parameter at 0 has wrong type.");
        assert_eq!(params.optional_object(3).unwrap(), None);
        assert_eq!(message(params.integer(1)), "The parameter at 1 has wrong type.");
        let expected = "The integer parameter at 2 has invalid value: the value must be greater than or equal to 0.";
        assert_eq!(message(params.count(2)), expected);
        assert_eq!(message(params.position(2)), "Position must be greater than or equal to 0.");
        assert_eq!((params.position(0).unwrap(), params.position(3).unwrap()), (Some(5), None));
        assert_eq!(message(params.keys(1)), "The parameter at 1 has wrong type.");
        let expected = "The integer parameter at 2 has invalid value: the value must be greater than or equal to 1.";
        assert_eq!((message(params.file_number(2)).as_str(), params.file_number(0).unwrap()), (expected, 5));
        assert_eq!(message(params.text(0)), "The parameter at 0 has wrong type.");
    }

    #[test]
    fn base64_parameter_is_decoded_and_may_contain_line_breaks() {
        let values = [json!("YWJj\nZGVm"), json!("!"), json!(5)];
        let params = CallParams(&values);
        assert_eq!(params.bytes(0).unwrap(), b"abcdef");
        assert!(message(params.bytes(1)).starts_with("The parameter at 1 is not Base64"));
        assert_eq!(message(params.bytes(2)), "The parameter at 2 has wrong type.");
    }

    #[test]
    fn key_list_without_names_selects_all_keys() {
        for (keys, expected) in [(json!([]), true), (json!([5]), true), (json!(["gid"]), false), (json!(["gid", "status"]), true)]
        {
            assert_eq!(CallParams(std::slice::from_ref(&keys)).keys(0).unwrap().has("status"), expected, "{keys}");
        }
        assert!(CallParams(&[]).keys(0).unwrap().has("status"));
    }

    #[test]
    fn only_secret_token_in_first_parameter_is_removed() {
        let mut params = vec![json!("token:a"), json!("token:b")];
        assert_eq!(take_token(&mut params).as_deref(), Some("a"));
        assert_eq!(params, [json!("token:b")]);
        let mut params = vec![json!(5), json!("token:a")];
        assert_eq!(take_token(&mut params), None);
        assert_eq!(params.len(), 2);
    }

    #[test]
    fn entries_selected_by_negative_offset_are_in_reverse_order() {
        let items = [1, 2, 3, 4];
        for (offset, count, expected) in [
            (0, 2, &[1, 2][..]),
            (1, 9, &[2, 3, 4]),
            (4, 1, &[]),
            (0, 0, &[]),
            (-1, 2, &[4, 3]),
            (-2, 2, &[3, 2]),
            (-4, 2, &[1]),
            (-5, 2, &[]),
            (i64::MIN, 2, &[]),
            (i64::MAX, 2, &[]),
        ] {
            assert_eq!(window(&items, offset, count), expected, "{offset} {count}");
        }
    }
}
