//! Writes metrics in the text format of Prometheus, version 0.0.4. [pure]

use std::fmt::Write as _;

/// Kind of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MetricKind {
    /// Value that only increases while the server runs.
    Counter,
    /// Value that increases and decreases.
    Gauge,
}

/// Text of the metrics that have been written so far.
#[derive(Debug, Default)]
pub(super) struct MetricsText(String);

impl MetricsText {
    /// Begins a metric. Its samples follow. `help` is a sentence without line breaks.
    pub(super) fn family(&mut self, name: &str, kind: MetricKind, help: &str) {
        let kind = match kind {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
        };
        self.push(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
    }

    /// Adds a sample with these labels and this value to the metric `name`.
    pub(super) fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: u64) {
        let labels: Vec<String> = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        match labels.is_empty() {
            true => self.push(format_args!("{name} {value}\n")),
            false => self.push(format_args!("{name}{{{}}} {value}\n", labels.join(","))),
        }
    }

    /// Returns all metrics.
    pub(super) fn into_string(self) -> String {
        self.0
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(text);
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_help_type_and_escaped_labels() {
        let mut text = MetricsText::default();
        text.family("a_total", MetricKind::Counter, "Help.");
        text.sample("a_total", &[("route", "/a\"\\\n"), ("class", "2xx")], 3);
        text.family("b", MetricKind::Gauge, "Other help.");
        text.sample("b", &[], 0);
        let expected = concat!(
            "# HELP a_total Help.\n# TYPE a_total counter\na_total{route=\"/a\\\"\\\\\\n\",class=\"2xx\"} 3\n",
            "# HELP b Other help.\n# TYPE b gauge\nb 0\n"
        );
        assert_eq!(text.into_string(), expected);
    }
}
