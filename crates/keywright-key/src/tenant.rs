//! Tenants: the owner of a key's data, read from its place in the template and never guessed from separators.

use std::borrow::Cow;
use std::fmt;

use crate::{Encoding, KeyError, KeyFault, KeyRange, Template, TemplateError, TemplateFault, Value, Values};

/// The code of data that all tenants share.
///
/// ```
/// use keywright_key::{TENANT_COMMON, Tenant};
/// assert_eq!(Tenant::COMMON.code(), TENANT_COMMON);
/// ```
pub const TENANT_COMMON: &str = "common";
/// The tenant code of a program with a single tenant.
///
/// ```
/// use keywright_key::{DEFAULT_TENANT_CODE, Tenant};
/// assert_eq!(Tenant::SINGLE.code(), DEFAULT_TENANT_CODE);
/// ```
pub const DEFAULT_TENANT_CODE: &str = "single";

/// The code of a tenant. Any text that is not empty: separators in it are escaped or refused, depending on
/// the policy.
///
/// ```
/// use keywright_key::Tenant;
/// assert_eq!(Tenant::new("t1").unwrap().code(), "t1");
/// assert_eq!(Tenant::COMMON.code(), "common");
/// assert!(Tenant::new("").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tenant(Cow<'static, str>);

impl Tenant {
    /// The tenant of data that all tenants share.
    ///
    /// ```
    /// use keywright_key::Tenant;
    /// assert_eq!(Some(Tenant::COMMON), Tenant::new("common"));
    /// ```
    pub const COMMON: Tenant = Tenant(Cow::Borrowed(TENANT_COMMON));
    /// The tenant of a program with a single tenant.
    ///
    /// ```
    /// use keywright_key::Tenant;
    /// assert_eq!(Some(Tenant::SINGLE), Tenant::new("single"));
    /// ```
    pub const SINGLE: Tenant = Tenant(Cow::Borrowed(DEFAULT_TENANT_CODE));

    /// The tenant with that code; `None` if it is empty.
    ///
    /// ```
    /// use keywright_key::Tenant;
    /// assert!(Tenant::new("t1").is_some() && Tenant::new("").is_none());
    /// ```
    pub fn new(code: impl Into<Cow<'static, str>>) -> Option<Tenant> {
        Some(code.into()).filter(|code| !code.is_empty()).map(Tenant)
    }

    /// The code.
    ///
    /// ```
    /// use keywright_key::Tenant;
    /// assert_eq!(Tenant::new("t1").unwrap().code(), "t1");
    /// ```
    pub fn code(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'a> From<&'a Tenant> for Value<'a> {
    fn from(tenant: &'a Tenant) -> Self {
        Value::from(tenant.code())
    }
}

/// A template with a placeholder for the tenant. It builds no key, prefix or range without a tenant.
///
/// No key of one tenant equals a key of another, and no prefix or range for one tenant matches keys of
/// another. This holds because the separator after the code can't be part of a code: `PRODUCT#t1` is a prefix
/// of `PRODUCT#t10`, but `PRODUCT#t1#` is not.
///
/// ```
/// use keywright_key::{Template, Tenant, TenantTemplate, Value};
/// let template = TenantTemplate::new(Template::parse("LOG#<tenantCode>#<month>")?, "tenantCode")?;
/// let tenant = Tenant::new("t1").unwrap();
/// let key = template.build(&tenant, &[("month", Value::from("2024-01"))])?;
/// assert_eq!(key, "LOG#t1#2024-01");
/// assert_eq!(template.tenant_of(&key)?, tenant); // not `2024-01`, which stands last
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TenantTemplate {
    template: Template,
    attribute: String,
}

impl TenantTemplate {
    /// Marks the attribute as the tenant. Its placeholder must be text.
    ///
    /// ```
    /// use keywright_key::{Template, TenantTemplate};
    /// assert!(TenantTemplate::new(Template::parse("A#<t:shard4>").unwrap(), "t").is_err());
    /// ```
    pub fn new(template: Template, attribute: &str) -> Result<TenantTemplate, TemplateError> {
        let place = template.placeholders().find(|place| place.name() == attribute);
        let fault = match place {
            None => Some(TemplateFault::UnknownAttribute { near: None }),
            Some(place) if *place.encoding() != Encoding::Text => {
                Some(TemplateFault::Type { attribute: "a tenant", instead: "no encoding" })
            }
            Some(_) => None,
        };
        match fault {
            Some(fault) => Err(TemplateError::new(template.as_str(), 0..template.as_str().len(), fault)),
            None => Ok(TenantTemplate { template, attribute: attribute.to_owned() }),
        }
    }

    /// The template itself.
    ///
    /// ```
    /// use keywright_key::{Template, TenantTemplate};
    /// let template = TenantTemplate::new(Template::parse("A#<t>").unwrap(), "t").unwrap();
    /// assert_eq!(template.template().to_string(), "A#<t>");
    /// ```
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Builds the tenant's key from values.
    ///
    /// ```
    /// use keywright_key::{Template, Tenant, TenantTemplate};
    /// let template = TenantTemplate::new(Template::parse("A#<t>").unwrap(), "t").unwrap();
    /// assert_eq!(template.build(&Tenant::COMMON, &()).unwrap(), "A#common");
    /// ```
    pub fn build<V: Values + ?Sized>(&self, tenant: &Tenant, values: &V) -> Result<String, KeyError> {
        self.template.build(&self.with(tenant, values))
    }

    /// A prefix that matches only keys of this tenant. All attributes before the tenant must have values.
    ///
    /// ```
    /// use keywright_key::{Template, Tenant, TenantTemplate};
    /// let template = TenantTemplate::new(Template::parse("A#<t>#<id>").unwrap(), "t").unwrap();
    /// assert_eq!(template.prefix(&Tenant::COMMON, &()).unwrap(), "A#common#");
    /// ```
    pub fn prefix<V: Values + ?Sized>(&self, tenant: &Tenant, values: &V) -> Result<String, KeyError> {
        self.template.prefix(&self.reaching(tenant, values)?)
    }

    /// A range that matches only keys of this tenant. All attributes before the tenant must have values.
    ///
    /// ```
    /// use keywright_key::{Template, Tenant, TenantTemplate};
    /// let template = TenantTemplate::new(Template::parse("A#<t>#<id>").unwrap(), "t").unwrap();
    /// let range = template.range(&Tenant::COMMON, &(), ..).unwrap();
    /// assert!(range.contains("A#common#1") && !range.contains("A#common1#1"));
    /// ```
    pub fn range<'v, V: Values + ?Sized>(
        &self,
        tenant: &Tenant,
        values: &V,
        bounds: impl std::ops::RangeBounds<Value<'v>>,
    ) -> Result<KeyRange, KeyError> {
        self.template.range(&self.reaching(tenant, values)?, bounds)
    }

    /// The tenant that owns the key, read from the tenant's place in the template.
    ///
    /// ```
    /// use keywright_key::{Template, Tenant, TenantTemplate};
    /// let template = TenantTemplate::new(Template::parse("A#<t>#<id>").unwrap(), "t").unwrap();
    /// assert_eq!(template.tenant_of("A#common#1").unwrap(), Tenant::COMMON);
    /// ```
    pub fn tenant_of(&self, key: &str) -> Result<Tenant, KeyError> {
        let parsed = self.template.parse_key(key)?;
        let code = parsed.get(&self.attribute).and_then(Value::as_text).unwrap_or_default().to_owned();
        Tenant::new(code).ok_or_else(|| self.template.fault(Some(&self.attribute), KeyFault::Missing))
    }

    fn with<'v, V: ?Sized>(&'v self, tenant: &'v Tenant, values: &'v V) -> WithTenant<'v, V> {
        WithTenant { attribute: &self.attribute, tenant: tenant.into(), values }
    }

    /// The values, if every attribute before the tenant has one: otherwise the prefix would match keys of all
    /// tenants.
    fn reaching<'v, V: Values + ?Sized>(
        &'v self,
        tenant: &'v Tenant,
        values: &'v V,
    ) -> Result<WithTenant<'v, V>, KeyError> {
        let all = self.with(tenant, values);
        let before = self.template.placeholders().take_while(|place| place.name() != self.attribute);
        for place in before {
            if all.value(place.name()).is_none() {
                let missing = place.name().to_owned();
                return Err(self.template.fault(Some(&self.attribute), KeyFault::Gap { missing }));
            }
        }
        Ok(all)
    }
}

/// The tenant and the other values. A value that is given for the tenant's attribute is ignored.
struct WithTenant<'v, V: ?Sized> {
    attribute: &'v str,
    tenant: Value<'v>,
    values: &'v V,
}

impl<V: Values + ?Sized> Values for WithTenant<'_, V> {
    fn value(&self, attribute: &str) -> Option<&Value<'_>> {
        if attribute == self.attribute { Some(&self.tenant) } else { self.values.value(attribute) }
    }
}
