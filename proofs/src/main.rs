// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Proofs of the assembly in a static library.  docs/proofs.md says what they mean.
mod aes;
mod checked;
mod cpu_check;
mod domain;
mod ghash;
mod image;
mod induction;
mod integers;
mod leftovers;
mod machine;
mod mutants;
mod proof;
mod residue;
mod run;
mod spec;
mod table;
use cpu_check::Verdict;
use image::Image;
use machine::form::Form;
use proof::{Effort, Job};
use run::Report;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::process::exit;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const USAGE: &str = "\
prove LIBRARY quick [FILTER]             proofs that take minutes, and a sample of mutants
prove LIBRARY all [FILTER]               all proofs: hours
prove LIBRARY mutants [NUMBER [SEED [FILTER]]]
                                         changes the machine code in so many ways a function, and expects that proofs fail
prove LIBRARY sabotage                   proofs with something wrong in them, which have to fail
prove LIBRARY forms [--record]           what forms of instructions there are, and how their models compare with this CPU

LIBRARY: liblanecrypt.a.  FILTER: a part of a job's name, which is the function and what is special about the call.
--markdown FILE, at the end, writes the table of what was proved there, too.
";

/// Mutants of all functions together in `prove quick`
const MUTANTS_OF_QUICK: usize = 40;
/// Each of them has to be killed by so many proofs.
const PROOFS_OF_QUICK: usize = 40;
const MUTANTS_OF_FUNCTION: usize = 12;
const SEED: u64 = 1;

/// Lets the image execute what passed; prints what didn't, or everything.
fn check_forms(image: &mut image::Image, all: bool) -> BTreeMap<Form, Verdict> {
    let begin = Instant::now();
    let verdicts = cpu_check::check(image);
    image.allowed = verdicts.iter().filter(|(_, verdict)| verdict.allows()).map(|(form, _)| *form).collect();
    for (form, verdict) in verdicts.iter().filter(|(_, verdict)| all || !matches!(verdict, Verdict::Passed(_))) {
        println!("{form}: {verdict}");
    }
    let passed = verdicts.values().filter(|verdict| matches!(verdict, Verdict::Passed(_))).count();
    let runs: usize = verdicts.values().map(|verdict| if let Verdict::Passed(runs) = verdict { *runs } else { 0 }).sum();
    let seconds = begin.elapsed().as_secs_f64();
    println!("forms   {passed} of {} passed {runs} runs on {}, {seconds:.1} s", verdicts.len(), cpu_check::cpu_name());
    verdicts
}

fn main() {
    if let Err(e) = spec::known_answers() {
        die(&e)
    }
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let markdown = match arguments.iter().position(|a| a == "--markdown") {
        Some(at) if at + 2 == arguments.len() => Some(arguments.drain(at..).nth(1).unwrap_or_default()),
        Some(_) => usage("--markdown FILE comes last"),
        None => None,
    };
    let arguments: Vec<&str> = arguments.iter().map(|a| &a[..]).collect();
    let (library, command, rest) = match &arguments[..] {
        [library, command, rest @ ..] => (library, command, rest),
        _ => usage("LIBRARY and a command are needed"),
    };
    let mut image = Image::load(library).unwrap_or_else(|e| die(&e));
    let verdicts = check_forms(&mut image, *command == "forms");
    if verdicts.values().any(|verdict| matches!(verdict, Verdict::Wrong(_))) {
        die("the CPU does something else than the model")
    }
    let ok = match (*command, rest) {
        ("sabotage", []) => sabotage(&image),
        ("quick", []) => prove(&image, Effort::Quick, "", markdown),
        ("quick", [filter]) => prove(&image, Effort::Quick, filter, markdown),
        ("all", []) => prove(&image, Effort::All, "", markdown),
        ("all", [filter]) => prove(&image, Effort::All, filter, markdown),
        ("mutants", []) => mutants_of(&image, MUTANTS_OF_FUNCTION, SEED, ""),
        ("mutants", [number]) => mutants_of(&image, parse(number), SEED, ""),
        ("mutants", [number, seed]) => mutants_of(&image, parse(number), parse(seed) as u64, ""),
        ("mutants", [number, seed, filter]) => mutants_of(&image, parse(number), parse(seed) as u64, filter),
        ("forms", []) => true,
        ("forms", ["--record"]) => {
            std::fs::write(cpu_check::RECORD, cpu_check::record(&verdicts)).unwrap_or_else(|e| die(&e.to_string()));
            true
        }
        _ => usage("no such command, or not with these arguments"),
    };
    exit(!ok as i32)
}

fn parse(number: &str) -> usize {
    number.parse().unwrap_or_else(|_| usage(&format!("{number} is no number")))
}

fn usage(why: &str) -> ! {
    eprint!("prove: {why}\n\n{USAGE}");
    exit(2)
}

fn die(why: &str) -> ! {
    eprintln!("prove: {why}");
    exit(2)
}

fn jobs_for(image: &Image, effort: Effort, filter: &str) -> Vec<Job> {
    let mut jobs = proof::jobs(image, effort);
    jobs.retain(|job| format!("{} {}, {}", job.function, job.case, job.lengths).contains(filter));
    if jobs.is_empty() {
        die(&format!("there is no job with \"{filter}\" in its name"))
    }
    jobs
}

/// Run these jobs, and say what they came to.  Without a filter nothing may be missing.
fn prove(image: &Image, effort: Effort, filter: &str, markdown: Option<String>) -> bool {
    let jobs = jobs_for(image, effort, filter);
    let stale = if filter.is_empty() { mutants::stale(image) } else { vec![] };
    stale.iter().for_each(|line| println!("FAILED  {line}"));
    let reports = run_and_print(image, &jobs);
    let mut failures = stale.len() + reports.iter().filter(|r| r.proofs().is_err()).count();
    let table = table::markdown(&reports, image);
    println!("\n{table}");
    if let Some(path) = markdown {
        std::fs::write(&path, &table).unwrap_or_else(|e| die(&format!("{path}: {e}")))
    }
    if filter.is_empty() {
        for missing in [table::without_proof(&reports, image), table::never_executed(&reports, image)].concat() {
            println!("FAILED  {missing}");
            failures += 1
        }
    }
    if filter.is_empty() {
        failures += !sabotage(image) as usize
    }
    if filter.is_empty() && effort == Effort::Quick && failures == 0 {
        let functions: FxHashSet<&str> = jobs.iter().map(|job| &job.function[..]).collect();
        // A function of a few instructions only chooses between two that do the same, so a mutant of it says little.
        let number = |n, function: &str| match image.instructions(function).unwrap_or_default().len() {
            0..=15 => 0,
            _ => (MUTANTS_OF_QUICK + n) / functions.len(),
        };
        failures += !mutants::run(image, &reports, number, SEED, PROOFS_OF_QUICK) as usize
    }
    let proofs: usize = reports.iter().filter_map(|r| r.proofs().ok()).sum();
    println!("{} jobs, {proofs} proofs, {failures} failures, {} MiB at most", jobs.len(), peak_memory());
    failures == 0
}

fn run_and_print<'a>(image: &Image, jobs: &'a [Job]) -> Vec<Report<'a>> {
    let (begin, num_done) = (Instant::now(), AtomicUsize::new(0));
    let done = |report: &Report| {
        let n = num_done.fetch_add(1, Ordering::Relaxed) + 1;
        let (name, of) = (report.name(), jobs.len());
        match report.proofs() {
            Ok(proofs) => println!("proved  {n}/{of} {name}: {proofs} proofs, {:.1} s", report.seconds()),
            Err(e) => println!("FAILED  {n}/{of} {name}: {e}"),
        }
    };
    let reports = run::run_all(&jobs.iter().collect::<Vec<_>>(), image, done);
    println!("{:.0} s", begin.elapsed().as_secs_f64());
    reports
}

/// Mutants of those functions.  Proofs that fail without any change are none that could fail because of one.
fn mutants_of(image: &Image, number: usize, seed: u64, filter: &str) -> bool {
    let jobs = jobs_for(image, Effort::Quick, filter);
    let reports = run_and_print(image, &jobs);
    reports.iter().all(|r| r.proofs().is_ok()) && mutants::run(image, &reports, |_, _| number, seed, usize::MAX)
}

/// Proofs with something wrong have to fail.
fn sabotage(image: &Image) -> bool {
    let number = proof::sabotage::prove_that_proofs_fail(image);
    match &number {
        Ok(number) => println!("{number} wrong proofs fail"),
        Err(e) => println!("FAILED  {e}"),
    }
    number.is_ok()
}

/// In MiB
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
}
