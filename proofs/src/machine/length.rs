// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Lengths that are known only to lie in an interval.
//!
//! Word::Length(o) is the public number X + o, where X is any number of Machine::lengths.  What is computed from it is right for
//! all of them at once.  Where the code decides by it, and the lengths don't agree, the run ends with an error, and Machine::cut
//! says from which X on the answer is another: the caller can cut the interval in two there.  See induction.rs.
use super::*;
use std::cmp::Ordering;

/// least, least + step, .., most.  step is a power of two; both bounds are multiples of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub least: i64,
    pub most: i64,
    pub step: i64,
}

/// A public number about which the code only asks whether it is 0, which it isn't, and whether it is more than another: what is
/// left of data units
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A whole unit
    Unit,
    Left,
    /// Left minus what comes before it in Machine::ascending, of two
    LeftLess,
}

/// No buffer begins in the first page of memory: a pointer to less than a page before it is below it.
pub(super) const PAGE: i64 = 4096;

impl Interval {
    pub fn one(x: i64, step: i64) -> Interval {
        Interval { least: x, most: x, step }
    }

    /// Those below `at` and the others: two intervals if there are any of both kinds.
    pub fn cut(&self, at: i64) -> Option<[Interval; 2]> {
        let second = (at + self.step - 1) & -self.step;
        let inside = self.least < second && second <= self.most;
        let (first, second) = (Interval { most: second - self.step, ..*self }, Interval { least: second, ..*self });
        inside.then_some([first, second])
    }

    pub fn count(&self) -> i64 {
        (self.most - self.least) / self.step + 1
    }

    /// Prove it as a whole or, where that fails, cut to pieces: in two where `prove` says that the code decides by the length;
    /// and if there are no more than `max_singles`, one by one.  The number of proofs.  Messages name X + residue.
    pub fn cover(
        self,
        max_singles: i64,
        residue: i64,
        mut prove: impl FnMut(Interval) -> std::result::Result<(), (String, Option<i64>)>,
    ) -> Result<usize> {
        let (mut pieces, mut proofs, mut proved) = (vec![self], 0, 0);
        while let Some(piece) = pieces.pop() {
            match prove(piece) {
                Ok(()) => {
                    proofs += 1;
                    proved += piece.count();
                }
                Err((error, cut)) => match cut.and_then(|at| piece.cut(at)) {
                    Some(parts) => pieces.extend(parts),
                    None if 1 < piece.count() && piece.count() <= max_singles => {
                        pieces.extend((0..piece.count()).map(|i| Interval::one(piece.least + i * piece.step, piece.step)))
                    }
                    None => return Err(format!("length {} .. {}: {error}", piece.least + residue, piece.most + residue)),
                },
            }
        }
        if proved != self.count() {
            return Err(format!("{proved} of {} lengths", self.count()));
        }
        Ok(proofs)
    }
}

impl Machine {
    /// The least and the most that X + o can be
    fn bounds(&self, o: i64) -> (i128, i128) {
        (self.lengths.least as i128 + o as i128, self.lengths.most as i128 + o as i128)
    }

    /// Whether X + o lies from 0 to 2^(n - 1) - 1 for all X, so that a register of n bits holds it, with or without a sign.
    pub(super) fn fits(&self, o: i64, n: usize) -> bool {
        let (least, most) = self.bounds(o);
        least >= 0 && most < 1 << (n - 1)
    }

    /// The flags of X + o - y.  They stay unknown where the lengths don't agree.
    pub(super) fn compare_length(&mut self, o: i64, y: u64, n: usize) {
        self.flags = Flags { by_length: true, ..Flags::default() };
        self.cut = None;
        self.compared_at = self.at;
        if !self.fits(o, n) {
            return;
        }
        let ((least, most), y) = (self.bounds(o), y as i128);
        if most < y || y <= least {
            self.flags.c = Some(most < y);
        } else {
            self.cut = Some((y - o as i128) as i64);
        }
        if y < least || most < y || (y - least) % self.lengths.step as i128 != 0 {
            self.flags.z = Some(false);
        } else if least == most {
            self.flags.z = Some(true);
        } else if y == least {
            self.cut = Some(self.lengths.least + 1);
        }
    }

    /// X + o plus or minus y, and its flags.  A sum's carry is not known; nor are flags after what leaves the register's range.
    pub(super) fn add_to_length(&mut self, o: i64, y: u64, n: usize, sub: bool) -> Result<Word> {
        let signed = if n == 32 { y as i32 as i64 } else { y as i64 };
        if sub {
            self.compare_length(o, y, n);
        } else {
            self.flags = Flags::default();
        }
        let sum = if sub { o.checked_sub(signed) } else { o.checked_add(signed) };
        Ok(Word::Length(sum.ok_or("length out of range")?))
    }

    /// a - b, of which one at least is an amount, or which are the same; and its flags
    pub(super) fn subtract_amounts(&mut self, a: &Word, b: &Word) -> Word {
        let place = |word: &Word| self.ascending.iter().position(|other| other == word);
        let order = match (a == b, place(a), place(b)) {
            (true, ..) => Some(Ordering::Equal),
            (false, Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => None,
        };
        self.flags = Flags { by_amount: true, ..Flags::default() };
        self.flags.z = order.map(|order| order == Ordering::Equal);
        self.flags.c = order.map(|order| order == Ordering::Less);
        match (order, a) {
            (Some(Ordering::Equal), _) => Word::Number(0),
            (Some(Ordering::Greater), Word::Amount(Amount::Left)) if self.ascending.len() == 2 => Word::Amount(Amount::LeftLess),
            _ => Word::Bits(Box::new(self.domain.vars("difference", 64).try_into().unwrap())),
        }
    }

    /// Sums and differences with a pointer to X + o bytes after the beginning of its region, or that make one
    pub(super) fn addsub_end(&mut self, a: &Word, b: &Word, sub: bool) -> Result<Word> {
        self.flags = Flags::default();
        match (a, b, sub) {
            (Word::Pointer(region, x), Word::Length(o), false) => Ok(Word::End(*region, x + o)),
            (Word::End(region, o), Word::Number(y), _) => Ok(Word::End(*region, if sub { o - *y as i64 } else { o + *y as i64 })),
            (Word::Number(y), Word::End(region, o), false) => Ok(Word::End(*region, o + *y as i64)),
            (Word::End(region, o), Word::Pointer(other, x), true) if region == other && -PAGE <= *x => {
                self.compare_length(o + PAGE, (x + PAGE) as u64, 64);
                Ok(Word::Length(o - x))
            }
            (Word::Pointer(other, x), Word::End(region, o), true) if region == other => {
                self.compare_to_length(*x, *o);
                let difference = self.domain.vars("what a pointer lacks to the end", 64);
                Ok(Word::Bits(Box::new(difference.try_into().unwrap())))
            }
            _ => Err(format!("{a:?} and {b:?}")),
        }
    }

    /// The flags of x - (X + o), both from a region's beginning, or less than a page before it
    fn compare_to_length(&mut self, x: i64, o: i64) {
        self.flags = Flags { by_length: true, ..Flags::default() };
        self.cut = None;
        self.compared_at = self.at;
        let ((least, most), at) = (self.bounds(o), x as i128);
        if least < -PAGE as i128 || x < -PAGE {
            return;
        }
        if at < least || most <= at {
            self.flags.c = Some(at < least);
        } else {
            self.cut = Some(x - o + 1);
        }
        if at < least || most < at || (at - least) % self.lengths.step as i128 != 0 {
            self.flags.z = Some(false);
        } else if least == most {
            self.flags.z = Some(true);
        } else if at == most {
            self.cut = Some(x - o);
        }
    }

    /// X + o & mask, where the mask is of the bits that all X have as 0, or of all others
    pub(super) fn mask_length(&self, o: i64, mask: u64, n: usize) -> Option<Word> {
        let mask = if n == 32 { mask as i32 as i64 } else { mask as i64 };
        let low = self.lengths.step - 1;
        if mask & !low == 0 {
            Some(Word::Number((o & mask) as u64))
        } else if mask & !low == !low && self.fits(o, n) {
            Some(Word::Length(o & mask))
        } else {
            None
        }
    }
}
