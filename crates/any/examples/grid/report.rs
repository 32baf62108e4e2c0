//! What is printed.

use crate::measure::{Row, Timed};
use ringsmith_any::Costs;
use std::io::{self, Write};

impl Row {
    /// The method that the model chooses.
    pub(crate) fn chosen(&self, costs: &Costs) -> &Timed {
        let predicted = |timed: &&Timed| costs.cycles(&timed.work);
        self.timed.iter().min_by(|x, y| predicted(x).total_cmp(&predicted(y))).expect("a method")
    }

    /// The fastest one.
    pub(crate) fn best(&self) -> &Timed {
        self.timed.iter().min_by(|x, y| x.cycles.total_cmp(&y.cycles)).expect("a method")
    }
}

/// A point's chosen method and its fastest one.
pub(crate) fn print_row(out: &mut impl Write, row: &Row, costs: &Costs) -> io::Result<()> {
    let (chosen, best, point) = (row.chosen(costs), row.best(), row.point);
    let predicted = costs.cycles(&chosen.work);
    let names = (point.q_name(), point.n, point.form_name());
    let bound = row.operands.bound().map_or(String::new(), |bound| format!("+-{bound}"));
    writeln!(
        out,
        "{:>8} {:>6} {:<8} {bound:<4} {predicted:>11.0} {:>11.0}  {:>5.2} {:>5.2}  {}{}",
        names.0,
        names.1,
        names.2,
        chosen.cycles,
        predicted / chosen.cycles,
        chosen.cycles / best.cycles,
        chosen.method,
        if chosen.method == best.method { String::new() } else { format!("; best: {}", best.method) },
    )
}

/// How far predictions and choices are from what was measured.
pub(crate) fn print_summary(out: &mut impl Write, rows: &[Row], costs: &Costs) -> io::Result<()> {
    let count = rows.len() as f64;
    let share = |holds: &dyn Fn(&Row) -> bool| {
        let number = rows.iter().filter(|row| holds(row)).count();
        format!("{number} of {}, {:.1}%", rows.len(), 100.0 * number as f64 / count)
    };
    let error = |row: &Row| {
        let chosen = row.chosen(costs);
        (costs.cycles(&chosen.work) / chosen.cycles - 1.0).abs()
    };
    let loss = |row: &Row| row.chosen(costs).cycles / row.best().cycles;
    writeln!(out, "\npredictions within 10% of what was measured: {}", share(&|row| error(row) <= 0.1))?;
    writeln!(out, "predictions within 20%:                      {}", share(&|row| error(row) <= 0.2))?;
    writeln!(out, "choices within 10% of the best method:       {}", share(&|row| loss(row) <= 1.1))?;
    for row in rows.iter().filter(|row| error(row) > 0.2 || loss(row) > 1.1) {
        write!(out, "  ")?;
        print_row(out, row, costs)?;
    }
    Ok(())
}
