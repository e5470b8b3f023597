//! The examples on a rule's page, which are the rule's test.

/// The documents that a page shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// Under the heading "Fails": the rule speaks about each of them.
    pub fails: Vec<String>,
    /// Under the heading "Passes": the rule is silent about each of them.
    pub passes: Vec<String>,
}

impl Examples {
    /// Takes the fenced blocks from under a page's headings "Fails" and "Passes". Inside a block nothing is a heading,
    /// and a fence of fewer characters is part of the example.
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
}
