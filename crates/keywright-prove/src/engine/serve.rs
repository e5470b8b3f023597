//! The embedded engine over HTTP, on loopback, for other programs and their tests.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

use crate::engine::Embedded;
use crate::engine::embedded::STACK_BYTES;

/// Why the engine can't be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Somebody else listens there.
    #[error("port {port} is in use; choose another, or 0 for any that is free")]
    PortInUse {
        /// The port.
        port: u16,
    },
    /// The system does not give us the port.
    #[error("can't listen on port {port}: {source}")]
    Listen {
        /// The port.
        port: u16,
        /// What the system says.
        source: io::Error,
    },
    /// The server's threads can't start.
    #[error("can't start the server: {0}")]
    Start(#[source] io::Error),
    /// The server ended by itself.
    #[error("the server stopped: {0}")]
    Stopped(String),
}

/// A running server; it stops when this is dropped.
///
/// Its threads have the stacks that the engine's parser can ask for, so no request ends the process.
///
/// ```
/// use keywright_prove::engine::{Embedded, serve::Server};
/// let server = Server::start(&Embedded::in_memory()?, 0)?;
/// assert!(server.url().starts_with("http://127.0.0.1:"));
/// server.stop()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Result<(), String>>>,
}

impl Server {
    /// Serves the engine's tables on 127.0.0.1 at this port, or at any free one for port 0.
    pub fn start(engine: &Embedded, port: u16) -> Result<Self, ServeError> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|source| match source.kind() {
                io::ErrorKind::AddrInUse => ServeError::PortInUse { port },
                _ => ServeError::Listen { port, source },
            })?;
        let address = listener.local_addr().map_err(|source| ServeError::Listen { port, source })?;
        // The runtime takes over the listener, and asks for this.
        listener.set_nonblocking(true).map_err(|source| ServeError::Listen { port, source })?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .thread_name("engine server")
            .thread_stack_size(STACK_BYTES)
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(ServeError::Start)?;
        let (stop, stopped) = oneshot::channel();
        let database = engine.database();
        let thread = thread::Builder::new()
            .name("engine server".into())
            .spawn(move || {
                // Requests run on the runtime's own threads; this one only accepts connections.
                runtime.block_on(async move {
                    let listener =
                        tokio::net::TcpListener::from_std(listener).map_err(|error| error.to_string())?;
                    let until_stopped = async {
                        let _ = stopped.await;
                    };
                    dynoxide::server::serve_with_shutdown(listener, database, until_stopped).await
                })
            })
            .map_err(ServeError::Start)?;
        Ok(Server { address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops taking connections and waits for the requests that run.
    pub fn stop(mut self) -> Result<(), ServeError> {
        self.shut_down()
    }

    fn shut_down(&mut self) -> Result<(), ServeError> {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        match self.thread.take().map(JoinHandle::join) {
            None | Some(Ok(Ok(()))) => Ok(()),
            Some(Ok(Err(reason))) => Err(ServeError::Stopped(reason)),
            Some(Err(_)) => Err(ServeError::Stopped("its thread panicked".into())),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.shut_down();
    }
}
