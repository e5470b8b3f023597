//! Who signs, and for which region: asked of AWS's own provider chain, and kept until it expires.

use std::time::{Duration, SystemTime};

use aws_config::BehaviorVersion;
use aws_config::environment::credentials::EnvironmentVariableCredentialsProvider;
use aws_config::environment::region::EnvironmentVariableRegionProvider;
use aws_config::meta::region::RegionProviderChain;
use aws_config::profile::{ProfileFileCredentialsProvider, ProfileFileRegionProvider};
use aws_config::provider_config::ProviderConfig;
use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use tokio::sync::Mutex;

use super::address::Address;
use super::transport::https_client;
use crate::engine::EngineError;

/// Credentials that end within this are renewed.
const BEFORE_EXPIRY: Duration = Duration::from_secs(300);
/// The region that a foreign engine is told when nobody says another; it only has to be one.
const ANY_REGION: &str = "us-east-1";

/// What a request is signed with.
#[derive(Clone)]
pub(super) struct Identity {
    pub(super) credentials: Credentials,
    pub(super) region: String,
}

/// Finds the identity when it is first needed, and again before it expires.
pub(super) struct Identities {
    aws_region: Option<String>,
    known: Mutex<Option<Identity>>,
}

impl Identities {
    pub(super) fn new(address: &Address) -> Self {
        Identities { aws_region: address.aws_region.clone(), known: Mutex::new(None) }
    }

    pub(super) async fn current(&self) -> Result<Identity, EngineError> {
        let mut known = self.known.lock().await;
        if let Some(identity) = known.as_ref().filter(|identity| is_fresh(&identity.credentials)) {
            return Ok(identity.clone());
        }
        let identity = match &self.aws_region {
            Some(region) => for_aws(region).await?,
            None => for_elsewhere().await?,
        };
        Ok(known.insert(identity).clone())
    }
}

fn is_fresh(credentials: &Credentials) -> bool {
    credentials.expiry().is_none_or(|expiry| expiry > SystemTime::now() + BEFORE_EXPIRY)
}

/// The whole default chain, with single sign-on, containers and instances. The host decides the region.
async fn for_aws(region: &str) -> Result<Identity, EngineError> {
    let config = aws_config::defaults(BehaviorVersion::latest())
        .region(aws_config::Region::new(region.to_owned()))
        .http_client(https_client())
        .load()
        .await;
    let provider = config
        .credentials_provider()
        .ok_or_else(|| EngineError::Credentials { reason: "AWS's provider chain offers none".into() })?;
    let credentials =
        ask(&provider).await.map_err(|error| EngineError::Credentials { reason: explain(&error) })?;
    Ok(Identity { credentials, region: region.to_owned() })
}

/// The environment and the shared files. Where neither has any, a placeholder: an engine that is not AWS's rarely looks.
async fn for_elsewhere() -> Result<Identity, EngineError> {
    let environment = SharedCredentialsProvider::new(EnvironmentVariableCredentialsProvider::new());
    // A profile may stand for a role or a single sign-on, which is asked for over HTTPS.
    let config = ProviderConfig::default().with_http_client(https_client());
    let profile = ProfileFileCredentialsProvider::builder().configure(&config).build();
    let profile = SharedCredentialsProvider::new(profile);
    let mut credentials = Credentials::new("keywright", "keywright", None, None, "placeholder");
    for provider in [environment, profile] {
        match ask(&provider).await {
            Ok(found) => {
                credentials = found;
                break;
            }
            Err(CredentialsError::CredentialsNotLoaded(_)) => {}
            Err(error) => return Err(EngineError::Credentials { reason: explain(&error) }),
        }
    }
    // Not the default chain: it would look for an instance's metadata over the network.
    let region = RegionProviderChain::first_try(EnvironmentVariableRegionProvider::new())
        .or_else(ProfileFileRegionProvider::builder().build())
        .region()
        .await;
    let region = region.map_or_else(|| ANY_REGION.to_owned(), |region| region.as_ref().to_owned());
    Ok(Identity { credentials, region })
}

async fn ask(provider: &SharedCredentialsProvider) -> Result<Credentials, CredentialsError> {
    provider.provide_credentials().await
}

/// The error and its causes, which is where the providers say what they looked at.
fn explain(error: &CredentialsError) -> String {
    let causes = std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
