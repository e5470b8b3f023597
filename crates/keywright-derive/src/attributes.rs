//! Parses `#[entity(…)]`.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Ident, LitStr, Path};

/// The content of `#[entity(…)]`, unchecked.
#[derive(Default)]
pub(crate) struct Attributes {
    pub(crate) name: Option<LitStr>,
    pub(crate) primary: KeyWords,
    pub(crate) indexes: Vec<IndexWords>,
    pub(crate) tenant: Option<Ident>,
    pub(crate) version: Option<Ident>,
    pub(crate) ttl: Option<Ident>,
    pub(crate) prefixes: Vec<PrefixWords>,
}

/// The templates of a key and the names of its key attributes.
#[derive(Default)]
pub(crate) struct KeyWords {
    pub(crate) pk: Option<LitStr>,
    pub(crate) sk: Option<LitStr>,
    pub(crate) pk_name: Option<LitStr>,
    pub(crate) sk_name: Option<LitStr>,
}

/// `index(NAME, …)`.
pub(crate) struct IndexWords {
    pub(crate) name: Ident,
    pub(crate) key: KeyWords,
    pub(crate) sparse: bool,
    pub(crate) when: Option<Path>,
}

/// `prefix(method, key, field, …)`.
pub(crate) struct PrefixWords {
    pub(crate) method: Ident,
    pub(crate) key: Ident,
    pub(crate) fields: Vec<Ident>,
}

impl Attributes {
    /// Parses all `#[entity(…)]` attributes of a struct.
    pub(crate) fn read(attributes: &[Attribute], item: Span) -> syn::Result<Attributes> {
        let mut words = Attributes::default();
        let mut found = false;
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("entity")) {
            found = true;
            attribute.parse_nested_meta(|meta| words.word(&meta))?;
        }
        if !found {
            let message = "an entity needs its keys\n\
                = help: add `#[entity(pk = \"USER#<user_id>\")]`, and `sk = \"…\"` where the table has a sort key";
            return Err(syn::Error::new(item, message));
        }
        Ok(words)
    }

    fn word(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let Some(word) = meta.path.get_ident() else { return Err(unknown(meta)) };
        match word.to_string().as_str() {
            "name" => once(&mut self.name, meta),
            "tenant" => once(&mut self.tenant, meta),
            "version" => once(&mut self.version, meta),
            "ttl" => once(&mut self.ttl, meta),
            "index" => {
                self.indexes.push(IndexWords::read(meta)?);
                Ok(())
            }
            "prefix" => {
                self.prefixes.push(PrefixWords::read(meta)?);
                Ok(())
            }
            _ => self.primary.word(meta),
        }
    }
}

impl KeyWords {
    fn word(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        match meta.path.get_ident().map(Ident::to_string).as_deref() {
            Some("pk") => once(&mut self.pk, meta),
            Some("sk") => once(&mut self.sk, meta),
            Some("pk_name") => once(&mut self.pk_name, meta),
            Some("sk_name") => once(&mut self.sk_name, meta),
            _ => Err(unknown(meta)),
        }
    }
}

impl IndexWords {
    fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<IndexWords> {
        let mut name = None;
        let (mut key, mut sparse, mut when) = (KeyWords::default(), false, None);
        meta.parse_nested_meta(|inner| {
            match inner.path.get_ident() {
                Some(ident) if name.is_none() && !inner.input.peek(syn::Token![=]) => {
                    name = Some(ident.clone())
                }
                Some(ident) if ident == "sparse" => sparse = true,
                Some(ident) if ident == "when" => once(&mut when, &inner)?,
                _ => key.word(&inner)?,
            }
            Ok(())
        })?;
        let name = name.ok_or_else(|| {
            meta.error("an index begins with its name\n= help: `index(GSI1, pk = \"…\", sk = \"…\")`")
        })?;
        if key.pk.is_none() {
            let message = format!("the index `{name}` has no partition key\n= help: add `pk = \"…\"`");
            return Err(syn::Error::new(name.span(), message));
        }
        Ok(IndexWords { name, key, sparse, when })
    }
}

impl PrefixWords {
    fn read(meta: &ParseNestedMeta<'_>) -> syn::Result<PrefixWords> {
        let mut words = Vec::new();
        meta.parse_nested_meta(|inner| {
            words.push(inner.path.require_ident()?.clone());
            Ok(())
        })?;
        let mut words = words.into_iter();
        match (words.next(), words.next()) {
            (Some(method), Some(key)) => Ok(PrefixWords { method, key, fields: words.collect() }),
            _ => Err(meta.error(
                "a prefix has a name, a key and its fields\n= help: `prefix(orders_of_day, sk, placed_at)`",
            )),
        }
    }
}

fn once<T: syn::parse::Parse>(slot: &mut Option<T>, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if slot.is_some() {
        return Err(meta.error("this is said twice"));
    }
    *slot = Some(meta.value()?.parse()?);
    Ok(())
}

fn unknown(meta: &ParseNestedMeta<'_>) -> syn::Error {
    meta.error(
        "there is no such word here\n= help: an entity has `name`, `pk`, `sk`, `pk_name`, `sk_name`, `index(…)`, `tenant`, `version`, \
         `ttl` and `prefix(…)`; an index also has `sparse` and `when`",
    )
}
