//! Serving one client over standard input and output.

use std::{
    io::{self, BufRead},
    pin::Pin,
    thread,
};

use rmcp::{
    RoleServer,
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    service::{QuitReason, ServerInitializeError, serve_server_with_ct},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt, Empty},
    runtime::Handle,
};
use tokio_util::sync::CancellationToken;

use super::{
    ServeError,
    handler::into_handler,
    lines::{Line, Lines},
    shutdown,
};
use crate::Toolset;

/// How much of standard input is read ahead.
const READ_AHEAD: usize = 64 * 1024;

/// Serves a toolset over standard input and output until the client closes it, or SIGINT or SIGTERM.
///
/// Standard output belongs to the protocol: log to standard error. Calls under way at the end are given a moment to
/// finish: five seconds after the end of input, two after a signal, when they are also told to stop.
///
/// # Errors
///
/// When the signal handlers or the transport cannot be set up. A client that goes away is the ordinary end.
///
/// # Examples
///
/// ```no_run
/// # use mcp_codegen_runtime::{ServeError, Toolset, serve_stdio};
/// # async fn example(server: impl Toolset) -> Result<(), ServeError> {
/// serve_stdio(server).await
/// # }
/// ```
pub async fn serve_stdio<T: Toolset>(toolset: T) -> Result<(), ServeError> {
    let stop = shutdown::on_signal()?;
    serve_pair(toolset, stdin()?, tokio::io::stdout(), stop).await
}

/// Serves a toolset to the one client behind a reader and a writer of newline-delimited JSON-RPC messages.
///
/// For sockets, child processes and tests; [`serve_stdio`] is this on the standard streams.
///
/// # Errors
///
/// As for [`serve_stdio`].
pub async fn serve_io<T, R, W>(toolset: T, reader: R, writer: W) -> Result<(), ServeError>
where
    T: Toolset,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    serve_pair(toolset, reader, writer, CancellationToken::new()).await
}

async fn serve_pair<T, R, W>(
    toolset: T,
    reader: R,
    writer: W,
    stop: CancellationToken,
) -> Result<(), ServeError>
where
    T: Toolset,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let handler = into_handler(toolset);
    let transport = Patient {
        input: Lines::new(reader),
        output: AsyncRwTransport::new_server(tokio::io::empty(), writer),
        answering: None,
        opened: false,
        deaf: handler.deaf().clone(),
    };
    let running = match serve_server_with_ct(handler, transport, stop).await {
        Ok(running) => running,
        // A client that leaves, or a signal that comes, before anything was said.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            return Ok(());
        }
        Err(error) => return Err(ServeError::Handshake(error.to_string())),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::Io(error.into())),
        Ok(_) => Ok(()),
    }
}

/// A transport that answers lines that are no messages, and skips what is no request until the first request.
///
/// rmcp ends the connection over a stray notification or response before `initialize`. Some clients send one, such as a
/// late `notifications/cancelled` to a server they restarted, and a server that dies of it is of no use to them.
///
/// It also tells the handler when the input has ended.
struct Patient<R, W: AsyncWrite> {
    input: Lines<R>,
    /// Only its sending half.
    output: AsyncRwTransport<RoleServer, Empty, W>,
    /// An answer to a line that was no message. rmcp drops the future of `receive` at any time, and this must outlive it.
    answering: Option<Answer>,
    opened: bool,
    deaf: CancellationToken,
}

type Answer = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

impl<R, W> Transport<RoleServer> for Patient<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.output.send(message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(answer) = &mut self.answering {
                let sent = answer.await;
                self.answering = None;
                if let Err(error) = sent {
                    tracing::debug!(%error, "the client reads no more");
                }
            }
            let message = match self.input.next().await {
                Some(Line::Message(message)) => *message,
                Some(Line::Wrong(answer)) => {
                    let answer = self.output.send(ServerJsonRpcMessage::Error(*answer));
                    self.answering = Some(Box::pin(answer));
                    continue;
                }
                None => {
                    self.deaf.cancel();
                    return None;
                }
            };
            self.opened |= matches!(message, ClientJsonRpcMessage::Request(_));
            if self.opened {
                return Some(message);
            }
            tracing::debug!("ignoring a message before the first request");
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.output.close().await
    }
}

/// Standard input, read on a thread of its own.
///
/// tokio's own `stdin` parks a read in the runtime's pool, and the runtime waits for it when it shuts down: after a signal
/// the process would hang until the client closes the pipe. Nothing waits for this thread.
fn stdin() -> io::Result<impl AsyncRead + Send + Unpin> {
    let (reader, mut writer) = tokio::io::duplex(READ_AHEAD);
    let runtime = Handle::current();
    thread::Builder::new()
        .name("mcp-stdin".to_owned())
        .spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let taken = match input.fill_buf() {
                    Ok([]) => break,
                    Ok(bytes) => match runtime.block_on(writer.write_all(bytes)) {
                        Ok(()) => bytes.len(),
                        // The server ended and nobody reads any more.
                        Err(_) => break,
                    },
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
                    Err(error) => {
                        tracing::error!(%error, "cannot read standard input");
                        break;
                    }
                };
                input.consume(taken);
            }
            // Dropping the writer is what the reader sees as the end of input.
        })?;
    Ok(reader)
}
