//! `create-table`: JSON input for the AWS CLI, one file per call, and the calls.

use serde_json::json;

use super::infrastructure::{attribute_definitions, global_secondary_indexes, key_schema, pretty};
use super::markdown::fenced;
use super::{Options, Target};
use crate::{File, Plan, header};

/// JSON for the AWS CLI.
pub(super) static CREATE_TABLE: Target = Target {
    name: "create-table",
    summary: "JSON for `aws dynamodb create-table` and the calls after it",
    files,
};

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let mut files = Vec::new();
    let mut commands = Vec::new();
    let mut call = |table: &str, command: &str, body: serde_json::Value| {
        let path = format!("{table}.{command}.json");
        commands.push(format!("aws dynamodb {command} --cli-input-json file://{path}"));
        if command == "create-table" {
            commands.push(format!("aws dynamodb wait table-exists --table-name {table}"));
        }
        files.push(File::new(path, pretty(&body)));
    };
    for table in &plan.design.tables {
        let mut body = json!({
            "TableName": table.name,
            "AttributeDefinitions": attribute_definitions(plan.design, table),
            "KeySchema": key_schema([&table.partition], &table.sort),
            "BillingMode": "PAY_PER_REQUEST",
            "StreamSpecification": { "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" },
            "DeletionProtectionEnabled": true,
        });
        if let Some(indexes) = global_secondary_indexes(plan.design, table) {
            body["GlobalSecondaryIndexes"] = indexes;
        }
        call(&table.name, "create-table", body);
        call(
            &table.name,
            "update-continuous-backups",
            json!({
                "TableName": table.name,
                "PointInTimeRecoverySpecification": { "PointInTimeRecoveryEnabled": true },
            }),
        );
        if let Some(attribute) = &table.ttl {
            call(
                &table.name,
                "update-time-to-live",
                json!({
                    "TableName": table.name,
                    "TimeToLiveSpecification": { "AttributeName": attribute, "Enabled": true },
                }),
            );
        }
    }
    let readme = format!(
        "{}\n# Create the tables with the AWS CLI\n\nThe API sets point-in-time recovery and time to live in calls of \
         their own, after the table is there.\n\n{}",
        header::markdown(plan),
        fenced("sh", &commands.join("\n"))
    );
    files.push(File::new("README.md", readme));
    files
}
