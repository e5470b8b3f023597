//! Checks a template against the fields of its struct, so that errors in keys are found at compile time.

use keywright_key::{AttributeType, Encoding, Segment, Template, TemplateFault, VersionedTemplate};
use proc_macro2::Span;
use syn::{Ident, LitStr};

use crate::fields::{Field, Kind, instead_of, type_text};

/// The part of a key that a template builds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Partition,
    Sort,
}

/// A checked template.
pub(crate) struct Key {
    pub(crate) literal: LitStr,
    pub(crate) part: Part,
    /// The name of the struct that is generated for it.
    pub(crate) ident: Ident,
    /// The template, with the encodings that follow from the field types filled in.
    pub(crate) template: Template,
    /// The attributes, without repetition, in order of first appearance.
    pub(crate) places: Vec<Place>,
    /// The number of leading attributes that every prefix and range must give, so that it stays within one
    /// tenant.
    pub(crate) least_given: usize,
}

/// An attribute of a key.
pub(crate) struct Place {
    /// The position of its field.
    pub(crate) field: usize,
    /// How much of the value the key holds.
    pub(crate) kept: Kept,
    /// The template segment of its first placeholder.
    segment: usize,
}

/// How much of a value a key holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Whole,
    Bucket,
    Shard,
}

impl Key {
    /// Checks a template. With `required`, the key must always exist, so that its fields can't be optional.
    pub(crate) fn check(
        literal: &LitStr,
        part: Part,
        ident: Ident,
        fields: &[Field],
        required: bool,
    ) -> syn::Result<Key> {
        let template = Template::parse(&literal.value()).map_err(|error| at(literal, error))?;
        let mut errors = Errors::default();
        if part == Part::Partition && template.leading_literal().is_empty() {
            errors.push(at(
                literal,
                format!(
                    "the partition key has no prefix, so it can meet the keys of other entities\n\
                     = help: begin it with the entity's name, such as `USER#{template}`"
                ),
            ));
        }
        let mut text = String::new();
        let mut places: Vec<Place> = Vec::new();
        for (segment, piece) in template.segments().iter().enumerate() {
            let Segment::Placeholder(place) = piece else {
                text.push_str(&piece.to_string());
                continue;
            };
            let Some(position) = fields.iter().position(|field| field.attribute == place.name()) else {
                errors.push(at(literal, unknown_attribute(place.name(), fields)));
                continue;
            };
            let field = &fields[position];
            if field.optional && required {
                errors.push(at(literal, optional_field(field)));
            }
            let encoding = match encoding_of(place.encoding(), field) {
                Ok(encoding) => encoding,
                Err(message) => {
                    errors.push(at(literal, message));
                    continue;
                }
            };
            text.push_str(&format!("<{}:{encoding}>", place.name()));
            let kept = match encoding {
                Encoding::Bucket(_) => Kept::Bucket,
                Encoding::Shard { .. } => Kept::Shard,
                _ => Kept::Whole,
            };
            match places.iter_mut().find(|known| known.field == position) {
                Some(known) if kept == Kept::Whole => known.kept = kept,
                Some(_) => {}
                None => places.push(Place { field: position, kept, segment }),
            }
        }
        errors.finish()?;
        let template = Template::parse(&text).map_err(|error| at(literal, error))?;
        Ok(Key { literal: literal.clone(), part, ident, template, places, least_given: 0 })
    }

    /// Allows a version after the key, which changes how its last text is escaped.
    pub(crate) fn add_version(&mut self) -> syn::Result<()> {
        let versioned =
            VersionedTemplate::new(self.template.clone()).map_err(|error| at(&self.literal, error))?;
        self.template = versioned.template().clone();
        Ok(())
    }

    /// The position at which the key holds the field's whole value, not only its shard or bucket, so that
    /// different values never share a key.
    pub(crate) fn whole_place_of(&self, field: usize) -> Option<usize> {
        self.places.iter().position(|place| place.field == field && place.kept == Kept::Whole)
    }

    /// Whether there is a prefix up to this attribute: it must end with a separator.
    pub(crate) fn has_prefix_before(&self, place: usize) -> bool {
        place >= self.least_given && self.literal_before(place).is_some_and(|text| text.ends_with(['#', '@']))
    }

    /// Whether keys with equal leading attributes are sorted by this attribute.
    pub(crate) fn has_range_of(&self, place: usize) -> bool {
        let segment = self.places[place].segment;
        let segments = self.template.segments();
        let keeps_order = segments[segment].placeholder().is_some_and(|place| place.keeps_order());
        let is_followed_by_place = matches!(segments.get(segment + 1), Some(Segment::Placeholder(_)));
        let follows_place = segment > 0 && self.literal_before(place).is_none();
        place >= self.least_given && keeps_order && !is_followed_by_place && !follows_place
    }

    /// Whether the attribute is free text, so that keys can be found by its first characters.
    pub(crate) fn has_start_of(&self, place: usize) -> bool {
        let segment = self.template.segments()[self.places[place].segment].placeholder();
        place >= self.least_given && segment.is_some_and(|place| *place.encoding() == Encoding::Text)
    }

    /// The encodings that the template names for a field of a type that the derive does not know.
    pub(crate) fn encodings_of(&self, field: &Field) -> Vec<String> {
        self.template
            .placeholders()
            .filter(|place| place.name() == field.attribute)
            .map(|place| place.encoding().to_string())
            .collect()
    }

    fn literal_before(&self, place: usize) -> Option<&str> {
        let before = self.places[place].segment.checked_sub(1)?;
        match &self.template.segments()[before] {
            Segment::Literal(literal) => Some(literal),
            Segment::Placeholder(_) => None,
        }
    }
}

/// Collects all errors of a derive, so that they are reported together.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// The value, or `None` after recording its error.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn finish(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// The encoding of a field at a placeholder that names `written`.
fn encoding_of(written: &Encoding, field: &Field) -> Result<Encoding, String> {
    let (name, ty) = (&field.attribute, type_text(&field.ty));
    if field.kind == Kind::Never {
        return Err(format!(
            "`{name}` is a `{ty}`, which can't be part of a key\n= help: {}",
            instead_of(&field.ty)
        ));
    }
    if *written == Encoding::Text {
        let Some(default) = field.kind.default_encoding() else {
            return Err(match field.kind {
                Kind::Float => format!(
                    "`{name}` is a float, which goes into a key only when asked for\n\
                     = help: write `<{name}:float>`, or keep it as a `Decimal` with `<{name}:dec10.2>`"
                ),
                _ => format!(
                    "`{name}` is a number without a width, so keys would not sort by value\n\
                     = help: give it one: `<{name}:pad6>` for 0 to 999999, `<{name}:int6>` also below zero, \
                     `<{name}:desc6>` for the greatest first, `<{name}:dec10.2>` for a decimal"
                ),
            });
        };
        return Encoding::parse(default).map_err(|error| error.to_string());
    }
    match field.kind.field_kind() {
        Some(kind) if !kind.accepts(&written.to_string()) => {
            let fits: Vec<&str> = keywright_key::encoding_names().filter(|name| kind.accepts(name)).collect();
            Err(format!(
                "the encoding `{written}` can't hold `{name}`, a `{ty}`\n= help: it takes {}",
                fits.join(", ")
            ))
        }
        _ => Ok(written.clone()),
    }
}

fn unknown_attribute(name: &str, fields: &[Field]) -> String {
    let types: Vec<(&str, AttributeType)> =
        fields.iter().map(|field| (field.attribute.as_str(), AttributeType::String)).collect();
    let near = Template::parse(&format!("<{name}>"))
        .ok()
        .and_then(|template| template.resolve(&types).err())
        .and_then(|errors| match errors.first()?.fault() {
            TemplateFault::UnknownAttribute { near } => near.clone(),
            _ => None,
        });
    let help = match near {
        Some(near) => format!("did you mean `<{near}>`?"),
        None => {
            let names: Vec<&str> = fields.iter().map(|field| field.attribute.as_str()).collect();
            format!("the entity has {}", names.join(", "))
        }
    };
    format!("the entity has no attribute `{name}`\n= help: {help}")
}

fn optional_field(field: &Field) -> String {
    format!(
        "`{}` is optional, but this key must always be there\n\
         = help: make the field `{}`, or move it to an index with the word `sparse`, which is absent while it is none",
        field.attribute,
        type_text(&field.ty)
    )
}

fn at(literal: &LitStr, message: impl std::fmt::Display) -> syn::Error {
    syn::Error::new(literal.span(), message)
}

/// An error at the span of a word.
pub(crate) fn at_word(span: Span, message: impl std::fmt::Display) -> syn::Error {
    syn::Error::new(span, message)
}
