//! The stored form: one array of [`Measurement`]s.

use crate::measurement::Measurement;

/// As JSON text, one row to a few lines.
pub fn text(rows: &[Measurement]) -> String {
    // A derived Serialize of strings and numbers cannot fail; a float that is no number becomes null.
    let mut text = serde_json::to_string_pretty(rows).unwrap_or_default();
    text.push('\n');
    text
}

/// From JSON text.
///
/// # Errors
/// Where the text is no array of measurements; says where.
pub fn parse(text: &str) -> Result<Vec<Measurement>, serde_json::Error> {
    serde_json::from_str(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::sample::rows;

    /// Protects: the names and the order of the fields, which other tools read.
    #[test]
    fn fields() {
        let row = &rows()[0];
        let json = serde_json::to_string(row).unwrap();
        let names: Vec<_> = json.split('"').filter(|part| json.contains(&format!("\"{part}\":"))).collect();
        let expected = [
            "suite",
            "subject",
            "operation",
            "implementation",
            "cpu",
            "route",
            "cycles_min",
            "cycles_median",
            "instructions",
            "ns_min",
            "counter",
            "canary",
        ];
        assert_eq!(names, expected);
    }

    /// Protects: what is stored is what was measured.
    #[test]
    fn round_trip() {
        let rows = rows();
        assert_eq!(parse(&text(&rows)).unwrap(), rows);
        assert!(text(&rows).contains("\"instructions\": null"));
        assert!(parse("{}").is_err());
    }
}
