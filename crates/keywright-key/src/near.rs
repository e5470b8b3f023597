//! The distance between two names, for "did you mean".

/// The number of single-character edits between two names.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_edits() {
        for (a, b, distance) in [("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("padd", "pad", 1)] {
            assert_eq!(super::distance(a, b), distance);
        }
    }
}
