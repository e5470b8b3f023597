//! The names that serde gives to fields, so that templates and stored attributes match.

use syn::{Attribute, LitStr};

/// The rule by which serde renames all fields of a struct.
#[derive(Clone, Copy)]
pub(crate) enum RenameAll {
    Unchanged,
    Lower,
    Upper,
    Pascal,
    Camel,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl RenameAll {
    /// Reads `#[serde(rename_all = "…")]` of a struct.
    pub(crate) fn read(attributes: &[Attribute]) -> RenameAll {
        match serde_text(attributes, "rename_all").as_deref() {
            Some("lowercase") => RenameAll::Lower,
            Some("UPPERCASE") => RenameAll::Upper,
            Some("PascalCase") => RenameAll::Pascal,
            Some("camelCase") => RenameAll::Camel,
            Some("SCREAMING_SNAKE_CASE") => RenameAll::ScreamingSnake,
            Some("kebab-case") => RenameAll::Kebab,
            Some("SCREAMING-KEBAB-CASE") => RenameAll::ScreamingKebab,
            _ => RenameAll::Unchanged,
        }
    }

    /// The name of a field under serde's rule.
    pub(crate) fn apply(self, field: &str) -> String {
        match self {
            RenameAll::Unchanged | RenameAll::Lower => field.to_owned(),
            RenameAll::Upper | RenameAll::ScreamingSnake => field.to_ascii_uppercase(),
            RenameAll::Kebab => field.replace('_', "-"),
            RenameAll::ScreamingKebab => field.to_ascii_uppercase().replace('_', "-"),
            RenameAll::Pascal => pascal_case(field),
            RenameAll::Camel => {
                let pascal = pascal_case(field);
                let first = pascal.chars().next().map_or(0, char::len_utf8);
                pascal[..first].to_ascii_lowercase() + &pascal[first..]
            }
        }
    }
}

/// The name of a field in `#[serde(rename = "…")]`.
pub(crate) fn rename(attributes: &[Attribute]) -> Option<String> {
    serde_text(attributes, "rename")
}

/// `snake_case` as `PascalCase`.
pub(crate) fn pascal_case(snake: &str) -> String {
    let mut pascal = String::with_capacity(snake.len());
    let mut capital = true;
    for character in snake.chars() {
        if character == '_' {
            capital = true;
        } else if capital {
            pascal.push(character.to_ascii_uppercase());
            capital = false;
        } else {
            pascal.push(character);
        }
    }
    pascal
}

/// The value of `key` in `#[serde(…)]`, also from its form for serialization only. Other serde options are
/// ignored.
fn serde_text(attributes: &[Attribute], key: &str) -> Option<String> {
    let mut found = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        // serde itself reports errors in its attribute.
        let _ = attribute.parse_nested_meta(|meta| {
            let is_key = meta.path.is_ident(key);
            if meta.input.peek(syn::Token![=]) {
                let value: syn::Expr = meta.value()?.parse()?;
                if let (true, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })) = (is_key, value)
                {
                    found = Some(text.value());
                }
            } else if meta.input.peek(syn::token::Paren) {
                meta.parse_nested_meta(|inner| {
                    let text: LitStr = inner.value()?.parse()?;
                    if is_key && inner.path.is_ident("serialize") {
                        found = Some(text.value());
                    }
                    Ok(())
                })?;
            }
            Ok(())
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames_as_serde_does() {
        for (rule, expected) in [
            (RenameAll::Unchanged, "placed_at"),
            (RenameAll::Upper, "PLACED_AT"),
            (RenameAll::Pascal, "PlacedAt"),
            (RenameAll::Camel, "placedAt"),
            (RenameAll::ScreamingSnake, "PLACED_AT"),
            (RenameAll::Kebab, "placed-at"),
            (RenameAll::ScreamingKebab, "PLACED-AT"),
        ] {
            assert_eq!(rule.apply("placed_at"), expected);
        }
    }

    #[test]
    fn reads_both_forms_of_rename() {
        let field: syn::Field = syn::parse_quote!(#[serde(default, rename = "x")] a: String);
        assert_eq!(rename(&field.attrs).as_deref(), Some("x"));
        let field: syn::Field =
            syn::parse_quote!(#[serde(rename(serialize = "y", deserialize = "z"))] a: String);
        assert_eq!(rename(&field.attrs).as_deref(), Some("y"));
        let field: syn::Field = syn::parse_quote!(#[serde(skip, with = "w")] a: String);
        assert_eq!(rename(&field.attrs), None);
    }
}
