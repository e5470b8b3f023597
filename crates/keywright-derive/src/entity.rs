//! A checked entity: its keys, indexes and special fields.

use proc_macro2::Span;
use quote::format_ident;
use syn::{Data, DeriveInput, Fields, Generics, Ident, LitStr, Path, Visibility};

use crate::attributes::{Attributes, IndexWords, KeyWords, PrefixWords};
use crate::fields::{Field, Kind, type_text};
use crate::keys::{Errors, Key, Part, at_word};
use crate::serde_names::{RenameAll, pascal_case};

/// The checked input from which `#[derive(Entity)]` generates code.
pub(crate) struct Entity {
    pub(crate) visibility: Visibility,
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
    pub(crate) primary: KeyPair,
    pub(crate) indexes: Vec<Index>,
    /// The positions of the fields that the words `tenant`, `version` and `ttl` name.
    pub(crate) tenant: Option<usize>,
    pub(crate) version: Option<usize>,
    pub(crate) ttl: Option<usize>,
    pub(crate) prefixes: Vec<Prefix>,
}

/// A partition key and its optional sort key, with the names of their attributes.
pub(crate) struct KeyPair {
    pub(crate) partition: Key,
    pub(crate) partition_name: String,
    pub(crate) sort: Option<Key>,
    pub(crate) sort_name: String,
}

impl KeyPair {
    /// The key attributes, each with its name.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (&str, &Key)> {
        let partition = (self.partition_name.as_str(), &self.partition);
        std::iter::once(partition).chain(self.sort.as_ref().map(|sort| (self.sort_name.as_str(), sort)))
    }
}

/// An index.
pub(crate) struct Index {
    pub(crate) key: KeyPair,
    pub(crate) when: Option<Path>,
}

/// An additional method name for a prefix.
pub(crate) struct Prefix {
    pub(crate) method: Ident,
    /// The struct of the sort key.
    pub(crate) key: Ident,
    /// The number of leading attributes that the prefix is built from.
    pub(crate) given: usize,
}

impl Entity {
    pub(crate) fn read(input: &DeriveInput) -> syn::Result<Entity> {
        let fields = named_fields(input)?;
        let words = Attributes::read(&input.attrs, input.ident.span())?;
        let mut errors = Errors::default();
        let primary = errors.keep(read_primary(&words, &input.ident, &fields));
        let indexes: Vec<Option<Index>> =
            words.indexes.iter().map(|index| errors.keep(read_index(index, &input.ident, &fields))).collect();
        let tenant = errors.keep(field_of_word(words.tenant.as_ref(), &fields)).flatten();
        let version = errors.keep(read_version(words.version.as_ref(), &fields)).flatten();
        let ttl = errors.keep(field_of_word(words.ttl.as_ref(), &fields)).flatten();
        let (Some(mut primary), Some(mut indexes)) =
            (primary, indexes.into_iter().collect::<Option<Vec<_>>>())
        else {
            return Err(errors.finish().err().unwrap_or_else(|| at_word(input.ident.span(), "no keys")));
        };
        errors.keep(check_names(&words.indexes, &primary, &indexes));
        if let (Some(position), Some(word)) = (tenant, &words.tenant) {
            errors.keep(place_tenant(&mut primary, position, word));
            for index in &mut indexes {
                errors.keep(place_tenant(&mut index.key, position, word));
            }
        }
        if let Some(word) = &words.version {
            match &mut primary.sort {
                Some(sort) => {
                    errors.keep(sort.add_version());
                }
                None => {
                    let message =
                        "a version follows the sort key, but there is none\n= help: add `sk = \"…\"`";
                    errors.push(at_word(word.span(), message));
                }
            }
        }
        let mut prefixes = Vec::new();
        for prefix in &words.prefixes {
            prefixes.extend(errors.keep(read_prefix(prefix, &words, &primary, &indexes, &fields)));
        }
        errors.finish()?;
        Ok(Entity {
            visibility: input.vis.clone(),
            ident: input.ident.clone(),
            generics: input.generics.clone(),
            name: words.name.as_ref().map_or_else(|| input.ident.to_string(), LitStr::value),
            fields,
            primary,
            indexes,
            tenant,
            version,
            ttl,
            prefixes,
        })
    }
}

fn named_fields(input: &DeriveInput) -> syn::Result<Vec<Field>> {
    let rename_all = RenameAll::read(&input.attrs);
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => {
                Ok(fields.named.iter().filter_map(|field| Field::read(field, rename_all)).collect())
            }
            _ => Err(at_word(input.ident.span(), "an entity needs fields with names")),
        },
        _ => Err(at_word(input.ident.span(), "an entity is a struct with named fields")),
    }
}

fn read_primary(words: &Attributes, entity: &Ident, fields: &[Field]) -> syn::Result<KeyPair> {
    if words.primary.pk.is_none() {
        let message = "the entity has no partition key\n= help: add `pk = \"USER#<user_id>\"`";
        return Err(at_word(entity.span(), message));
    }
    read_pair(&words.primary, entity, ("pk", "sk"), fields, true)
}

fn read_index(words: &IndexWords, entity: &Ident, fields: &[Field]) -> syn::Result<Index> {
    let name = words.name.to_string();
    let base = format_ident!("{entity}{}", index_pascal(&name));
    let attributes = (format!("{name}PK"), format!("{name}SK"));
    let key = read_pair(&words.key, &base, (&attributes.0, &attributes.1), fields, !words.sparse)?;
    let is_optional = |key: &Key| key.places.iter().any(|place| fields[place.field].optional);
    if words.sparse && words.when.is_none() && !key.attributes().any(|(_, key)| is_optional(key)) {
        let message = format!(
            "the index `{name}` is sparse, but no field of its keys is optional, so it would never be absent\n\
             = help: make a field an `Option`, or say `when = …` in place of `sparse`"
        );
        return Err(at_word(words.name.span(), message));
    }
    Ok(Index { key, when: words.when.clone() })
}

/// `GSI1` as `Gsi1`, `by_status` as `ByStatus`.
fn index_pascal(name: &str) -> String {
    let is_capitals = name.chars().all(|c| !c.is_lowercase());
    pascal_case(&if is_capitals { name.to_ascii_lowercase() } else { name.to_owned() })
}

fn read_pair(
    words: &KeyWords,
    base: &Ident,
    names: (&str, &str),
    fields: &[Field],
    required: bool,
) -> syn::Result<KeyPair> {
    let mut errors = Errors::default();
    let mut check = |literal: &LitStr, part, suffix: &str| {
        let ident = format_ident!("{base}{suffix}", span = Span::call_site());
        errors.keep(Key::check(literal, part, ident, fields, required))
    };
    let partition = words.pk.as_ref().and_then(|pk| check(pk, Part::Partition, "PartitionKey"));
    let sort = words.sk.as_ref().map(|sk| check(sk, Part::Sort, "SortKey"));
    errors.finish()?;
    let name =
        |given: &Option<LitStr>, default: &str| given.as_ref().map_or(default.to_owned(), LitStr::value);
    Ok(KeyPair {
        partition: partition.expect("a pair without a partition key is refused before"),
        partition_name: name(&words.pk_name, names.0),
        sort: sort.flatten(),
        sort_name: name(&words.sk_name, names.1),
    })
}

/// The position of the field that a word names by its Rust name.
fn field_of_word(word: Option<&Ident>, fields: &[Field]) -> syn::Result<Option<usize>> {
    let Some(word) = word else { return Ok(None) };
    match fields.iter().position(|field| field.ident == *word) {
        Some(position) => Ok(Some(position)),
        None => {
            let names: Vec<String> = fields.iter().map(|field| field.ident.to_string()).collect();
            let message = format!("the entity has no field `{word}`\n= help: it has {}", names.join(", "));
            Err(at_word(word.span(), message))
        }
    }
}

/// The position of the version field, whose type must be able to count.
fn read_version(word: Option<&Ident>, fields: &[Field]) -> syn::Result<Option<usize>> {
    let (Some(position), Some(word)) = (field_of_word(word, fields)?, word) else { return Ok(None) };
    let field = &fields[position];
    if !field.optional && matches!(field.kind, Kind::Integer | Kind::Unknown) {
        return Ok(Some(position));
    }
    let optional = if field.optional { "an optional " } else { "a " };
    let message = format!(
        "a version is a number from 0, but `{word}` is {optional}`{}`\n= help: make it a `u64` or a `keywright::Version`",
        type_text(&field.ty)
    );
    Err(at_word(word.span(), message))
}

/// Requires that no two indexes share a name and no two keys share an attribute. The exception is a local
/// index, which has the table's partition key with the same template.
fn check_names(words: &[IndexWords], primary: &KeyPair, indexes: &[Index]) -> syn::Result<()> {
    let mut known = vec![primary.partition_name.as_str()];
    let mut errors = Errors::default();
    let two_keys = |attribute: &str, key: &Key| {
        let message = format!(
            "the attribute `{attribute}` would hold two keys\n\
             = help: name another one with `pk_name` or `sk_name`"
        );
        at_word(key.literal.span(), message)
    };
    if let Some(sort) = &primary.sort {
        if known.contains(&primary.sort_name.as_str()) {
            errors.push(two_keys(&primary.sort_name, sort));
        }
        known.push(&primary.sort_name);
    }
    for (at, (word, index)) in words.iter().zip(indexes).enumerate() {
        let name = index_pascal(&word.name.to_string());
        if words[..at].iter().any(|other| index_pascal(&other.name.to_string()) == name) {
            let message = format!("there are two indexes `{}`\n= help: give each its own name", word.name);
            errors.push(at_word(word.name.span(), message));
            continue;
        }
        for (attribute, key) in index.key.attributes() {
            let is_partition_of_table = attribute == primary.partition_name
                && key.part == Part::Partition
                && key.template == primary.partition.template;
            match known.contains(&attribute) {
                true if is_partition_of_table => {}
                true => errors.push(two_keys(attribute, key)),
                false => known.push(attribute),
            }
        }
    }
    errors.finish()
}

/// Requires the tenant in every key: in the partition key, or in the sort key. In the latter case every
/// prefix and range must give all attributes up to the tenant.
fn place_tenant(key: &mut KeyPair, tenant: usize, word: &Ident) -> syn::Result<()> {
    if key.partition.whole_place_of(tenant).is_some() {
        return Ok(());
    }
    if let Some(sort) = &mut key.sort
        && let Some(place) = sort.whole_place_of(tenant)
    {
        sort.least_given = place + 1;
        return Ok(());
    }
    let message = format!(
        "the tenant `{word}` does not stand whole in the key `{}`, so tenants would share its collections\n\
         = help: put it into the partition key, such as `TENANT#<{word}>#…`",
        key.partition.literal.value()
    );
    Err(at_word(word.span(), message))
}

fn read_prefix(
    prefix: &PrefixWords,
    words: &Attributes,
    primary: &KeyPair,
    indexes: &[Index],
    fields: &[Field],
) -> syn::Result<Prefix> {
    let index = words.indexes.iter().position(|index| index.name == prefix.key);
    let pair = match index {
        Some(index) => &indexes[index].key,
        None if prefix.key == "sk" => primary,
        None => {
            let message =
                format!("there is no key `{}`\n= help: say `sk` or the name of an index", prefix.key);
            return Err(at_word(prefix.key.span(), message));
        }
    };
    let Some(sort) = &pair.sort else {
        return Err(at_word(prefix.key.span(), "the key has no sort key, so it has no prefixes"));
    };
    for (at, word) in prefix.fields.iter().enumerate() {
        match sort.places.get(at).map(|place| &fields[place.field].ident) {
            Some(expected) if expected == word => {}
            Some(expected) => {
                let message = format!(
                    "`{word}` leaves a gap: a prefix of `{}` needs `{expected}` here\n\
                     = help: only leading attributes make a prefix, in the order of the template",
                    sort.template
                );
                return Err(at_word(word.span(), message));
            }
            None => return Err(at_word(word.span(), "the key has no further attribute")),
        }
    }
    let given = prefix.fields.len();
    if given >= sort.places.len() {
        let message = "every attribute is given: that is the whole key\n= help: use `build`";
        return Err(at_word(prefix.method.span(), message));
    }
    if !sort.has_prefix_before(given) {
        let message = "a prefix here does not end on a separator, or not within one tenant";
        return Err(at_word(prefix.method.span(), message));
    }
    Ok(Prefix { method: prefix.method.clone(), key: sort.ident.clone(), given })
}
