package io.sluice.limiter.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;

/** An address behind which servers change places, as a floating address or a proxy does. */
final class Forwarder implements AutoCloseable {
  private final ServerSocket entrance;
  private final AtomicBoolean swallows = new AtomicBoolean();
  private volatile int target;

  Forwarder(int target) {
    this.target = target;
    try {
      entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  int port() {
    return entrance.getLocalPort();
  }

  /** New connections go there; those that exist stay. */
  void switchTo(int port) {
    target = port;
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        Socket client = entrance.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        daemon(() -> copyUnlessLost(client, server));
        daemon(() -> copy(server, client));
      } catch (IOException e) {
        continue; // closed, or nobody is at home
      }
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      return; // either side has closed
    }
  }

  /** The next request gets lost, and all that follow on its connection. */
  void swallow() {
    swallows.set(true);
  }

  private void copyUnlessLost(Socket from, Socket to) {
    byte[] buffer = new byte[1 << 16];
    boolean lost = false;
    try (from;
        to) {
      for (int n; (n = from.getInputStream().read(buffer)) >= 0; ) {
        lost |= swallows.compareAndSet(true, false);
        if (!lost) to.getOutputStream().write(buffer, 0, n);
      }
    } catch (IOException e) {
      return; // either side has closed
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "forwarder");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      entrance.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
