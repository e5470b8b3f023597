//! Templates as people write them.

/// The template with its placeholders as `<x>`: `{x}`, `${x}` and `\<x\>` mean the same. All else stays as it is.
pub(super) fn normal(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '$', '\\']) {
        let (before, from) = rest.split_at(at);
        result.push_str(before);
        let opening = ["${", "{"].into_iter().find(|opening| from.starts_with(opening));
        let place = opening.and_then(|opening| from[opening.len()..].split_once('}'));
        match place {
            Some((name, after)) if is_place(name) => {
                result.push('<');
                result.push_str(name.trim());
                result.push('>');
                rest = after;
            }
            _ if from.starts_with(r"\<") || from.starts_with(r"\>") => {
                result.push_str(&from[1..2]);
                rest = &from[2..];
            }
            _ => {
                let next = from.chars().next().map_or(1, char::len_utf8);
                result.push_str(&from[..next]);
                rest = &from[next..];
            }
        }
    }
    result.push_str(rest);
    result
}

/// The template that words describe: "order number prefixed by ORDER#", "the customer id". None where they say more.
pub(super) fn in_words(text: &str) -> Option<String> {
    const FILLERS: [&str; 18] = [
        "the",
        "a",
        "an",
        "of",
        "by",
        "with",
        "and",
        "then",
        "plus",
        "prefix",
        "prefixed",
        "followed",
        "concatenated",
        "value",
        "attribute",
        "its",
        "is",
        "to",
    ];
    let mut prefix = None;
    let mut name = String::new();
    let mut parted = false;
    for word in text.split(|next: char| next.is_whitespace() || matches!(next, ',' | '+' | '"' | '\'')) {
        let lower = word.to_lowercase();
        if word.is_empty() || FILLERS.contains(&lower.as_str()) {
            parted |= matches!(lower.as_str(), "and" | "then" | "plus") && !name.is_empty();
            continue;
        }
        if word.ends_with('#') && prefix.is_none() {
            prefix = Some(word);
        } else if !parted && word.chars().all(char::is_alphanumeric) && name.len() + word.len() <= 40 {
            // "order number" is orderNumber; a name that is written as one stays as it is.
            let mut letters = word.chars();
            match letters.next() {
                Some(first) if name.is_empty() && !word[first.len_utf8()..].contains(char::is_lowercase) => {
                    name.push_str(&lower);
                }
                Some(first) if name.is_empty() => name.extend(first.to_lowercase().chain(letters)),
                Some(first) => name.extend(first.to_uppercase().chain(letters)),
                None => {}
            }
        } else {
            return None;
        }
    }
    let words = text.split_whitespace().count();
    (!name.is_empty() && words <= 8).then(|| format!("{}<{name}>", prefix.unwrap_or_default()))
}

/// What may stand in a placeholder: a name, and an encoding behind a colon.
fn is_place(name: &str) -> bool {
    !name.trim().is_empty() && !name.contains(['<', '>', '{', '}', '#'])
}

/// The template with what its placeholders hold left out: `USER#<id>` and `USER#<username>` have one shape.
pub(super) fn shape(template: &str) -> String {
    let mut result = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('<') {
        result.push_str(before);
        let Some((_, after)) = after.split_once('>') else {
            result.push('<');
            rest = after;
            continue;
        };
        result.push_str("<>");
        rest = after;
    }
    result.push_str(rest);
    result
}

/// Whether two templates have one shape. Most differ in their first literal, so this is asked before anything is built.
pub(super) fn same_shape(one: &str, other: &str) -> bool {
    pieces(one).eq(pieces(other))
}

/// The literals of a template, `<>` between them for each placeholder.
fn pieces(template: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(template);
    let mut placeholder = false;
    std::iter::from_fn(move || {
        if std::mem::take(&mut placeholder) {
            return Some("<>");
        }
        let text = rest?;
        let open = text.find('<');
        let close = open.and_then(|open| text[open..].find('>').map(|at| open + at));
        match (open, close) {
            (Some(open), Some(close)) => {
                placeholder = true;
                rest = Some(&text[close + 1..]);
                Some(&text[..open])
            }
            _ => {
                rest = None;
                Some(text)
            }
        }
    })
}

/// The names in a template's placeholders, without encodings.
pub(super) fn places(template: &str) -> impl Iterator<Item = &str> {
    template.split('<').skip(1).filter_map(|part| {
        let (place, _) = part.split_once('>')?;
        Some(place.split_once(':').map_or(place, |(name, _)| name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_have_one_form() {
        assert_eq!(normal("USER#{id}#${a:pad6}#<b>#\\<c\\>"), "USER#<id>#<a:pad6>#<b>#<c>");
        assert_eq!(normal("a{}b$c\\d{e"), "a{}b$c\\d{e");
    }

    #[test]
    fn words_describe_templates() {
        for (words, expected) in [
            ("order number prefixed by ORDER#", Some("ORDER#<orderNumber>")),
            ("the customer id", Some("<customerId>")),
            ("USER# followed by userId", Some("USER#<userId>")),
            ("\"ORDER#\" + order ID", Some("ORDER#<orderID>")),
            ("the", None),
            ("the customer and the day", None),
            ("see chapter 4.2 on keys", None),
            ("whatever the caller thinks is a good key for this kind of item", None),
        ] {
            assert_eq!(in_words(words).as_deref(), expected, "{words}");
        }
    }

    #[test]
    fn shapes_forget_names() {
        assert_eq!(shape("A#<x:pad6>#B#<y>"), "A#<>#B#<>");
        assert_eq!(shape("A#<x"), "A#<x");
        let templates = ["A#<x>", "A#<y:pad6>", "A#<x>#", "A#<x", "A#", "<x>", "", "A#<x><y>", "A#<x>B<"];
        for (one, other) in templates.iter().flat_map(|one| templates.map(|other| (*one, other))) {
            assert_eq!(same_shape(one, other), shape(one) == shape(other), "{one} {other}");
        }
        assert_eq!(places("A#<x:pad6>#<1.y>#<").collect::<Vec<_>>(), ["x", "1.y"]);
    }
}
