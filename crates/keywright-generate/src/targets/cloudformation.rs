//! `cloudformation`: a template with the tables, which are kept when their stack is deleted.

use serde_json::{Map, Value, json};

use super::infrastructure::{
    attribute_definitions, global_secondary_indexes, key_schema, pretty, resource_name,
};
use super::{Options, Target};
use crate::{File, Plan, header};

/// CloudFormation.
pub(super) static CLOUDFORMATION: Target =
    Target { name: "cloudformation", summary: "template.json: the tables as CloudFormation", files };

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let mut resources = Map::new();
    let mut outputs = Map::new();
    for table in &plan.design.tables {
        let id = resource_name(table).pascal();
        let mut properties = json!({
            "TableName": table.name,
            "AttributeDefinitions": attribute_definitions(plan.design, table),
            "KeySchema": key_schema([&table.partition], &table.sort),
            "BillingMode": "PAY_PER_REQUEST",
            "PointInTimeRecoverySpecification": { "PointInTimeRecoveryEnabled": true },
            "StreamSpecification": { "StreamViewType": "NEW_AND_OLD_IMAGES" },
            "DeletionProtectionEnabled": true,
        });
        if let Some(indexes) = global_secondary_indexes(plan.design, table) {
            properties["GlobalSecondaryIndexes"] = indexes;
        }
        if let Some(attribute) = &table.ttl {
            properties["TimeToLiveSpecification"] = json!({ "AttributeName": attribute, "Enabled": true });
        }
        resources.insert(
            id.clone(),
            json!({
                "Type": "AWS::DynamoDB::Table",
                "DeletionPolicy": "Retain",
                "UpdateReplacePolicy": "Retain",
                "Properties": properties,
            }),
        );
        outputs.insert(format!("{id}Name"), json!({ "Value": { "Ref": id } }));
        outputs.insert(format!("{id}Arn"), json!({ "Value": { "Fn::GetAtt": [id, "Arn"] } }));
        outputs.insert(format!("{id}StreamArn"), json!({ "Value": { "Fn::GetAtt": [id, "StreamArn"] } }));
    }
    let template = json!({
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": header::sentences(plan).join(" "),
        "Resources": Value::Object(resources),
        "Outputs": Value::Object(outputs),
    });
    vec![File::new("template.json", pretty(&template))]
}
