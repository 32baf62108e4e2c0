//! Horizontal axes: from zero, or logarithmic where values lie far apart.

/// Where values stand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Axis {
    /// The pixels of both ends.
    pub pixels: [f64; 2],
    /// The values of both ends.
    pub values: [f64; 2],
    /// Whether equal distances are equal factors.
    pub logarithmic: bool,
}

/// Values this many times apart need a logarithmic axis.
const FAR: f64 = 25.0;

/// The least number of the form 1, 2 or 5 times a power of ten that is not below a value.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    round.into_iter().find(|round| *round >= value * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// The greatest of that form that is not above a value.
fn round_down(value: f64) -> f64 {
    1.0 / round_up(1.0 / value)
}

impl Axis {
    /// An axis for positive values between two places.
    pub fn of(values: impl Iterator<Item = f64> + Clone, pixels: [f64; 2]) -> Axis {
        let high = values.clone().fold(f64::MIN_POSITIVE, f64::max);
        let low = values.fold(high, f64::min).max(f64::MIN_POSITIVE);
        let logarithmic = high > FAR * low;
        let values = if logarithmic { [round_down(low), round_up(high)] } else { [0.0, 1.05 * high] };
        Axis { pixels, values, logarithmic }
    }

    /// A logarithmic axis that has the values and 1.
    pub fn of_ratios(values: impl Iterator<Item = f64> + Clone, pixels: [f64; 2]) -> Axis {
        let high = values.clone().fold(2.0, f64::max);
        let low = values.fold(1.0, f64::min).max(1e-3);
        Axis { pixels, values: [0.8 * low, round_up(high)], logarithmic: true }
    }

    /// The pixel of a value.
    pub fn at(&self, value: f64) -> f64 {
        let [from, to] = if self.logarithmic { self.values.map(f64::ln) } else { self.values };
        let value = if self.logarithmic { value.max(f64::MIN_POSITIVE).ln() } else { value };
        let part = ((value - from) / (to - from)).clamp(0.0, 1.0);
        self.pixels[0] + part * (self.pixels[1] - self.pixels[0])
    }

    /// Round values on it, at least `apart` pixels from each other.
    pub fn marks(&self, apart: f64) -> Vec<f64> {
        let room = (self.pixels[1] - self.pixels[0]).max(1.0);
        if self.logarithmic { self.powers(apart) } else { self.multiples(room / apart) }
    }

    fn multiples(&self, count: f64) -> Vec<f64> {
        let step = round_up(self.values[1] / count.max(1.0));
        (0..).map(|i| f64::from(i) * step).take_while(|mark| *mark <= self.values[1]).collect()
    }

    /// 1, 2 and 5 times powers of ten, as far as there is room; else powers of ten.
    fn powers(&self, apart: f64) -> Vec<f64> {
        let [first, last] = self.values.map(|value| value.log10().floor() as i32);
        let of = |digits: &[f64]| -> Vec<f64> {
            let all = (first..=last).flat_map(|power| digits.iter().map(move |d| d * 10f64.powi(power)));
            let within = |mark: &f64| *mark >= self.values[0] * 0.999 && *mark <= self.values[1] * 1.001;
            all.filter(within).collect()
        };
        let fits =
            |marks: &Vec<f64>| marks.windows(2).all(|pair| self.at(pair[1]) - self.at(pair[0]) >= apart);
        let digits: [&[f64]; 3] = [&[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
        digits.into_iter().map(of).find(fits).unwrap_or_else(|| of(&[1.0]).into_iter().step_by(2).collect())
    }
}

/// A value in as few digits as tell it: `0.25`, `9.10`, `181`, `12,156`, `282k`, `1.2M`.
pub fn short(value: f64) -> String {
    match value {
        _ if value == 0.0 => "0".into(),
        _ if value >= 999_500.0 => format!("{}M", short(value / 1e6)),
        _ if value >= 99_950.0 => format!("{:.0}k", value / 1e3),
        _ if value >= 999.5 => {
            let rounded = value.round();
            format!("{},{:03}", (rounded / 1e3).trunc(), rounded % 1e3)
        }
        _ if value >= 99.95 => format!("{value:.0}"),
        _ if value >= 9.995 => format!("{value:.1}"),
        _ if value >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// The same of a round value: no zeroes at its end, and `20k`.
pub fn tick(value: f64) -> String {
    let text = if (1e4..1e6).contains(&value) { format!("{}k", tick(value / 1e3)) } else { short(value) };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: values stand on their axis, marks are round, on it and apart from each other.
    #[test]
    fn values_and_marks() {
        for (low, high) in [(1.0, 2.0), (0.3, 1.1), (7.0, 7.0), (1.5, 112.0), (350.0, 1.2e7)] {
            let axis = Axis::of([low, high].into_iter(), [100.0, 300.0]);
            assert_eq!(axis.logarithmic, high > 25.0 * low);
            assert!(axis.at(low) >= 100.0 && axis.at(high) <= 300.0 && axis.at(low) <= axis.at(high));
            let marks = axis.marks(40.0);
            assert!(marks.len() >= 2, "{low} {high}: {marks:?}");
            let far = marks.windows(2).all(|pair| axis.at(pair[1]) - axis.at(pair[0]) > 30.0);
            assert!(far, "{low} {high}: {marks:?}");
        }
        let ratios = Axis::of_ratios([0.8, 3.0].into_iter(), [0.0, 1.0]);
        assert!(ratios.values[0] < 0.8 && ratios.at(1.0) > 0.0 && ratios.values[1] >= 3.0);
    }

    /// Protects: figures as a picture has room for.
    #[test]
    fn few_digits() {
        let texts = [0.0125, 0.25, 9.1, 37.84, 181.3, 12156.0, 282366.0, 1.25e6].map(short);
        assert_eq!(texts, ["0.013", "0.25", "9.10", "37.8", "181", "12,156", "282k", "1.25M"]);
        assert_eq!([0.0, 0.5, 2.0, 50.0, 2e3, 2e4].map(tick), ["0", "0.5", "2", "50", "2,000", "20k"]);
    }
}
