// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! What was proved of each function, as a table; and what is missing from it.
use crate::checked::{Property, PROPERTIES};
use crate::image::Image;
use crate::run::Report;
use iced_x86::Mnemonic;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// How the lengths of a job begin if all there are follow from its proofs
const EVERY: [&str; 2] = ["every ", "any "];
/// How they begin if it is an induction, but for some remainders only: quick proofs of XTS
const SOME: &str = "lengths [";
const IN_PLACE: &str = "in place";

/// The table, in Markdown, a line for each function
pub fn markdown(reports: &[Report], image: &Image) -> String {
    let mut functions: BTreeMap<&str, Vec<&Report>> = BTreeMap::new();
    for report in reports {
        functions.entry(&report.job.function).or_default().push(report)
    }
    let names: Vec<&str> = PROPERTIES.iter().map(|(_, name)| *name).collect();
    let mut table = format!(
        "| Function | Calls | Each length of | {} | In place | Instructions | Proofs | Seconds |\n\
         | --- | --- | --- | {}--- | --: | --: | --: |\n",
        names.join(" | "),
        "--- | ".repeat(names.len()),
    );
    for (function, reports) in &functions {
        let words: Vec<&str> = reports.iter().flat_map(|r| r.job.case.split(", ")).collect();
        let lengths: Vec<&str> = reports.iter().map(|r| &r.job.lengths[..]).collect();
        let properties: Vec<&str> = PROPERTIES.iter().map(|(property, _)| for_lengths(reports, *property)).collect();
        let num_instructions = image.instructions(function).map(|all| all.len()).unwrap_or(0);
        let proofs: usize = reports.iter().map(|r| r.proofs().unwrap_or(0)).sum();
        let seconds: f64 = reports.iter().map(|r| r.seconds()).sum();
        table += &format!(
            "| `{function}` | {} | {} | {} | {} | {num_instructions} | {proofs} | {seconds:.0} |\n",
            distinct(&words, |word| word != IN_PLACE),
            distinct(&lengths, |lengths| !is_induction(lengths)),
            properties.join(" | "),
            if words.contains(&IN_PLACE) { "yes" } else { "-" },
        )
    }
    table
}

/// The lengths for which all jobs of a function have checked a property
fn for_lengths(reports: &[&Report], property: Property) -> &'static str {
    let has = |report: &Report| report.outcomes.iter().all(|outcome| outcome.proofs.is_ok() && outcome.checked.has(property));
    let (inductions, each): (Vec<&Report>, Vec<&Report>) = reports.iter().partition(|report| is_induction(&report.job.lengths));
    let every = !inductions.is_empty() && inductions.iter().all(|report| is_every(&report.job.lengths));
    match (every, each.iter().copied().all(has), inductions.iter().copied().all(has)) {
        (true, true, true) => "every length",
        (_, true, _) if !each.is_empty() => "each length",
        _ => "-",
    }
}

fn is_every(lengths: &str) -> bool {
    EVERY.iter().any(|every| lengths.starts_with(every))
}

fn is_induction(lengths: &str) -> bool {
    is_every(lengths) || lengths.starts_with(SOME)
}

/// Those that belong in this column, once each
fn distinct(words: &[&str], belongs: impl Fn(&str) -> bool) -> String {
    let mut seen = FxHashSet::default();
    words.iter().filter(|&&word| belongs(word) && seen.insert(word)).copied().collect::<Vec<_>>().join(", ")
}

/// What functions that aren't proved yet begin with.  docs/proofs.md says so.
pub const NOT_PROVED: [&str; 9] =
    ["lc_sha256_", "lc_sha512_", "lc_sm3_", "lc_p256_", "lc_p384_", "lc_sm2_", "lc_25519_", "lc_rsa_", "lc_wipe_"];

/// Functions without any proof, though they should have one
pub fn without_proof(reports: &[Report], image: &Image) -> Vec<String> {
    let proved: FxHashSet<&str> = reports.iter().map(|r| &r.job.function[..]).collect();
    let missing = |f: &&String| !proved.contains(&f[..]) && !NOT_PROVED.iter().any(|prefix| f.starts_with(prefix));
    image.functions.keys().filter(missing).map(|f| format!("no proof for {f}")).collect()
}

/// Instructions of these functions that no proof has executed.  What isn't executed isn't proved.
pub fn never_executed(reports: &[Report], image: &Image) -> Vec<String> {
    let executed: FxHashSet<u64> = reports.iter().flat_map(|r| &r.outcomes).flat_map(|o| &o.executed).copied().collect();
    let functions: FxHashSet<&str> = reports.iter().map(|r| &r.job.function[..]).collect();
    let mut missing = vec![];
    for function in functions {
        for i in image.instructions(function).unwrap_or_default() {
            if i.mnemonic() != Mnemonic::Nop && !executed.contains(&i.ip()) {
                missing.push(format!("never executed: {}: {}", image.place(i.ip()), image.text_of(&i)))
            }
        }
    }
    missing.sort();
    missing
}
