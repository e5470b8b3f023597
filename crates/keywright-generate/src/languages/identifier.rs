//! Makes identifiers valid in a language: keywords get a `_`, and names of its own types the suffix `Item`.

/// The reserved words of a language.
#[derive(Debug)]
pub(crate) struct Reserved {
    /// Words that can't be names of values, in the case that values are written in.
    pub(crate) values: &'static [&'static str],
    /// Types that generated code uses by their short names.
    pub(crate) types: &'static [&'static str],
}

impl Reserved {
    /// The name of a field, parameter, function or method.
    pub(crate) fn value(&self, name: String) -> String {
        if self.values.contains(&name.as_str()) { name + "_" } else { name }
    }

    /// The name of a type.
    pub(crate) fn ty(&self, name: String) -> String {
        if self.types.contains(&name.as_str()) { name + "Item" } else { name }
    }
}
