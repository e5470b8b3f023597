//! One signed request over the wire, and what became of it.

use std::error::Error;
use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_smithy_http_client::{Builder, Connector};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorSettings, SharedHttpClient};
use aws_smithy_runtime_api::client::identity::Identity as SigningIdentity;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;

use super::address::Address;
use super::identity::Identity;
use super::retry::Patience;

const CONTENT_TYPE: &str = "application/x-amz-json-1.0";
const SERVICE: &str = "dynamodb";

/// Sends requests over connections that it keeps.
pub(super) struct Transport {
    connector: Connector,
}

/// An answer, whatever it says.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct Lost {
    /// Whether the request can have reached the engine.
    pub(super) sent: bool,
    pub(super) reason: String,
}

impl Lost {
    /// No answer in time.
    pub(super) fn timed_out(after: Duration) -> Self {
        Lost { sent: true, reason: format!("no answer within {} ms", after.as_millis()) }
    }

    fn before_sending(error: &(dyn Error + 'static)) -> Self {
        Lost { sent: false, reason: explain(error) }
    }

    fn after_sending(error: &(dyn Error + 'static)) -> Self {
        Lost { sent: true, reason: explain(error) }
    }
}

impl Transport {
    pub(super) fn new(patience: &Patience) -> Self {
        let settings = HttpConnectorSettings::builder().connect_timeout(patience.connect).build();
        let connector = Connector::builder()
            .connector_settings(settings)
            .sleep_impl(TokioSleep::new())
            .tls_provider(tls())
            .build();
        Transport { connector }
    }

    /// Sends an operation once.
    pub(super) async fn send(
        &self,
        address: &Address,
        identity: &Identity,
        operation: &str,
        body: &[u8],
    ) -> Result<Answer, Lost> {
        let request =
            signed(address, identity, operation, body).map_err(|error| Lost::before_sending(&*error))?;
        let response = self.connector.call(request).await.map_err(|error| {
            if is_connecting(&error) { Lost::before_sending(&error) } else { Lost::after_sending(&error) }
        })?;
        let status = response.status().as_u16();
        let body = ByteStream::new(response.into_body()).collect().await;
        let body = body.map_err(|error| Lost::after_sending(&error))?;
        Ok(Answer { status, body: body.to_vec() })
    }
}

/// HTTPS for the providers of credentials.
pub(super) fn https_client() -> SharedHttpClient {
    Builder::new().tls_provider(tls()).build_https()
}

fn tls() -> Provider {
    Provider::Rustls(CryptoMode::Ring)
}

fn signed(
    address: &Address,
    identity: &Identity,
    operation: &str,
    body: &[u8],
) -> Result<HttpRequest, Box<dyn Error + Send + Sync>> {
    let url = format!("{}/", address.url);
    let target = format!("{}.{operation}", api(operation));
    let headers = [("content-type", CONTENT_TYPE), ("x-amz-target", target.as_str())];
    let signer: SigningIdentity = Credentials::clone(&identity.credentials).into();
    let parameters = v4::SigningParams::builder()
        .identity(&signer)
        .region(&identity.region)
        .name(SERVICE)
        .time(SystemTime::now())
        .settings(SigningSettings::default())
        .build()?
        .into();
    let signable = SignableRequest::new("POST", &url, headers.into_iter(), SignableBody::Bytes(body))?;
    let (instructions, _) = sign(signable, &parameters)?.into_parts();
    let mut request = http::Request::post(&url).body(SdkBody::from(body.to_vec()))?;
    for (name, value) in headers {
        request.headers_mut().insert(name, value.parse()?);
    }
    instructions.apply_to_request_http1x(&mut request);
    Ok(HttpRequest::try_from(request)?)
}

/// Streams have an interface of their own.
fn api(operation: &str) -> &'static str {
    match operation {
        "ListStreams" | "DescribeStream" | "GetShardIterator" | "GetRecords" => "DynamoDBStreams_20120810",
        _ => "DynamoDB_20120810",
    }
}

/// Whether the connection never came to be: no such host, nobody listens, no agreement on TLS.
fn is_connecting(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(|cause| {
        cause.downcast_ref::<hyper_util::client::legacy::Error>().is_some_and(|client| client.is_connect())
    })
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// The causes behind an error that only says "dispatch failure", without repetitions.
fn explain(error: &(dyn Error + 'static)) -> String {
    let mut texts: Vec<String> = Vec::new();
    for cause in causes(error) {
        let text = cause.to_string();
        if !texts.iter().any(|said| said.contains(&text)) {
            texts.push(text);
        }
    }
    texts.join(": ")
}
