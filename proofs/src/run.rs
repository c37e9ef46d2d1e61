// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Running jobs on all cores.
use crate::checked::{self, Checked};
use crate::domain::Domain;
use crate::image::Image;
use crate::proof::Job;
use rustc_hash::FxHashSet;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::Instant;

extern "C" {
    /// glibc's: gives free pages back to the system
    fn malloc_trim(pad: usize) -> i32;
}

/// What came of one part of a job
pub struct Outcome {
    /// How many proofs it was, or why it is none
    pub proofs: Result<usize, String>,
    pub seconds: f64,
    /// The addresses of the instructions that were executed
    pub executed: FxHashSet<u64>,
    /// What it has checked
    pub checked: Checked,
}

/// What came of a job: of each of its parts, in their order
pub struct Report<'a> {
    pub job: &'a Job,
    pub outcomes: Vec<Outcome>,
}

pub const PANICKED: &str = "the prover panicked";

/// Runs parts one after another.
pub struct Runner<'a> {
    image: &'a Image,
    /// That of the parts before, which belong to the same job
    domain: Option<(*const Job, Domain)>,
}

/// A domain with more atoms, or more of them in its forms, isn't used again: about 200 MB.
const MAX_ATOMS: usize = 1 << 21;
const MAX_ENTRIES: usize = 1 << 26;

impl<'a> Runner<'a> {
    pub fn new(image: &'a Image) -> Runner<'a> {
        Runner { image, domain: None }
    }

    /// One part of a job.  A panic is a failure as well.
    pub fn run(&mut self, job: &Job, part: usize) -> Outcome {
        let begin = Instant::now();
        self.image.take_executed();
        checked::take();
        let domain = match self.domain.take() {
            Some((of, domain)) if std::ptr::eq(of, job) && domain.atoms.len() <= MAX_ATOMS && domain.sizes().2 <= MAX_ENTRIES => {
                domain
            }
            _ => Domain::new(),
        };
        let proved = catch_unwind(AssertUnwindSafe(|| job.parts[part](self.image, domain))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
            Err(format!("{PANICKED}: {}", text.unwrap_or_default()))
        });
        let proofs = proved.map(|proved| {
            self.domain = Some((job, proved.domain));
            proved.proofs
        });
        Outcome { proofs, seconds: begin.elapsed().as_secs_f64(), executed: self.image.take_executed(), checked: checked::take() }
    }
}

/// All jobs.  `done` is told of each job that has ended, in which order they may do so.
///
/// Cores share the parts of a job, and those that find none left begin the next.  Jobs of few parts come first, as their parts are
/// long ones, and so do the long parts of a job, which are its last.  So all cores end at about the same time.
pub fn run_all<'a>(jobs: &[&'a Job], image: &Image, done: impl Fn(&Report) + Sync) -> Vec<Report<'a>> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|&job| jobs[job].parts.len());
    let work: Vec<(usize, usize)> =
        order.iter().flat_map(|&job| (0..jobs[job].parts.len()).rev().map(move |part| (job, part))).collect();
    let unfinished: Vec<Mutex<Vec<(usize, Outcome)>>> = jobs.iter().map(|_| Mutex::default()).collect();
    let reports: Mutex<Vec<(usize, Report)>> = Mutex::default();
    let next = AtomicUsize::new(0);
    let worker = |image: &Image| {
        let mut runner = Runner::new(image);
        while let Some(&(job, part)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = runner.run(jobs[job], part);
            let mut outcomes = unfinished[job].lock().expect("no panic here");
            outcomes.push((part, outcome));
            if outcomes.len() == jobs[job].parts.len() {
                outcomes.sort_by_key(|(part, _)| *part);
                let report = Report { job: jobs[job], outcomes: outcomes.drain(..).map(|(_, outcome)| outcome).collect() };
                done(&report);
                // scripts/prove.sh has malloc keep all it gets; a small job after a large one has no use for gigabytes.
                // SAFETY: any thread may call it at any time.
                unsafe { malloc_trim(0) };
                reports.lock().expect("no panic here").push((job, report));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map(|n| n.get()).unwrap_or(1) {
            let (image, worker) = (image.clone(), &worker);
            scope.spawn(move || worker(&image));
        }
    });
    let mut reports = reports.into_inner().expect("no panic here");
    reports.sort_by_key(|(job, _)| *job);
    reports.into_iter().map(|(_, report)| report).collect()
}

impl Report<'_> {
    pub fn name(&self) -> String {
        format!("{} {}, {}", self.job.function, self.job.case, self.job.lengths)
    }

    /// How many proofs, or what the first part that failed says
    pub fn proofs(&self) -> Result<usize, &String> {
        self.outcomes.iter().try_fold(0, |sum, outcome| outcome.proofs.as_ref().map(|n| sum + n))
    }

    pub fn seconds(&self) -> f64 {
        self.outcomes.iter().map(|outcome| outcome.seconds).sum()
    }
}
