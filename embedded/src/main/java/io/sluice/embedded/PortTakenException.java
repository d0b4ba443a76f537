package io.sluice.embedded;

/**
 * Thrown if a server did not start because its port is in use; the start may succeed on another
 * port.
 */
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
