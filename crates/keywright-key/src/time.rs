//! Instants, dates and time buckets: just enough of the calendar to write them into keys.
//!
//! The calendar is the proleptic Gregorian one of ISO 8601, in UTC, for the years 0000 to 9999, which four
//! digits can hold.

mod bucket;

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub use bucket::{Bucket, BucketSize};

const SECONDS_PER_DAY: i64 = 86_400;

/// The error for a text that is not an instant, date or bucket, or is outside the years 0000 to 9999.
///
/// ```
/// use keywright_key::{Date, TimeError};
/// assert_eq!(Date::parse("2023-02-29"), Err(TimeError));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeError;

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an ISO 8601 time in the years 0000 to 9999")
    }
}

impl std::error::Error for TimeError {}

/// A calendar date, years 0000 to 9999.
///
/// ```
/// use keywright_key::Date;
/// let leap = Date::new(2024, 2, 29).expect("2024 is a leap year");
/// assert_eq!(leap.to_string(), "2024-02-29");
/// assert_eq!(Date::new(2023, 2, 29), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The first date that a key can hold.
    ///
    /// ```
    /// use keywright_key::Date;
    /// assert_eq!(Date::MIN.to_string(), "0000-01-01");
    /// ```
    pub const MIN: Date = Date { year: 0, month: 1, day: 1 };
    /// The last date that a key can hold.
    ///
    /// ```
    /// use keywright_key::Date;
    /// assert_eq!(Date::MAX.to_string(), "9999-12-31");
    /// ```
    pub const MAX: Date = Date { year: 9999, month: 12, day: 31 };

    /// The date; `None` if the calendar does not have it.
    ///
    /// ```
    /// use keywright_key::Date;
    /// assert!(Date::new(2024, 2, 29).is_some() && Date::new(2023, 2, 29).is_none());
    /// ```
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        if year > 9999 || month == 0 || month > 12 || day == 0 || day > days_in_month(year, month) {
            return None;
        }
        Some(Date { year, month, day })
    }

    /// Parses `YYYY-MM-DD`.
    ///
    /// ```
    /// use keywright_key::Date;
    /// assert_eq!(Date::parse("2024-01-15").unwrap(), Date::new(2024, 1, 15).unwrap());
    /// ```
    pub fn parse(text: &str) -> Result<Date, TimeError> {
        let bytes = text.as_bytes();
        if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
            return Err(TimeError);
        }
        let (year, month, day) =
            (digits(&bytes[..4])? as u16, digits(&bytes[5..7])? as u8, digits(&bytes[8..])? as u8);
        Date::new(year, month, day).ok_or(TimeError)
    }

    /// The year, 0 to 9999.
    ///
    /// ```
    /// use keywright_key::Date;
    /// assert_eq!(Date::MAX.year(), 9999);
    /// ```
    pub const fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12.
    ///
    /// ```
    /// use keywright_key::Date;
    /// assert_eq!(Date::MAX.month(), 12);
    /// ```
    pub const fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, from 1.
    ///
    /// ```
    /// use keywright_key::Date;
    /// assert_eq!(Date::MAX.day(), 31);
    /// ```
    pub const fn day(self) -> u8 {
        self.day
    }

    /// Midnight UTC of this date.
    ///
    /// ```
    /// use keywright_key::Date;
    /// assert_eq!(Date::MIN.midnight().to_string(), "0000-01-01T00:00:00Z");
    /// ```
    pub const fn midnight(self) -> Instant {
        Instant { seconds: self.days_since_epoch() * SECONDS_PER_DAY, nanos: 0 }
    }

    /// Days since 1970-01-01, computed in eras of 400 years that start in March.
    const fn days_since_epoch(self) -> i64 {
        let (year, month) = (self.year as i64, self.month as i64);
        let shifted = if month <= 2 { year - 1 } else { year };
        let era = shifted.div_euclid(400);
        let year_of_era = shifted - era * 400;
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + self.day as i64 - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468
    }

    /// The inverse of [`Date::days_since_epoch`], for days in the years 0000 to 9999.
    const fn from_days_since_epoch(days: i64) -> Date {
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days - era * 146_097;
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * shifted_month + 2) / 5 + 1) as u8;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 } as u8;
        let year = (year_of_era + era * 400 + if month <= 2 { 1 } else { 0 }) as u16;
        Date { year, month, day }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A point in time, UTC, with nanoseconds, years 0000 to 9999.
///
/// ```
/// use keywright_key::Instant;
/// let instant = Instant::parse("2024-01-15T11:30:00.250+01:00").expect("RFC 3339");
/// assert_eq!(instant.to_string(), "2024-01-15T10:30:00.250Z");
/// assert_eq!(Instant::from_unix_millis(1_705_314_600_250), Some(instant));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    // The derived order compares these fields in order, which is the order of time: nanoseconds always count
    // forward.
    seconds: i64,
    nanos: u32,
}

impl Instant {
    /// The first instant of the year 0000.
    ///
    /// ```
    /// use keywright_key::Instant;
    /// assert_eq!(Some(Instant::MIN), Instant::parse("0000-01-01T00:00:00Z").ok());
    /// ```
    pub const MIN: Instant = Date::MIN.midnight();
    /// The last nanosecond of the year 9999.
    ///
    /// ```
    /// use keywright_key::Instant;
    /// assert!(Instant::parse("9999-12-31T23:59:59.999999Z").unwrap() < Instant::MAX);
    /// ```
    pub const MAX: Instant =
        Instant { seconds: Date::MAX.midnight().seconds + SECONDS_PER_DAY - 1, nanos: 999_999_999 };
    /// 1970-01-01T00:00:00Z.
    ///
    /// ```
    /// use keywright_key::Instant;
    /// assert_eq!(Instant::EPOCH.unix_seconds(), 0);
    /// ```
    pub const EPOCH: Instant = Instant { seconds: 0, nanos: 0 };

    /// The instant `seconds` and `nanos` after the Unix epoch; `None` outside the years 0000 to 9999.
    ///
    /// ```
    /// use keywright_key::Instant;
    /// assert_eq!(Instant::from_unix(0, 0), Some(Instant::EPOCH));
    /// assert_eq!(Instant::from_unix(0, 1_000_000_000), None);
    /// ```
    pub const fn from_unix(seconds: i64, nanos: u32) -> Option<Instant> {
        if seconds < Instant::MIN.seconds || seconds > Instant::MAX.seconds || nanos > 999_999_999 {
            return None;
        }
        Some(Instant { seconds, nanos })
    }

    /// The instant `millis` milliseconds after the Unix epoch; `None` outside the years 0000 to 9999.
    ///
    /// ```
    /// use keywright_key::Instant;
    /// assert_eq!(Instant::from_unix_millis(-1).unwrap().to_string(), "1969-12-31T23:59:59.999Z");
    /// ```
    pub const fn from_unix_millis(millis: i64) -> Option<Instant> {
        Instant::from_unix(millis.div_euclid(1000), millis.rem_euclid(1000) as u32 * 1_000_000)
    }

    /// Parses RFC 3339: a date, `T`, a time with up to nine fractional digits, and `Z` or an offset.
    ///
    /// ```
    /// use keywright_key::Instant;
    /// assert!(Instant::parse("2024-01-15T10:30:00+01:00").is_ok() && Instant::parse("2024-01-15").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Instant, TimeError> {
        let (date, clock) = text.split_at_checked(10).ok_or(TimeError)?;
        let date = Date::parse(date)?;
        let clock = clock.strip_prefix(['T', 't']).ok_or(TimeError)?;
        let bytes = clock.as_bytes();
        if bytes.len() < 9 || bytes[2] != b':' || bytes[5] != b':' {
            return Err(TimeError);
        }
        let (hour, minute, second) = (digits(&bytes[..2])?, digits(&bytes[3..5])?, digits(&bytes[6..8])?);
        if hour > 23 || minute > 59 || second > 59 {
            return Err(TimeError);
        }
        let mut rest = &bytes[8..];
        let mut nanos = 0;
        if let Some(fraction) = rest.strip_prefix(b".") {
            let length = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if length == 0 || length > 9 {
                return Err(TimeError);
            }
            nanos = digits(&fraction[..length])? * 10u32.pow(9 - length as u32);
            rest = &fraction[length..];
        }
        let offset = match rest {
            b"Z" | b"z" => 0,
            [sign @ (b'+' | b'-'), offset @ ..] if offset.len() == 5 && offset[2] == b':' => {
                let (hours, minutes) = (digits(&offset[..2])?, digits(&offset[3..])?);
                if hours > 23 || minutes > 59 {
                    return Err(TimeError);
                }
                let seconds = i64::from(hours * 3600 + minutes * 60);
                if *sign == b'+' { seconds } else { -seconds }
            }
            _ => return Err(TimeError),
        };
        let seconds = date.midnight().seconds + i64::from(hour * 3600 + minute * 60 + second) - offset;
        Instant::from_unix(seconds, nanos).ok_or(TimeError)
    }

    /// Whole seconds since the Unix epoch, rounded towards the past.
    ///
    /// ```
    /// use keywright_key::Instant;
    /// assert_eq!(Instant::EPOCH.unix_seconds(), 0);
    /// ```
    pub const fn unix_seconds(self) -> i64 {
        self.seconds
    }

    /// Whole milliseconds since the Unix epoch, rounded towards the past.
    ///
    /// ```
    /// use keywright_key::Instant;
    /// assert_eq!(Instant::EPOCH.unix_millis(), 0);
    /// ```
    pub const fn unix_millis(self) -> i64 {
        self.seconds * 1000 + (self.nanos / 1_000_000) as i64
    }

    /// Nanoseconds after the whole second.
    ///
    /// ```
    /// use keywright_key::Instant;
    /// assert_eq!(Instant::MAX.subsec_nanos(), 999_999_999);
    /// ```
    pub const fn subsec_nanos(self) -> u32 {
        self.nanos
    }

    /// The calendar date in UTC.
    ///
    /// ```
    /// use keywright_key::{Date, Instant};
    /// assert_eq!(Instant::MAX.date(), Date::MAX);
    /// ```
    pub const fn date(self) -> Date {
        Date::from_days_since_epoch(self.seconds.div_euclid(SECONDS_PER_DAY))
    }

    /// Hour, minute and second of the day in UTC.
    ///
    /// ```
    /// use keywright_key::Instant;
    /// assert_eq!(Instant::MAX.clock(), (23, 59, 59));
    /// ```
    pub const fn clock(self) -> (u8, u8, u8) {
        let second = self.seconds.rem_euclid(SECONDS_PER_DAY);
        ((second / 3600) as u8, (second / 60 % 60) as u8, (second % 60) as u8)
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute, second) = self.clock();
        write!(f, "{}T{hour:02}:{minute:02}:{second:02}", self.date())?;
        match self.nanos {
            0 => {}
            nanos if nanos % 1_000_000 == 0 => write!(f, ".{:03}", nanos / 1_000_000)?,
            nanos if nanos % 1_000 == 0 => write!(f, ".{:06}", nanos / 1_000)?,
            nanos => write!(f, ".{nanos:09}")?,
        }
        f.write_str("Z")
    }
}

impl TryFrom<SystemTime> for Instant {
    type Error = TimeError;

    fn try_from(time: SystemTime) -> Result<Self, TimeError> {
        let (seconds, nanos) = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => (i64::try_from(after.as_secs()).map_err(|_| TimeError)?, after.subsec_nanos()),
            Err(before) => {
                let before: Duration = before.duration();
                let seconds = i64::try_from(before.as_secs()).map_err(|_| TimeError)?;
                match before.subsec_nanos() {
                    0 => (-seconds, 0),
                    nanos => (-seconds - 1, 1_000_000_000 - nanos),
                }
            }
        };
        Instant::from_unix(seconds, nanos).ok_or(TimeError)
    }
}

impl From<Date> for Instant {
    fn from(date: Date) -> Self {
        date.midnight()
    }
}

#[cfg(feature = "jiff")]
impl TryFrom<jiff::Timestamp> for Instant {
    type Error = TimeError;

    fn try_from(time: jiff::Timestamp) -> Result<Self, TimeError> {
        let nanos = time.as_nanosecond();
        let (seconds, nanos) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
        Instant::from_unix(seconds as i64, nanos as u32).ok_or(TimeError)
    }
}

#[cfg(feature = "jiff")]
impl TryFrom<Instant> for jiff::Timestamp {
    type Error = TimeError;

    fn try_from(instant: Instant) -> Result<Self, TimeError> {
        // jiff keeps a margin of a day at both ends of its range for offsets.
        let nanos = i128::from(instant.seconds) * 1_000_000_000 + i128::from(instant.nanos);
        jiff::Timestamp::from_nanosecond(nanos).map_err(|_| TimeError)
    }
}

#[cfg(feature = "jiff")]
impl TryFrom<jiff::civil::Date> for Date {
    type Error = TimeError;

    fn try_from(date: jiff::civil::Date) -> Result<Self, TimeError> {
        let year = u16::try_from(date.year()).map_err(|_| TimeError)?;
        Date::new(year, date.month() as u8, date.day() as u8).ok_or(TimeError)
    }
}

#[cfg(feature = "jiff")]
impl From<Date> for jiff::civil::Date {
    fn from(date: Date) -> Self {
        jiff::civil::date(date.year as i16, date.month as i8, date.day as i8)
    }
}

const fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Parses at most nine digits.
fn digits(bytes: &[u8]) -> Result<u32, TimeError> {
    bytes.iter().try_fold(0, |number, byte| match byte {
        b'0'..=b'9' => Ok(number * 10 + u32::from(byte - b'0')),
        _ => Err(TimeError),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_jiff_on_every_day() {
        let mut day = jiff::civil::date(0, 1, 1);
        for number in Date::MIN.days_since_epoch()..=Date::MAX.days_since_epoch() {
            let ours = Date::from_days_since_epoch(number);
            assert_eq!(ours.to_string(), format!("{:04}-{:02}-{:02}", day.year(), day.month(), day.day()));
            assert_eq!(ours.days_since_epoch(), number);
            day = day.tomorrow().unwrap_or(day);
        }
    }

    #[test]
    fn reads_offsets_and_fractions() {
        for (text, expected) in [
            ("2024-01-15T10:30:00Z", "2024-01-15T10:30:00Z"),
            ("2024-01-15t10:30:00z", "2024-01-15T10:30:00Z"),
            ("2024-01-15T10:30:00.5Z", "2024-01-15T10:30:00.500Z"),
            ("2024-01-15T10:30:00.000000001Z", "2024-01-15T10:30:00.000000001Z"),
            ("2024-01-01T00:30:00+01:00", "2023-12-31T23:30:00Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
        ] {
            assert_eq!(Instant::parse(text).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn refuses_what_the_calendar_does_not_have() {
        for text in [
            "",
            "2024-01-15",
            "2024-13-01T00:00:00Z",
            "2024-02-30T00:00:00Z",
            "2024-01-15T24:00:00Z",
            "2024-01-15T10:60:00Z",
            "2024-01-15T10:30:60Z",
            "2024-01-15T10:30:00",
            "2024-01-15T10:30:00.Z",
            "2024-01-15T10:30:00.0000000001Z",
            "2024-01-15T10:30:00+1:00",
            "0000-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "２024-01-15T10:30:00Z",
        ] {
            assert_eq!(Instant::parse(text), Err(TimeError), "{text}");
        }
    }

    #[test]
    fn system_time_before_the_epoch_counts_forward() {
        let time = UNIX_EPOCH - Duration::from_millis(1);
        assert_eq!(Instant::try_from(time).unwrap().to_string(), "1969-12-31T23:59:59.999Z");
    }
}
