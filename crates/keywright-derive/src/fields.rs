//! The fields of a struct: their names in templates, and the kinds of their values.

use quote::ToTokens;
use syn::{GenericArgument, Ident, PathArguments, Type};

use crate::serde_names::{self, RenameAll};

/// A field.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// The attribute name that serde stores the field under.
    pub(crate) attribute: String,
    /// The type, without the `Option`.
    pub(crate) ty: Type,
    pub(crate) optional: bool,
    pub(crate) kind: Kind,
}

/// The kind of a field's values, as far as the name of its type shows it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Integer,
    Float,
    Boolean,
    Decimal,
    Instant,
    Date,
    Ulid,
    Uuid,
    Ksuid,
    /// Not allowed in a key: a list, a map, a set, bytes, a reference, `usize`, `isize` or `u128`.
    Never,
    /// A type that the derive does not know. It must implement `KeyField`, which the compiler checks.
    Unknown,
}

impl Field {
    pub(crate) fn read(field: &syn::Field, rename_all: RenameAll) -> Option<Field> {
        let ident = field.ident.clone()?;
        let name = ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name);
        let attribute = serde_names::rename(&field.attrs).unwrap_or_else(|| rename_all.apply(name));
        let (ty, optional) = match inside_option(&field.ty) {
            Some(inner) => (inner.clone(), true),
            None => (field.ty.clone(), false),
        };
        let kind = Kind::of(&ty);
        Some(Field { ident, attribute, ty, optional, kind })
    }

    /// Whether methods take the field by value.
    pub(crate) fn is_copied(&self) -> bool {
        !matches!(self.kind, Kind::Text | Kind::Unknown | Kind::Never)
    }
}

impl Kind {
    fn of(ty: &Type) -> Kind {
        if matches!(ty, Type::Reference(_)) {
            return Kind::Never;
        }
        let Some(segment) = last_segment(ty) else { return Kind::Unknown };
        match segment.ident.to_string().as_str() {
            "String" => Kind::Text,
            "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" | "i128" => Kind::Integer,
            "f32" | "f64" => Kind::Float,
            "bool" => Kind::Boolean,
            "Decimal" => Kind::Decimal,
            "Instant" => Kind::Instant,
            "Date" => Kind::Date,
            "Ulid" => Kind::Ulid,
            "Uuid" => Kind::Uuid,
            "Ksuid" => Kind::Ksuid,
            "Vec" | "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" | "Cow" => Kind::Never,
            "usize" | "isize" | "u128" => Kind::Never,
            _ => Kind::Unknown,
        }
    }

    /// The encoding of a placeholder that names none; `None` where the template must name one.
    pub(crate) fn default_encoding(self) -> Option<&'static str> {
        match self {
            Kind::Text | Kind::Unknown => Some("text"),
            Kind::Boolean => Some("bool"),
            Kind::Instant => Some("iso"),
            Kind::Date => Some("date"),
            Kind::Ulid => Some("ulid"),
            Kind::Uuid => Some("uuid"),
            Kind::Ksuid => Some("ksuid"),
            Kind::Integer | Kind::Decimal | Kind::Float | Kind::Never => None,
        }
    }

    /// The kind in `keywright`'s terms; `None` where the type's name does not tell it.
    pub(crate) fn field_kind(self) -> Option<keywright_key::FieldKind> {
        use keywright_key::FieldKind;
        Some(match self {
            Kind::Text => FieldKind::Text,
            Kind::Integer => FieldKind::Integer,
            Kind::Float => FieldKind::Float,
            Kind::Boolean => FieldKind::Boolean,
            Kind::Decimal => FieldKind::Decimal,
            Kind::Instant => FieldKind::Instant,
            Kind::Date => FieldKind::Date,
            Kind::Ulid => FieldKind::Ulid,
            Kind::Uuid => FieldKind::Uuid,
            Kind::Ksuid => FieldKind::Ksuid,
            Kind::Never | Kind::Unknown => return None,
        })
    }
}

/// A suggestion to use in place of a type that can't be part of a key.
pub(crate) fn instead_of(ty: &Type) -> &'static str {
    let name = last_segment(ty).map(|segment| segment.ident.to_string());
    match name.as_deref() {
        None | Some("Cow") => "a key is read back into values of its own, so make it a `String`",
        Some("usize" | "isize") => "make it a `u64` or `i64`, which are the same on every machine",
        Some("u128") => "make it a `u64` or `i128`",
        Some(_) => "give the entity a field of text, a number or a time",
    }
}

/// The type as the source writes it, for a message; a reference is shown without its lifetime.
pub(crate) fn type_text(ty: &Type) -> String {
    if let Type::Reference(reference) = ty {
        return format!("&{}", type_text(&reference.elem));
    }
    ty.to_token_stream().to_string().replace(' ', "")
}

fn inside_option(ty: &Type) -> Option<&Type> {
    let segment = last_segment(ty).filter(|segment| segment.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

fn last_segment(ty: &Type) -> Option<&syn::PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}
