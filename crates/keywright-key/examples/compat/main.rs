//! Answers calls of the compat functions: one `[function, [argument, …]]` per line in, one JSON result per line out.
//! `scripts/suite-compat` compares the answers with those of the original.

mod calls;

use std::io::{BufRead, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let (function, arguments): (String, Vec<serde_json::Value>) = serde_json::from_str(&line?)?;
        writeln!(out, "{}", calls::call(&function, &arguments)?)?;
    }
    Ok(())
}
