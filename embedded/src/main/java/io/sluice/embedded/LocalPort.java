package io.sluice.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/** Ports of the loopback address, the only one that servers of this package listen on. */
final class LocalPort {
  /*
   * A port that is chosen, given back and then listened on by somebody else's code can be lost in
   * between. Ports handed out by the system for outgoing connections begin at 32768 on Linux and at
   * 49152 elsewhere, so ports below are lost only to another chooser. The upper end leaves room for
   * the port of a Redis Cluster's own bus, which is always 10000 above.
   */
  private static final int LOWEST_CHOSEN = 12_000;
  private static final int HIGHEST_CHOSEN = 22_000;
  private static final int ATTEMPTS = 20;

  static final String LOOPBACK = "127.0.0.1";
  private static final byte[] LOOPBACK_BYTES = {127, 0, 0, 1};

  private LocalPort() {}

  static InetSocketAddress address(int port) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(LOOPBACK_BYTES), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  /**
   * Starts a server on the given port, or on chosen ones until one is free if it is 0.
   *
   * @throws PortTakenException if the given port is in use, or if every chosen one was
   */
  static <T> T startOn(int port, IntFunction<T> start) {
    if (port != 0) return start.apply(port);
    for (int attempt = 1; ; attempt++) {
      try {
        return start.apply(choose());
      } catch (PortTakenException e) {
        if (attempt == ATTEMPTS) throw e;
      }
    }
  }

  private static int choose() {
    return ThreadLocalRandom.current().nextInt(LOWEST_CHOSEN, HIGHEST_CHOSEN);
  }

  /** Finds out by listening on all of them at once, which is over when this returns. */
  static void requireFree(String server, int... ports) {
    if (ports.length == 0) return;
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(address(ports[0]));
      requireFree(server, Arrays.copyOfRange(ports, 1, ports.length));
    } catch (IOException e) {
      throw new PortTakenException(server, ports[0], EmbeddedStartException.innermost(e), e);
    }
  }
}
