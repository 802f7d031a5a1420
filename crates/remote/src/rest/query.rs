//! Parses the query of an address. [pure]

use std::str::FromStr;

use url::form_urlencoded;

use crate::problem::RequestProblem;

/// Parameters of a query. Each name occurs at most once.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct QueryParameters(Vec<(String, String)>);

impl QueryParameters {
    /// Parses a query. Fails if it has a parameter that is not in `known`, or that occurs repeatedly.
    pub(super) fn parse(query: Option<&str>, known: &[&str]) -> Result<Self, RequestProblem> {
        let mut parameters: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            if !known.contains(&name.as_ref()) {
                return Err(RequestProblem::invalid(format!("unknown parameter `{name}`")));
            }
            if parameters.iter().any(|(earlier, _)| *earlier == name) {
                return Err(RequestProblem::invalid(format!("the parameter `{name}` occurs repeatedly")));
            }
            parameters.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self(parameters))
    }

    /// Returns the value of a parameter; `None` if it is missing. Fails if the value cannot be parsed.
    pub(super) fn value<T: FromStr>(&self, name: &str) -> Result<Option<T>, RequestProblem> {
        let Some((_, text)) = self.0.iter().find(|(own, _)| own == name) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| RequestProblem::invalid(format!("the parameter `{name}` has a wrong value")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_parameters_are_decoded_and_parsed() {
        let query = QueryParameters::parse(Some("search=a%20b+c&limit=7&active=true"), &["search", "limit", "active"]).unwrap();
        assert_eq!(query.value::<String>("search"), Ok(Some("a b c".to_owned())));
        assert_eq!((query.value::<u32>("limit"), query.value::<bool>("active")), (Ok(Some(7)), Ok(Some(true))));
        assert_eq!(query.value::<u32>("before"), Ok(None));
        assert_eq!(QueryParameters::parse(None, &[]), Ok(QueryParameters(Vec::new())));
    }

    #[test]
    fn unknown_repeated_or_wrong_query_parameter_is_refused() {
        assert!(QueryParameters::parse(Some("serach=a"), &["search"]).is_err());
        assert!(QueryParameters::parse(Some("search=a&search=b"), &["search"]).is_err());
        let query = QueryParameters::parse(Some("limit=-1&active=yes"), &["limit", "active"]).unwrap();
        assert!(query.value::<u32>("limit").is_err() && query.value::<bool>("active").is_err());
    }
}
