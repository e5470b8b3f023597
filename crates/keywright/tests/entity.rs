//! Entities as programs write them: keys, prefixes, ranges, sparse indexes, versions, tenants and serde's names.

use keywright::{Entity, FieldKind, Instant, KeyField, PrimaryKey, Shard, Value, Version};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// An order with everything: a tenant, versions, a TTL, indexes that are always, sometimes and conditionally there.
#[derive(Entity, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[entity(
    name = "CustomerOrder",
    pk = "TENANT#<tenantCode>#CUSTOMER#<customerId>",
    sk = "ORDER#<total:desc8>#<orderId>",
    index(GSI1, pk = "TENANT#<tenantCode>#STATUS#<state>", sk = "<total:pad8>#<orderId>"),
    index(GSI2, pk = "TENANT#<tenantCode>#COURIER#<courier>", sk = "<orderId>", sparse),
    index(by_open, pk = "TENANT#<tenantCode>#OPEN", pk_name = "openPk", sk = "<orderId>", sk_name = "openSk", when = Order::is_open),
    tenant = tenant_code,
    version = version,
    ttl = expires_at,
    prefix(orders_of_total, sk, total)
)]
struct Order {
    tenant_code: String,
    customer_id: String,
    order_id: String,
    total: u32,
    #[serde(rename = "state")]
    status: String,
    courier: Option<String>,
    version: u32,
    expires_at: Option<u64>,
}

impl Order {
    fn is_open(&self) -> bool {
        self.status == "OPEN"
    }

    fn example() -> Order {
        Order {
            tenant_code: "t1".into(),
            customer_id: "c#1".into(),
            order_id: "o1".into(),
            total: 250,
            status: "OPEN".into(),
            courier: None,
            version: 3,
            expires_at: Some(1_700_000_000),
        }
    }
}

#[test]
fn an_entity_knows_its_keys() {
    let order = Order::example();
    assert_eq!(Order::TYPE_NAME, "CustomerOrder");
    assert_eq!(
        order.primary_key().unwrap(),
        PrimaryKey {
            partition: ("pk", "TENANT#t1#CUSTOMER#c$Z1".into()),
            sort: Some(("sk", "ORDER#99999749#o1".into())),
        }
    );
    assert_eq!(order.versioned_sort_key().unwrap(), "ORDER#99999749#o1@0000000003");
    assert_eq!(order.ttl(), Some(1_700_000_000));
    assert_eq!(order.tenant_code().as_deref(), Some("t1"));
}

#[test]
fn a_change_sets_and_removes_index_attributes() {
    let open = Order::example();
    let attributes = open.index_attributes().unwrap();
    assert_eq!(
        attributes.set,
        [
            ("GSI1PK", "TENANT#t1#STATUS#OPEN".to_owned()),
            ("GSI1SK", "00000250#o1".to_owned()),
            ("openPk", "TENANT#t1#OPEN".to_owned()),
            ("openSk", "o1".to_owned()),
        ]
    );
    assert_eq!(attributes.remove, ["GSI2PK", "GSI2SK"]);

    let sent = Order { status: "SENT".into(), courier: Some("ada".into()), ..open.clone() };
    let changes = sent.index_changes(&open).unwrap();
    assert_eq!(
        changes.set,
        [
            ("GSI1PK", "TENANT#t1#STATUS#SENT".to_owned()),
            ("GSI2PK", "TENANT#t1#COURIER#ada".to_owned()),
            ("GSI2SK", "o1".to_owned()),
        ]
    );
    assert_eq!(changes.remove, ["openPk", "openSk"]);
    assert!(sent.index_changes(&sent).unwrap().is_empty());
}

#[test]
fn keys_prefixes_and_ranges_have_types() {
    assert_eq!(OrderPartitionKey::build("t1", "c1").unwrap(), "TENANT#t1#CUSTOMER#c1");
    assert_eq!(OrderSortKey::build(250, "o1").unwrap(), "ORDER#99999749#o1");
    assert_eq!(OrderSortKey::prefix().unwrap(), "ORDER#");
    assert_eq!(OrderSortKey::prefix_total(250).unwrap(), "ORDER#99999749#");
    assert_eq!(OrderSortKey::orders_of_total(250).unwrap(), "ORDER#99999749#");
    assert_eq!(OrderSortKey::starting_order_id(250, "o").unwrap(), "ORDER#99999749#o");

    let range = OrderSortKey::range_total(100..=250).unwrap();
    assert!(range.contains("ORDER#99999749#o1") && !range.contains("ORDER#99999748#o1"));
    // The last text before `o5` has no end that BETWEEN could name.
    assert!(OrderGsi1SortKey::range_order_id(250, "o1".."o5").is_err());
    let range = OrderGsi1SortKey::range_order_id(250, "o1"..="o5").unwrap();
    assert!(range.contains("00000250#o3") && !range.contains("00000250#o51"));

    assert!(OrderSortKey::build(100_000_000, "o1").is_err());
    assert_eq!(OrderGsi1SortKey::prefix_total(7).unwrap(), "00000007#");
}

#[test]
fn keys_read_back_into_fields() {
    let key = OrderSortKey::parse("ORDER#99999749#o1").unwrap();
    assert_eq!(key, OrderSortKey { total: 250, order_id: "o1".into() });
    let partition = OrderPartitionKey::parse("TENANT#t1#CUSTOMER#c$Z1").unwrap();
    assert_eq!((partition.tenant_code.as_str(), partition.customer_id.as_str()), ("t1", "c#1"));
    assert!(OrderSortKey::parse("ITEM#99999749#o1").is_err());
}

#[test]
fn versions_have_a_history() {
    let third = OrderSortKey::at(250, "o1", Version::new(3).unwrap()).unwrap();
    assert_eq!(third, "ORDER#99999749#o1@0000000003");
    assert_eq!(OrderSortKey::version_of(&third).unwrap(), Version::new(3));
    assert_eq!(OrderSortKey::parse(&third).unwrap().order_id, "o1");
    let history = OrderSortKey::history(250, "o1").unwrap();
    assert!(history.contains(&third) && !history.contains("ORDER#99999749#o1"));
    assert_eq!(OrderSortKey::latest(250, "o1").unwrap().limit, 1);
    // An id with an `@` is escaped, so that it is never taken for a version.
    assert_eq!(OrderSortKey::build(250, "a@b").unwrap(), "ORDER#99999749#a$ab");
}

#[test]
fn names_agree_with_serde() {
    let stored = serde_json::to_value(Order::example()).unwrap();
    let attributes =
        OrderGsi1PartitionKey::template().attributes().iter().chain(OrderSortKey::template().attributes());
    for attribute in attributes {
        assert!(stored.get(attribute).is_some(), "{attribute} is not stored");
    }
}

/// A tenant in the sort key: every prefix gives it.
#[derive(Entity)]
#[entity(pk = "USER_TENANT#common", sk = "<tenant>#<user>", tenant = tenant)]
struct Member {
    tenant: String,
    user: String,
}

#[test]
fn a_prefix_never_leaves_its_tenant() {
    assert_eq!(MemberSortKey::prefix_tenant("t1").unwrap(), "t1#");
    assert_eq!(MemberPartitionKey::build().unwrap(), "USER_TENANT#common");
    assert_eq!(
        Member { tenant: "t#1".into(), user: "u".into() }.primary_key().unwrap().sort.unwrap().1,
        "t$Z1#u"
    );
}

/// Buckets and shards, a type of the program's own, and types from other modules.
#[derive(Entity)]
#[entity(
    pk = "LOG#<at:ymd>#<device:shard4>",
    sk = "<at>#<device>#<level>",
    index(GSI1, pk = "DEVICE#<device>", sk = "<on>#<flag>#<score:float>")
)]
struct Entry {
    at: keywright::Instant,
    device: DeviceId,
    level: String,
    on: keywright::Date,
    flag: bool,
    score: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct DeviceId(u64);

impl KeyField for DeviceId {
    const KIND: FieldKind = FieldKind::Text;

    fn to_value(&self) -> Value<'_> {
        Value::from(format!("d{}", self.0))
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        value.as_text()?.strip_prefix('d')?.parse().ok().map(DeviceId)
    }
}

#[test]
fn buckets_and_shards_keep_a_part() {
    let at = Instant::parse("2024-01-15T10:30:00Z").unwrap();
    let entry =
        Entry { at, device: DeviceId(7), level: "warn".into(), on: at.date(), flag: true, score: -1.5 };
    let PrimaryKey { partition, sort } = entry.primary_key().unwrap();
    let key = EntryPartitionKey::parse(&partition.1).unwrap();
    assert_eq!(key.at.to_string(), "2024-01-15");
    assert_eq!(key.device, Shard(keywright::shard_of("d7", 4)));
    assert_eq!(sort.as_ref().unwrap().1, "2024-01-15T10:30:00.000Z#d7#warn");
    assert_eq!(EntrySortKey::parse(&sort.unwrap().1).unwrap().device, DeviceId(7));

    let shards = EntryPartitionKey::shards(at).unwrap();
    assert_eq!(shards, ["LOG#2024-01-15#0", "LOG#2024-01-15#1", "LOG#2024-01-15#2", "LOG#2024-01-15#3"]);
    assert!(shards.contains(&partition.1));

    let set = entry.index_attributes().unwrap().set;
    assert_eq!(set[1].1, "2024-01-15#1#4007ffffffffffff");
    let range = EntrySortKey::range_at(Instant::EPOCH..at).unwrap();
    assert!(!range.contains("2024-01-15T10:30:00.000Z#d7#warn"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_order_reads_back(customer in ".{0,12}", order in ".{0,12}", tenant in ".{0,6}", total in 0u32..100_000_000) {
        let entity = Order { tenant_code: tenant, customer_id: customer, order_id: order, total, ..Order::example() };
        let PrimaryKey { partition, sort } = entity.primary_key().unwrap();
        let partition = OrderPartitionKey::parse(&partition.1).unwrap();
        prop_assert_eq!(partition.customer_id, entity.customer_id);
        prop_assert_eq!(partition.tenant_code, entity.tenant_code);
        let sort = OrderSortKey::parse(&sort.unwrap().1).unwrap();
        prop_assert_eq!((sort.total, sort.order_id), (entity.total, entity.order_id));
    }
}

/// A local index: the partition key of the table, and a sort key of its own.
#[derive(Entity, Clone)]
#[entity(
    pk = "CUSTOMER#<customer>",
    sk = "ORDER#<order>",
    index(LSI1, pk = "CUSTOMER#<customer>", pk_name = "pk", sk = "<total:pad6>#<order>", sparse)
)]
struct OrderWithTotal {
    customer: String,
    order: String,
    total: Option<u32>,
}

#[test]
fn a_local_index_never_sets_or_removes_the_partition_key() {
    let priced = OrderWithTotal { customer: "c1".into(), order: "o1".into(), total: Some(7) };
    let open = OrderWithTotal { total: None, ..priced.clone() };
    assert_eq!(priced.index_changes(&open).unwrap().set, [("LSI1SK", "000007#o1".to_owned())]);
    assert_eq!(open.index_changes(&priced).unwrap().remove, ["LSI1SK"]);
}
