package io.sluice.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/**
 * Finds free ports on the loopback address, which is the only address on which embedded servers
 * listen.
 */
final class LocalPort {
  /*
   * A free port can be taken between the check and the start of the server. The system assigns
   * ports of outgoing connections from 32768 on Linux and from 49152 elsewhere, so a lower port can
   * only be taken by another server. The highest chosen port leaves room for the bus port of a
   * Redis Cluster, which is 10000 higher.
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
   * Starts a server on the given port; if the port is 0, tries random ports until one is free.
   *
   * @throws PortTakenException if the given port, or every random port that was tried, is in use
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

  /**
   * Checks that ports are free and distinct: listens on all of them at once, and then stops
   * listening.
   *
   * @throws PortTakenException if a port is in use
   */
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
