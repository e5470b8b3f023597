//! `#[derive(Entity)]`: keys from the fields of a struct, checked at compile time.

mod attributes;
mod entity;
mod expand;
mod fields;
mod keys;
mod serde_names;

use proc_macro::TokenStream;

/// Generates the keys of a struct. Use it through the crate `keywright`, which documents the generated code.
///
/// ```text
/// #[derive(Entity)]
/// #[entity(
///     name = "Order",                                    // the type name; by default the struct's
///     pk = "TENANT#<tenant>#CUSTOMER#<customer>",        // the primary key
///     sk = "ORDER#<placed_at:iso>#<order_id>",
///     pk_name = "pk", sk_name = "sk",                    // its attributes; these are the default
///     index(GSI1, pk = "STATUS#<status>", sk = "<placed_at:iso>",
///           pk_name = "GSI1PK", sk_name = "GSI1SK",      // the default for an index of this name
///           sparse,                                      // absent while an optional field of it is none
///           when = Order::is_open),                      // absent while this is false
///     tenant = tenant,                                   // stands in every partition key
///     version = version,                                 // the sort key can carry versions
///     ttl = expires_at,                                  // when the item expires
///     prefix(orders_of_day, sk, placed_at),              // another name for a legal prefix
/// )]
/// ```
///
/// Templates use the attribute names that serde stores: `#[serde(rename)]` and `#[serde(rename_all)]` are
/// respected.
#[proc_macro_derive(Entity, attributes(entity))]
pub fn derive_entity(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    match entity::Entity::read(&input) {
        Ok(entity) => expand::expand(&entity).into(),
        Err(errors) => errors.into_compile_error().into(),
    }
}

/// A `&'static Template` that is checked at compile time and parsed on first use.
///
/// ```text
/// let user = keywright::template!("USER#<userId>");
/// ```
#[proc_macro]
pub fn template(input: TokenStream) -> TokenStream {
    let literal = syn::parse_macro_input!(input as syn::LitStr);
    if let Err(error) = keywright_key::Template::parse(&literal.value()) {
        return syn::Error::new(literal.span(), error).into_compile_error().into();
    }
    quote::quote! {{
        static TEMPLATE: ::std::sync::LazyLock<::keywright::Template> = ::std::sync::LazyLock::new(|| {
            ::keywright::Template::parse(#literal).expect("the macro has read this template")
        });
        &*TEMPLATE
    }}
    .into()
}
