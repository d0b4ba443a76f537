package io.sluice.embedded;

/** A server did not start because of its port: with another port it might. */
final class PortTakenException extends EmbeddedStartException {
  private static final long serialVersionUID = 1L;

  PortTakenException(String server, int port, String why) {
    super("%s could not listen on %s:%d: %s".formatted(server, LocalPort.LOOPBACK, port, why));
  }

  PortTakenException(String server, int port, String why, Throwable cause) {
    this(server, port, why);
    initCause(cause);
  }
}
