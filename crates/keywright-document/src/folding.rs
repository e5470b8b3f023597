//! Names without case and punctuation: `order_item`, `Order Item` and `OrderItem` are one.

/// A name in lower case, its letters and digits only.
pub(crate) fn fold(name: &str) -> String {
    if !name.is_ascii() {
        return folded(name).collect();
    }
    // Nearly all names are, and reading asks this more often than anything else.
    let mut letters = Vec::with_capacity(name.len());
    letters.extend(name.bytes().filter(u8::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()));
    String::from_utf8(letters).expect("letters and digits of ASCII are UTF-8")
}

/// Whether two names are one. Builds nothing: most names differ in their first letter.
pub(crate) fn is_same_name(one: &str, other: &str) -> bool {
    folded(one).eq(folded(other))
}

fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|next| next.is_alphanumeric()).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn case_and_punctuation_make_no_difference() {
        assert_eq!(fold("Order_Item 2"), "orderitem2");
        assert_eq!(fold("ÄÖ-Straße"), "äöstraße");
        assert!(is_same_name("Order Item", "orderItem") && !is_same_name("Order", "Orders"));
    }

    proptest! {
        #[test]
        fn both_ways_of_folding_agree(name in ".{0,20}|[ -~]{0,20}") {
            prop_assert_eq!(fold(&name), folded(&name).collect::<String>());
        }
    }
}
