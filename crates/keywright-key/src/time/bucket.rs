//! Buckets of time: the year, month, day or hour that an instant falls into.

use std::fmt;

use super::{Date, Instant, SECONDS_PER_DAY, TimeError};

/// The length of a [`Bucket`] of time.
///
/// ```
/// use keywright_key::BucketSize;
/// assert!(BucketSize::Hour < BucketSize::Year);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BucketSize {
    /// `ymdh`
    Hour,
    /// `ymd`
    Day,
    /// `ym`
    Month,
    /// `y`
    Year,
}

/// A year, month, day or hour in UTC: the part of an instant that a time-bucketed key holds.
///
/// ```
/// use keywright_key::{Bucket, BucketSize, Instant};
/// let instant = Instant::parse("2024-01-15T10:30:00Z").unwrap();
/// let month = Bucket::of(instant, BucketSize::Month);
/// assert_eq!(month.to_string(), "2024-01");
/// assert_eq!(month.next().unwrap().to_string(), "2024-02");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bucket {
    start: Instant,
    size: BucketSize,
}

impl Bucket {
    /// The bucket of that size that contains the instant.
    ///
    /// ```
    /// use keywright_key::{Bucket, BucketSize, Instant};
    /// assert_eq!(Bucket::of(Instant::EPOCH, BucketSize::Year).to_string(), "1970");
    /// ```
    pub const fn of(instant: Instant, size: BucketSize) -> Bucket {
        let date = instant.date();
        let (month, day) = match size {
            BucketSize::Year => (1, 1),
            BucketSize::Month => (date.month, 1),
            BucketSize::Day | BucketSize::Hour => (date.month, date.day),
        };
        let mut start = Date { year: date.year, month, day }.midnight();
        if matches!(size, BucketSize::Hour) {
            start.seconds += instant.clock().0 as i64 * 3600;
        }
        Bucket { start, size }
    }

    /// Parses a bucket of that size: `2024`, `2024-01`, `2024-01-15` or `2024-01-15T10`.
    ///
    /// ```
    /// use keywright_key::{Bucket, BucketSize};
    /// assert!(Bucket::parse("2024-01", BucketSize::Month).is_ok() && Bucket::parse("2024", BucketSize::Month).is_err());
    /// ```
    pub fn parse(text: &str, size: BucketSize) -> Result<Bucket, TimeError> {
        // The missing part is filled with that of the bucket's start, so that one parser serves all four
        // sizes.
        let start = "0000-01-01T00:00:00Z";
        if text.len() != size.width() || !text.is_ascii() {
            return Err(TimeError);
        }
        let instant = Instant::parse(&format!("{text}{}", &start[text.len()..]))?;
        Ok(Bucket::of(instant, size))
    }

    /// The first instant in the bucket.
    ///
    /// ```
    /// use keywright_key::{Bucket, BucketSize, Instant};
    /// assert_eq!(Bucket::of(Instant::EPOCH, BucketSize::Year).start(), Instant::EPOCH);
    /// ```
    pub const fn start(self) -> Instant {
        self.start
    }

    /// The size of the bucket.
    ///
    /// ```
    /// use keywright_key::{Bucket, BucketSize, Instant};
    /// assert_eq!(Bucket::of(Instant::EPOCH, BucketSize::Day).size(), BucketSize::Day);
    /// ```
    pub const fn size(self) -> BucketSize {
        self.size
    }

    /// The next bucket; `None` after the year 9999.
    ///
    /// ```
    /// use keywright_key::{Bucket, BucketSize, Instant};
    /// assert_eq!(Bucket::of(Instant::EPOCH, BucketSize::Hour).next().unwrap().to_string(), "1970-01-01T01");
    /// ```
    pub fn next(self) -> Option<Bucket> {
        let Date { year, month, .. } = self.start.date();
        let start = match self.size {
            BucketSize::Hour => Instant::from_unix(self.start.seconds + 3600, 0),
            BucketSize::Day => Instant::from_unix(self.start.seconds + SECONDS_PER_DAY, 0),
            BucketSize::Month if month < 12 => Date::new(year, month + 1, 1).map(Date::midnight),
            BucketSize::Month | BucketSize::Year => Date::new(year + 1, 1, 1).map(Date::midnight),
        };
        Some(Bucket { start: start?, size: self.size })
    }

    /// All buckets from the one that contains `first` to the one that contains `last`, in order: the
    /// partitions that a read of that period must query.
    ///
    /// ```
    /// use keywright_key::{Bucket, BucketSize, Instant};
    /// let last = Instant::parse("1970-03-01T00:00:00Z").unwrap();
    /// assert_eq!(Bucket::between(Instant::EPOCH, last, BucketSize::Month).count(), 3);
    /// ```
    pub fn between(first: Instant, last: Instant, size: BucketSize) -> impl Iterator<Item = Bucket> {
        let end = Bucket::of(last, size);
        let start = Some(Bucket::of(first, size)).filter(|start| *start <= end);
        std::iter::successors(start, move |bucket| bucket.next().filter(|next| *next <= end))
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Date { year, month, day } = self.start.date();
        match self.size {
            BucketSize::Year => write!(f, "{year:04}"),
            BucketSize::Month => write!(f, "{year:04}-{month:02}"),
            BucketSize::Day => write!(f, "{year:04}-{month:02}-{day:02}"),
            BucketSize::Hour => write!(f, "{year:04}-{month:02}-{day:02}T{:02}", self.start.clock().0),
        }
    }
}

impl BucketSize {
    /// How many bytes a bucket of this size takes in a key.
    ///
    /// ```
    /// use keywright_key::BucketSize;
    /// assert_eq!(BucketSize::Month.width(), "2024-01".len());
    /// ```
    pub const fn width(self) -> usize {
        match self {
            BucketSize::Year => 4,
            BucketSize::Month => 7,
            BucketSize::Day => 10,
            BucketSize::Hour => 13,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_cover_a_span_without_gaps() {
        let (first, last) = (Instant::parse("2023-11-30T23:59:59Z"), Instant::parse("2024-02-01T00:00:00Z"));
        let months: Vec<_> = Bucket::between(first.unwrap(), last.unwrap(), BucketSize::Month)
            .map(|month| month.to_string())
            .collect();
        assert_eq!(months, ["2023-11", "2023-12", "2024-01", "2024-02"]);
        assert_eq!(Bucket::between(last.unwrap(), first.unwrap(), BucketSize::Month).count(), 0);
        assert_eq!(Bucket::of(Instant::MAX, BucketSize::Hour).next(), None);
    }
}
