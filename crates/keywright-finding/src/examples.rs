//! The examples on a rule's page. They are also the rule's test.

/// The example documents on a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// The examples under the heading "Fails": the rule must report each of them.
    pub fails: Vec<String>,
    /// The examples under the heading "Passes": the rule must report none of them.
    pub passes: Vec<String>,
}

impl Examples {
    /// Takes the fenced blocks under the headings "Fails" and "Passes" of a page. Headings inside a block
    /// don't count, and a fence of fewer characters is part of the example.
    #[must_use]
    pub fn of(page: &str) -> Self {
        let mut examples = Self::default();
        let mut section = "";
        let mut open: Option<(usize, String)> = None;
        for line in page.split_inclusive('\n') {
            let words = line.trim_end();
            let ticks = words.bytes().take_while(|byte| *byte == b'`').count();
            if let Some((length, example)) = &mut open {
                if ticks >= *length && words.len() == ticks {
                    let example = std::mem::take(example);
                    match section {
                        "Fails" => examples.fails.push(example),
                        "Passes" => examples.passes.push(example),
                        _ => {}
                    }
                    open = None;
                } else {
                    example.push_str(line);
                }
            } else if ticks >= 3 {
                open = Some((ticks, String::new()));
            } else if let Some(heading) = words.strip_prefix("## ") {
                section = heading.trim();
            }
        }
        examples
    }

    /// The examples without a counterpart, each as its heading and number. A counterpart is an example under
    /// the other heading that differs in one thing only, so that a reader sees what the rule is about.
    #[must_use]
    pub fn lonely(&self) -> Vec<(&'static str, usize)> {
        let sides = [("Fails", &self.fails, &self.passes), ("Passes", &self.passes, &self.fails)];
        let lonely = sides.into_iter().flat_map(|(side, own, others)| {
            own.iter()
                .enumerate()
                .filter(|(_, it)| !others.iter().any(|other| differ_in_one_thing(it, other)))
                .map(move |(at, _)| (side, at + 1))
        });
        lonely.collect()
    }
}

/// Whether the documents differ in a single line, or one of them has one run of additional lines.
fn differ_in_one_thing(one: &str, other: &str) -> bool {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
    let equal = |(a, b): &(&&str, &&str)| a == b;
    let before = one.iter().zip(&other).take_while(equal).count();
    let (one, other) = (&one[before..], &other[before..]);
    let after = one.iter().rev().zip(other.iter().rev()).take_while(equal).count();
    match (one.len() - after, other.len() - after) {
        (0, 0) => false,
        (1, 1) => true,
        (left, right) => left == 0 || right == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_belong_to_the_heading_above_them() {
        let page = "# r\n## Why\n```\nno\n```\n## Fails\n````markdown\n## Passes\n```\nx\n```\n````\n## Passes\n```\ny\n```\n```\nz\n```\n";
        let examples = Examples::of(page);
        assert_eq!(examples.fails, ["## Passes\n```\nx\n```\n"]);
        assert_eq!(examples.passes, ["y\n", "z\n"]);
    }

    #[test]
    fn counterparts_differ_in_one_thing() {
        let of = |fails: &[&str], passes: &[&str]| {
            let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
            Examples { fails: owned(fails), passes: owned(passes) }.lonely()
        };
        assert_eq!(of(&["a\nb\nc\n"], &["a\nx\nc\n"]), []);
        assert_eq!(of(&["a\nb\nb\nc\n"], &["a\nc\n"]), []);
        assert_eq!(of(&["a\nb\nc\nd\n"], &["a\nx\nc\ny\n"]), [("Fails", 1), ("Passes", 1)]);
        assert_eq!(of(&["a\n", "b\nb\n"], &["a\n", "b\nc\n"]), [("Fails", 1), ("Passes", 1)]);
    }
}
