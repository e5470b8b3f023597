//! A template against the fields of its struct: everything that can be wrong with a key, found when it is compiled.

use keywright_key::{AttributeType, Encoding, Segment, Template, TemplateFault, VersionedTemplate};
use proc_macro2::Span;
use syn::{Ident, LitStr};

use crate::fields::{Field, Kind, instead_of, type_text};

/// Which part of which key a template is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Partition,
    Sort,
}

/// A checked template.
pub(crate) struct Key {
    pub(crate) literal: LitStr,
    pub(crate) part: Part,
    /// The struct that is made for it.
    pub(crate) ident: Ident,
    /// The template with every encoding that the types decide.
    pub(crate) template: Template,
    /// The attributes, each once, by first appearance.
    pub(crate) places: Vec<Place>,
    /// How many attributes a prefix or a range must give at least, so that it stays with one tenant.
    pub(crate) least_given: usize,
}

/// An attribute of a key.
pub(crate) struct Place {
    /// Its field, by position.
    pub(crate) field: usize,
    /// What the key holds of it.
    pub(crate) kept: Kept,
    /// Where it stands first.
    segment: usize,
}

/// What a key holds of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Whole,
    Bucket,
    Shard,
}

impl Key {
    /// Checks a template. `required` says that the key is never absent.
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

    /// Makes it a key that a version can follow, which changes how its last text is kept apart.
    pub(crate) fn add_version(&mut self) -> syn::Result<()> {
        let versioned =
            VersionedTemplate::new(self.template.clone()).map_err(|error| at(&self.literal, error))?;
        self.template = versioned.template().clone();
        Ok(())
    }

    /// Where the field stands whole, so that two of its values never share a key: not only its shard or bucket.
    pub(crate) fn whole_place_of(&self, field: usize) -> Option<usize> {
        self.places.iter().position(|place| place.field == field && place.kept == Kept::Whole)
    }

    /// Whether the key can be cut before this attribute: a prefix there ends on a separator.
    pub(crate) fn has_prefix_before(&self, place: usize) -> bool {
        place >= self.least_given && self.literal_before(place).is_some_and(|text| text.ends_with(['#', '@']))
    }

    /// Whether keys that are equal up to this attribute are sorted by it.
    pub(crate) fn has_range_of(&self, place: usize) -> bool {
        let segment = self.places[place].segment;
        let segments = self.template.segments();
        let keeps_order = segments[segment].placeholder().is_some_and(|place| place.keeps_order());
        let is_followed_by_place = matches!(segments.get(segment + 1), Some(Segment::Placeholder(_)));
        let follows_place = segment > 0 && self.literal_before(place).is_none();
        place >= self.least_given && keeps_order && !is_followed_by_place && !follows_place
    }

    /// Whether this attribute is text of open length, so that keys can be found by its beginning.
    pub(crate) fn has_start_of(&self, place: usize) -> bool {
        let segment = self.template.segments()[self.places[place].segment].placeholder();
        place >= self.least_given && segment.is_some_and(|place| *place.encoding() == Encoding::Text)
    }

    /// The encodings of an attribute whose type only the compiler knows.
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

/// All errors of a derive: they are shown together.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// The value, or nothing with its errors kept.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn finish(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// The encoding of a field at a place that says `written`.
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

/// An error at a word.
pub(crate) fn at_word(span: Span, message: impl std::fmt::Display) -> syn::Error {
    syn::Error::new(span, message)
}
