//! Six patterns of primary keys, as documented constructors, and the requirements that they meet.
//!
//! | requirement | pattern | partition key | sort key |
//! |---|---|---|---|
//! | simple reads and writes, separate for each tenant | [`simple`] | `PRODUCT#<tenantCode>` | `<id>` |
//! | a parent with many children | [`hierarchical`] | `ORDER#<tenantCode>` | `ORDER#<parentId>`, `ORDER_ITEM#<parentId>#<childId>` |
//! | several variants of one entity | [`composite_sort_key`] | `USER#<tenantCode>` | `<variant>#<identifier>` |
//! | data shared by all tenants | [`association`] | `USER_TENANT#common` | `<tenantCode>#<identifier>` |
//! | configuration by category | [`master_data`] | `MASTER#<tenantCode>` | `<type>#<category>#<code>` |
//! | reads by time | [`time_series`] | `LOG#<tenantCode>#<timestamp:ym>` | `<timestamp:iso>#<eventId>` |

use crate::{KeyError, KeyPart, TENANT_COMMON, Template, TemplateError, TemplateFault, Values};

/// The templates of a partition key and its sort key.
///
/// ```
/// use keywright_key::{KeySchema, Value, pattern};
/// let product = pattern::simple("PRODUCT")?;
/// let (pk, sk) = product.build(&[("tenantCode", Value::from("t1")), ("id", Value::from("p1"))])?;
/// assert_eq!((pk.as_str(), sk.as_str()), ("PRODUCT#t1", "p1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeySchema {
    partition: Template,
    sort: Template,
}

impl KeySchema {
    /// Parses both templates, each with the length limit of its part.
    ///
    /// ```
    /// use keywright_key::KeySchema;
    /// let user = KeySchema::parse("USER#<userId>", "PROFILE").unwrap();
    /// assert!(user.sort().is_constant());
    /// ```
    pub fn parse(partition: &str, sort: &str) -> Result<KeySchema, TemplateError> {
        Ok(KeySchema {
            partition: Template::parse(partition)?.with_part(KeyPart::Partition),
            sort: Template::parse(sort)?.with_part(KeyPart::Sort),
        })
    }

    /// The partition key's template.
    ///
    /// ```
    /// use keywright_key::pattern;
    /// assert_eq!(pattern::simple("USER").unwrap().partition().to_string(), "USER#<tenantCode>");
    /// ```
    pub fn partition(&self) -> &Template {
        &self.partition
    }

    /// The sort key's template.
    ///
    /// ```
    /// use keywright_key::pattern;
    /// assert_eq!(pattern::simple("USER").unwrap().sort().to_string(), "<id>");
    /// ```
    pub fn sort(&self) -> &Template {
        &self.sort
    }

    /// Builds both keys from the values.
    ///
    /// ```
    /// use keywright_key::{KeySchema, Value};
    /// let user = KeySchema::parse("USER#<userId>", "PROFILE").unwrap();
    /// let keys = user.build(&[("userId", Value::from("u1"))]).unwrap();
    /// assert_eq!(keys, ("USER#u1".to_owned(), "PROFILE".to_owned()));
    /// ```
    pub fn build<V: Values + ?Sized>(&self, values: &V) -> Result<(String, String), KeyError> {
        Ok((self.partition.build(values)?, self.sort.build(values)?))
    }
}

/// A requirement of a program on an entity. It determines the pattern of the keys.
///
/// ```
/// use keywright_key::pattern::Requirement;
/// let logs = Requirement::ReadsByTime.schemas("LOG")?;
/// assert_eq!(logs[0].partition().to_string(), "LOG#<tenantCode>#<timestamp:ym>");
/// # Ok::<(), keywright_key::TemplateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Requirement {
    /// Simple reads and writes, separate for each tenant: [`simple`].
    TenantIsolation,
    /// A parent with many children, read together: [`hierarchical`].
    ParentWithChildren,
    /// Several variants of one entity: [`composite_sort_key`].
    Variants,
    /// Data shared by all tenants: [`association`].
    SharedOverTenants,
    /// Configuration by category: [`master_data`], whose prefix is always `MASTER`.
    Categories,
    /// Reads by time: [`time_series`].
    ReadsByTime,
}

impl Requirement {
    /// All requirements, in the order of the table above.
    ///
    /// ```
    /// use keywright_key::pattern::Requirement;
    /// assert!(Requirement::ALL.iter().all(|requirement| requirement.schemas("ENTITY").is_ok()));
    /// ```
    pub const ALL: [Requirement; 6] = [
        Requirement::TenantIsolation,
        Requirement::ParentWithChildren,
        Requirement::Variants,
        Requirement::SharedOverTenants,
        Requirement::Categories,
        Requirement::ReadsByTime,
    ];

    /// The key schemas that meet the requirement, for an entity with that prefix. A parent with children has
    /// two: its own, and that of the children, whose prefix is the parent's followed by `_ITEM`.
    ///
    /// ```
    /// use keywright_key::pattern::Requirement;
    /// assert_eq!(Requirement::ParentWithChildren.schemas("ORDER").unwrap().len(), 2);
    /// ```
    pub fn schemas(self, prefix: &str) -> Result<Vec<KeySchema>, TemplateError> {
        Ok(match self {
            Requirement::TenantIsolation => vec![simple(prefix)?],
            Requirement::ParentWithChildren => {
                let Hierarchy { parent, child } = hierarchical(prefix, &format!("{prefix}_ITEM"))?;
                vec![parent, child]
            }
            Requirement::Variants => vec![composite_sort_key(prefix)?],
            Requirement::SharedOverTenants => vec![association(prefix)?],
            Requirement::Categories => vec![master_data()?],
            Requirement::ReadsByTime => vec![time_series(prefix)?],
        })
    }
}

/// An entity on its own, separate for each tenant: a product, a customer.
///
/// ```
/// use keywright_key::pattern;
/// let product = pattern::simple("PRODUCT")?;
/// assert_eq!(product.partition().to_string(), "PRODUCT#<tenantCode>");
/// assert_eq!(product.sort().to_string(), "<id>");
/// # Ok::<(), keywright_key::TemplateError>(())
/// ```
pub fn simple(prefix: &str) -> Result<KeySchema, TemplateError> {
    KeySchema::parse(&format!("{}#<tenantCode>", name(prefix)?), "<id>")
}

/// A parent and its children in one item collection.
///
/// ```
/// use keywright_key::pattern;
/// let orders = pattern::hierarchical("ORDER", "ORDER_ITEM")?;
/// assert!(orders.parent.sort().collision(orders.child.sort()).is_none());
/// # Ok::<(), keywright_key::TemplateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hierarchy {
    /// The parent's keys.
    pub parent: KeySchema,
    /// The children's keys, in the parent's partition.
    pub child: KeySchema,
}

/// A parent with many children that are read together: an order and its items.
///
/// ```
/// use keywright_key::{Value, pattern};
/// let orders = pattern::hierarchical("ORDER", "ORDER_ITEM")?;
/// let items_of = orders.child.sort().prefix(&[("parentId", Value::from("o1"))])?;
/// assert_eq!(items_of, "ORDER_ITEM#o1#"); // not `ORDER_ITEM#o1`, which would match order o10 too
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hierarchical(parent: &str, child: &str) -> Result<Hierarchy, TemplateError> {
    let partition = format!("{}#<tenantCode>", name(parent)?);
    Ok(Hierarchy {
        parent: KeySchema::parse(&partition, &format!("{parent}#<parentId>"))?,
        child: KeySchema::parse(&partition, &format!("{}#<parentId>#<childId>", name(child)?))?,
    })
}

/// One entity in several variants: a user at several authentication providers.
///
/// ```
/// use keywright_key::{Value, pattern};
/// let user = pattern::composite_sort_key("USER")?;
/// let values = [("variant", Value::from("sso")), ("identifier", Value::from("abc123"))];
/// assert_eq!(user.sort().build(&values)?, "sso#abc123");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn composite_sort_key(prefix: &str) -> Result<KeySchema, TemplateError> {
    KeySchema::parse(&format!("{}#<tenantCode>", name(prefix)?), "<variant>#<identifier>")
}

/// Which user belongs to which tenant, in one item collection of the common tenant.
///
/// ```
/// use keywright_key::{Value, pattern};
/// let member = pattern::association("USER_TENANT")?;
/// assert_eq!(member.partition().build(&())?, "USER_TENANT#common");
/// assert_eq!(member.sort().prefix(&[("tenantCode", Value::from("t1"))])?, "t1#");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn association(prefix: &str) -> Result<KeySchema, TemplateError> {
    KeySchema::parse(&format!("{}#{TENANT_COMMON}", name(prefix)?), "<tenantCode>#<identifier>")
}

/// Settings and reference data by type and category.
///
/// ```
/// use keywright_key::{Value, pattern};
/// let master = pattern::master_data()?;
/// let categories = [("type", Value::from("DATA")), ("category", Value::from("product_category"))];
/// assert_eq!(master.sort().prefix(&categories)?, "DATA#product_category#");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn master_data() -> Result<KeySchema, TemplateError> {
    KeySchema::parse("MASTER#<tenantCode>", "<type>#<category>#<code>")
}

/// Events by time: a partition per tenant and month, sorted by instant and then by event id.
///
/// ```
/// use keywright_key::{Instant, Value, pattern};
/// let log = pattern::time_series("LOG")?;
/// let at = Instant::parse("2024-01-15T10:30:00Z")?;
/// let values = [("tenantCode", Value::from("t1")), ("timestamp", at.into()), ("eventId", Value::from("e1"))];
/// let (pk, sk) = log.build(&values)?;
/// assert_eq!((pk.as_str(), sk.as_str()), ("LOG#t1#2024-01", "2024-01-15T10:30:00.000Z#e1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_series(prefix: &str) -> Result<KeySchema, TemplateError> {
    KeySchema::parse(&format!("{}#<tenantCode>#<timestamp:ym>", name(prefix)?), "<timestamp:iso>#<eventId>")
}

/// Requires a prefix of one segment: not empty, without brackets and separators.
fn name(prefix: &str) -> Result<&str, TemplateError> {
    let is_segment = !prefix.is_empty() && !prefix.contains(|c: char| "#<>{}\\".contains(c));
    match is_segment {
        true => Ok(prefix),
        false => Err(TemplateError::new(prefix, 0..prefix.len(), TemplateFault::Name)),
    }
}
