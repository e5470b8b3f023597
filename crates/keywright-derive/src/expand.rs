//! Generates the code of an entity.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::entity::{Entity, Index, KeyPair};
use crate::fields::{Field, Kind};
use crate::keys::{Kept, Key, Part};

/// All items that the derive generates.
pub(crate) fn expand(entity: &Entity) -> TokenStream {
    let pairs: Vec<&KeyPair> =
        std::iter::once(&entity.primary).chain(entity.indexes.iter().map(|index| &index.key)).collect();
    let primary_sort = entity.primary.sort.as_ref().map(|key| &key.ident);
    let keys = pairs.iter().flat_map(|pair| std::iter::once(&pair.partition).chain(&pair.sort)).map(|key| {
        let versioned = entity.version.is_some() && Some(&key.ident) == primary_sort;
        key_struct(entity, key, versioned)
    });
    let implementation = entity_impl(entity);
    let versioned = versioned_impl(entity);
    let checks = pairs
        .iter()
        .flat_map(|pair| std::iter::once(&pair.partition).chain(&pair.sort))
        .flat_map(|key| kind_checks(entity, key));
    quote! {
        #(#keys)*
        #implementation
        #versioned
        #(#checks)*
    }
}

/// `impl Entity for …`.
fn entity_impl(entity: &Entity) -> TokenStream {
    let (ident, name) = (&entity.ident, &entity.name);
    let (impl_generics, type_generics, where_clause) = entity.generics.split_for_impl();
    let partition_name = &entity.primary.partition_name;
    let partition = build_of_entity(entity, &entity.primary.partition);
    let sort = match &entity.primary.sort {
        Some(sort) => {
            let (name, build) = (&entity.primary.sort_name, build_of_entity(entity, sort));
            quote!(::core::option::Option::Some((#name, #build?)))
        }
        None => quote!(::core::option::Option::None),
    };
    let indexes = entity.indexes.iter().map(|index| index_block(entity, index));
    let ttl = entity.ttl.map(|field| {
        let field = &entity.fields[field].ident;
        quote! {
            fn ttl(&self) -> ::core::option::Option<i64> {
                ::keywright::TtlField::ttl_seconds(&self.#field)
            }
        }
    });
    let tenant = entity.tenant.map(|field| {
        let field = &entity.fields[field].ident;
        quote! {
            fn tenant_code(&self) -> ::core::option::Option<::std::string::String> {
                ::core::option::Option::Some(::keywright::KeyField::to_value(&self.#field).to_string())
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics ::keywright::Entity for #ident #type_generics #where_clause {
            const TYPE_NAME: &'static str = #name;

            fn primary_key(&self) -> ::core::result::Result<::keywright::PrimaryKey, ::keywright::KeyError> {
                ::core::result::Result::Ok(::keywright::PrimaryKey {
                    partition: (#partition_name, #partition?),
                    sort: #sort,
                })
            }

            fn index_attributes(
                &self,
            ) -> ::core::result::Result<::keywright::IndexAttributes, ::keywright::KeyError> {
                #[allow(unused_mut)]
                let mut attributes = <::keywright::IndexAttributes as ::core::default::Default>::default();
                #(#indexes)*
                ::core::result::Result::Ok(attributes)
            }

            #ttl
            #tenant
        }
    }
}

/// Generates code that sets the attributes of an index, or removes them while the item is not in the index.
fn index_block(entity: &Entity, index: &Index) -> TokenStream {
    // A local index shares the table's partition key, which no update sets or removes.
    let (names, keys): (Vec<&str>, Vec<&Key>) =
        index.key.attributes().filter(|(name, _)| *name != entity.primary.partition_name).unzip();
    let builds: Vec<TokenStream> = keys.iter().map(|key| build_of_locals(entity, key)).collect();
    let optional = optional_fields(entity, &keys);
    let values = optional.iter().map(|field| {
        let ident = &field.ident;
        quote!(self.#ident.as_ref())
    });
    let locals: Vec<Ident> = optional.iter().map(|field| local(field)).collect();
    let condition = index.when.as_ref().map_or(quote!(true), |when| quote!(#when(self)));
    quote! {
        match (#(#values,)*) {
            (#(::core::option::Option::Some(#locals),)*) if #condition => {
                #(attributes.set.push((#names, #builds?));)*
            }
            #[allow(unreachable_patterns)]
            _ => attributes.remove.extend([#(#names),*]),
        }
    }
}

fn optional_fields<'e>(entity: &'e Entity, keys: &[&Key]) -> Vec<&'e Field> {
    let used =
        |position: usize| keys.iter().any(|key| key.places.iter().any(|place| place.field == position));
    entity
        .fields
        .iter()
        .enumerate()
        .filter(|(at, field)| field.optional && used(*at))
        .map(|(_, field)| field)
        .collect()
}

/// Builds the key of `self` for a primary key, which has no optional fields.
fn build_of_entity(entity: &Entity, key: &Key) -> TokenStream {
    build_of_locals(entity, key)
}

/// Builds the key of `self`. Optional fields are taken from the local variables that `index_block` has
/// matched.
fn build_of_locals(entity: &Entity, key: &Key) -> TokenStream {
    let ident = &key.ident;
    let values = key.places.iter().map(|place| {
        let field = &entity.fields[place.field];
        let (name, attribute) = (&field.ident, &field.attribute);
        let value = match field.optional {
            true => local(field).into_token_stream(),
            false => quote!(&self.#name),
        };
        quote!((#attribute, ::keywright::KeyField::to_value(#value)))
    });
    let count = key.places.len();
    quote! {{
        let values: [(&str, ::keywright::Value<'_>); #count] = [#(#values),*];
        #ident::template().build(&values)
    }}
}

fn local(field: &Field) -> Ident {
    format_ident!("__{}", field.ident)
}

/// The struct of a key: its fields, and the functions that build and parse it.
fn key_struct(entity: &Entity, key: &Key, versioned: bool) -> TokenStream {
    let (visibility, ident) = (&entity.visibility, &key.ident);
    let text = key.template.as_str();
    let doc = format!("The {} key `{text}` of [`{}`].", part_name(key.part), entity.ident);
    let fields = key.places.iter().map(|place| {
        let field = &entity.fields[place.field];
        let (name, ty, doc) =
            (&field.ident, parsed_type(field, place.kept), format!("`{}`", field.attribute));
        quote!(#[doc = #doc] pub #name: #ty)
    });
    let is_known = key.places.iter().all(|place| entity.fields[place.field].kind != Kind::Unknown);
    let derives = is_known.then(|| quote!(#[derive(Clone, Debug, PartialEq)]));
    let template = template_fn(key, versioned);
    let build = build_fn(entity, key);
    let parse = parse_fn(entity, key, versioned);
    let queries = (key.part == Part::Sort).then(|| queries(entity, key));
    let versions = versioned.then(|| version_fns(entity, key));
    let shards = shards_fn(entity, key);
    quote! {
        #[doc = #doc]
        #derives
        #[allow(dead_code)]
        #visibility struct #ident {
            #(#fields,)*
        }

        #[automatically_derived]
        #[allow(dead_code)]
        impl #ident {
            #template
            #build
            #parse
            #queries
            #versions
            #shards
        }
    }
}

fn part_name(part: Part) -> &'static str {
    match part {
        Part::Partition => "partition",
        Part::Sort => "sort",
    }
}

fn template_fn(key: &Key, versioned: bool) -> TokenStream {
    let text = key.template.as_str();
    let part = match key.part {
        Part::Partition => quote!(Partition),
        Part::Sort => quote!(Sort),
    };
    let template = quote! {
        ::keywright::Template::parse(#text)
            .expect("the derive has read this template")
            .with_part(::keywright::KeyPart::#part)
    };
    match versioned {
        false => quote! {
            /// The template.
            pub fn template() -> &'static ::keywright::Template {
                static TEMPLATE: ::std::sync::LazyLock<::keywright::Template> = ::std::sync::LazyLock::new(|| #template);
                &TEMPLATE
            }
        },
        true => quote! {
            /// The template of the keys without a version.
            pub fn template() -> &'static ::keywright::Template {
                Self::versions().template()
            }

            /// The template with versions.
            pub fn versions() -> &'static ::keywright::VersionedTemplate {
                static TEMPLATE: ::std::sync::LazyLock<::keywright::VersionedTemplate> =
                    ::std::sync::LazyLock::new(|| {
                        ::keywright::VersionedTemplate::new(#template)
                            .expect("the derive has read this template")
                    });
                &TEMPLATE
            }
        },
    }
}

/// The first `given` attributes, as parameters of a method and as values for the template.
struct Given {
    parameters: Vec<TokenStream>,
    values: TokenStream,
}

fn given(entity: &Entity, key: &Key, given: usize) -> Given {
    let fields: Vec<&Field> = key.places[..given].iter().map(|place| &entity.fields[place.field]).collect();
    let parameters = fields
        .iter()
        .map(|field| {
            let (name, ty) = (&field.ident, &field.ty);
            match field.kind {
                Kind::Text => quote!(#name: &str),
                _ if field.is_copied() => quote!(#name: #ty),
                _ => quote!(#name: &#ty),
            }
        })
        .collect();
    let values = fields.iter().map(|field| {
        let (name, attribute) = (&field.ident, &field.attribute);
        let value = match field.kind {
            Kind::Text => quote!(::keywright::Value::from(#name)),
            _ if field.is_copied() => quote!(::keywright::KeyField::to_value(&#name)),
            _ => quote!(::keywright::KeyField::to_value(#name)),
        };
        quote!((#attribute, #value))
    });
    Given {
        parameters,
        values: quote!({ let values: [(&str, ::keywright::Value<'_>); #given] = [#(#values),*]; values }),
    }
}

fn build_fn(entity: &Entity, key: &Key) -> TokenStream {
    let Given { parameters, values } = given(entity, key, key.places.len());
    quote! {
        /// Builds the key from these values.
        #[allow(clippy::too_many_arguments)]
        pub fn build(#(#parameters),*) -> ::core::result::Result<::std::string::String, ::keywright::KeyError> {
            Self::template().build(&#values)
        }
    }
}

fn parse_fn(entity: &Entity, key: &Key, versioned: bool) -> TokenStream {
    let fields = key.places.iter().map(|place| {
        let field = &entity.fields[place.field];
        let (name, attribute) = (&field.ident, &field.attribute);
        quote!(#name: parsed.field(#attribute)?)
    });
    let parsed = match versioned {
        true => quote!(let (parsed, _) = Self::versions().parse_key(key)?;),
        false => quote!(let parsed = Self::template().parse_key(key)?;),
    };
    quote! {
        /// Reads a key back into its values.
        pub fn parse(key: &str) -> ::core::result::Result<Self, ::keywright::KeyError> {
            #[allow(unused_variables)]
            #parsed
            ::core::result::Result::Ok(Self { #(#fields),* })
        }
    }
}

/// A method for every valid prefix and range.
fn queries(entity: &Entity, key: &Key) -> TokenStream {
    let names: Vec<String> = key
        .places
        .iter()
        .map(|place| entity.fields[place.field].ident.to_string().replace("r#", ""))
        .collect();
    let mut methods = Vec::new();
    for count in 0..key.places.len() {
        let Given { parameters, values } = given(entity, key, count);
        let next = &entity.fields[key.places[count].field];
        let after = match count {
            0 => String::new(),
            _ => format!(" after {}", names[..count].join(", ")),
        };
        if key.has_prefix_before(count) {
            let method = match count {
                0 => format_ident!("prefix"),
                _ => format_ident!("prefix_{}", names[..count].join("_and_")),
            };
            let doc = format!("What all keys begin with{after}, for begins_with.");
            methods.push(quote! {
                #[doc = #doc]
                pub fn #method(#(#parameters),*) -> ::core::result::Result<::std::string::String, ::keywright::KeyError> {
                    Self::template().prefix(&#values)
                }
            });
        }
        if key.has_range_of(count) {
            let method = format_ident!("range_{}", names[count]);
            let ty = &next.ty;
            let lifetime = (next.kind == Kind::Text).then(|| quote!(<'bound>));
            let (bound, to_value) = match next.kind {
                Kind::Text => (quote!(&'bound str), quote!(|bound| ::keywright::Value::from(*bound))),
                _ => (quote!(#ty), quote!(::keywright::KeyField::to_value)),
            };
            let doc = format!("The keys whose `{}` lies within the bounds{after}.", next.attribute);
            methods.push(quote! {
                #[doc = #doc]
                pub fn #method #lifetime(
                    #(#parameters,)*
                    bounds: impl ::core::ops::RangeBounds<#bound>,
                ) -> ::core::result::Result<::keywright::KeyRange, ::keywright::KeyError> {
                    let bounds = (bounds.start_bound().map(#to_value), bounds.end_bound().map(#to_value));
                    Self::template().range(&#values, bounds)
                }
            });
        }
        if key.has_start_of(count) && next.kind == Kind::Text {
            let method = format_ident!("starting_{}", names[count]);
            let doc =
                format!("What all keys begin with whose `{}` begins with the text{after}.", next.attribute);
            methods.push(quote! {
                #[doc = #doc]
                pub fn #method(
                    #(#parameters,)*
                    start: &str,
                ) -> ::core::result::Result<::std::string::String, ::keywright::KeyError> {
                    Self::template().prefix_of_text(&#values, start)
                }
            });
        }
    }
    for prefix in entity.prefixes.iter().filter(|prefix| prefix.key == key.ident) {
        let Given { parameters, values } = given(entity, key, prefix.given);
        let method = &prefix.method;
        methods.push(quote! {
            /// The common prefix of all keys with these values, for begins_with.
            pub fn #method(#(#parameters),*) -> ::core::result::Result<::std::string::String, ::keywright::KeyError> {
                Self::template().prefix(&#values)
            }
        });
    }
    quote!(#(#methods)*)
}

fn version_fns(entity: &Entity, key: &Key) -> TokenStream {
    let Given { parameters, values } = given(entity, key, key.places.len());
    quote! {
        /// Builds the key of a version from these values.
        pub fn at(
            #(#parameters,)*
            version: ::keywright::Version,
        ) -> ::core::result::Result<::std::string::String, ::keywright::KeyError> {
            Self::versions().at(&#values, version)
        }

        /// The range of all versions of the item with these values, oldest first.
        pub fn history(#(#parameters),*) -> ::core::result::Result<::keywright::KeyRange, ::keywright::KeyError> {
            Self::versions().history(&#values)
        }

        /// The parameters of a Query for the newest version of the item with these values.
        pub fn latest(#(#parameters),*) -> ::core::result::Result<::keywright::Latest, ::keywright::KeyError> {
            Self::versions().latest(&#values)
        }

        /// The version of a key, if it has one.
        pub fn version_of(
            key: &str,
        ) -> ::core::result::Result<::core::option::Option<::keywright::Version>, ::keywright::KeyError> {
            ::core::result::Result::Ok(Self::versions().parse_key(key)?.1)
        }
    }
}

/// A function that returns the keys of all shards, for a read that queries each of them.
fn shards_fn(entity: &Entity, key: &Key) -> Option<TokenStream> {
    let mut shards = key.places.iter().enumerate().filter(|(_, place)| place.kept == Kept::Shard);
    let (at, place) = shards.next()?;
    if shards.next().is_some() {
        return None;
    }
    let field = &entity.fields[place.field];
    let count = key.template.placeholders().find_map(|place| match place.encoding() {
        keywright_key::Encoding::Shard { count } if place.name() == field.attribute => Some(*count),
        _ => None,
    })?;
    let Given { mut parameters, .. } = given(entity, key, key.places.len());
    parameters.remove(at);
    let values = key.places.iter().enumerate().map(|(position, place)| {
        let field = &entity.fields[place.field];
        let (name, attribute) = (&field.ident, &field.attribute);
        let value = match field.kind {
            _ if position == at => quote!(::keywright::Value::Shard(shard)),
            Kind::Text => quote!(::keywright::Value::from(#name)),
            _ if field.is_copied() => quote!(::keywright::KeyField::to_value(&#name)),
            _ => quote!(::keywright::KeyField::to_value(#name)),
        };
        quote!((#attribute, #value))
    });
    Some(quote! {
        /// The keys of all shards, in order.
        pub fn shards(
            #(#parameters),*
        ) -> ::core::result::Result<::std::vec::Vec<::std::string::String>, ::keywright::KeyError> {
            (0..#count).map(|shard| Self::template().build(&[#(#values),*])).collect()
        }
    })
}

/// The type that a parsed key has for a field.
fn parsed_type(field: &Field, kept: Kept) -> TokenStream {
    let ty = &field.ty;
    match kept {
        Kept::Whole => quote!(#ty),
        Kept::Bucket => quote!(::keywright::Bucket),
        Kept::Shard => quote!(::keywright::Shard),
    }
}

/// The methods of an entity with versions.
fn versioned_impl(entity: &Entity) -> Option<TokenStream> {
    let version = &entity.fields[entity.version?].ident;
    let sort = entity.primary.sort.as_ref()?;
    let (ident, key) = (&entity.ident, &sort.ident);
    let (impl_generics, type_generics, where_clause) = entity.generics.split_for_impl();
    let base = build_of_entity(entity, sort);
    let visibility = &entity.visibility;
    Some(quote! {
        #[automatically_derived]
        #[allow(dead_code)]
        impl #impl_generics #ident #type_generics #where_clause {
            /// The sort key of this version of the item.
            #visibility fn versioned_sort_key(
                &self,
            ) -> ::core::result::Result<::std::string::String, ::keywright::KeyError> {
                let base = #base?;
                #key::versions().append(base, &::keywright::KeyField::to_value(&self.#version))
            }
        }
    })
}

/// Compile-time checks that types which the derive does not know accept their encodings.
fn kind_checks(entity: &Entity, key: &Key) -> Vec<TokenStream> {
    let unknown = key
        .places
        .iter()
        .map(|place| &entity.fields[place.field])
        .filter(|field| field.kind == Kind::Unknown);
    unknown
        .flat_map(|field| key.encodings_of(field).into_iter().map(move |encoding| (field, encoding)))
        .map(|(field, encoding)| {
            let ty = &field.ty;
            let message = format!(
                "`{}` can't be written as `{encoding}` in the key `{}`: give it an encoding that takes its kind",
                field.attribute, key.template
            );
            quote_spanned! {ty.span()=>
                const _: () = assert!(<#ty as ::keywright::KeyField>::KIND.accepts(#encoding), #message);
            }
        })
        .collect()
}
