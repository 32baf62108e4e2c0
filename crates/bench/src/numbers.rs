//! Statistics of a row, and numbers as people read them.

/// The least value.
pub(crate) fn least(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::min)
}

/// The middle value, or the mean of the two in the middle; sorts.
pub(crate) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    match values.len() % 2 {
        0 => Some((values[values.len() / 2 - 1] + upper) / 2.0),
        _ => Some(upper),
    }
}

/// The mean.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// To one decimal: more would be noise.
pub(crate) fn to_tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// As `12,345`; below 100 with one decimal.
pub(crate) fn grouped(value: f64) -> String {
    if value.abs() < 100.0 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the two figures of every row, at the sizes where such code goes wrong.
    #[test]
    fn statistics() {
        assert_eq!((least(&[]), median(&mut [])), (None, None));
        assert_eq!((least(&[3.0]), median(&mut [3.0])), (Some(3.0), Some(3.0)));
        assert_eq!((least(&[9.0, 2.0]), median(&mut [9.0, 2.0])), (Some(2.0), Some(5.5)));
        assert_eq!((mean(&[]), mean(&[9.0, 2.0])), (None, Some(5.5)));
        assert_eq!(median(&mut [9.0, 2.0, 100.0]), Some(9.0));
        assert_eq!(median(&mut [9.0, 2.0, 100.0, 1.0]), Some(5.5));
    }

    /// Protects: numbers stay readable, and no digit is lost.
    #[test]
    fn thousands_are_grouped() {
        let cases =
            [(0.0, "0.0"), (99.94, "99.9"), (100.0, "100"), (999.6, "1,000"), (1234567.0, "1,234,567")];
        for (value, text) in cases {
            assert_eq!(grouped(value), text);
        }
        assert_eq!(grouped(-123456.0), "-123,456");
        assert_eq!(to_tenths(1.26), 1.3);
    }
}
