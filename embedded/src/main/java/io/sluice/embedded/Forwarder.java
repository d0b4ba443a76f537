package io.sluice.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * TCP proxy in front of a Redis server, with a fixed address on the loopback interface. Tests can
 * change the proxy's target, add latency, and lose a request or an answer.
 */
public final class Forwarder implements AutoCloseable {
  private static final long SPIN_NANOS = 120_000;

  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean losesRequest = new AtomicBoolean();
  private final AtomicBoolean losesAnswer = new AtomicBoolean();
  private volatile int port;
  private volatile long latencyNanos;

  public Forwarder(int port) {
    this.port = port;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run("accept", this::accept);
  }

  public String uri() {
    return "redis://" + LocalPort.LOOPBACK + ":" + listening.getLocalPort();
  }

  /** Forwards new connections to another port; open connections stay at the earlier port. */
  public void leadTo(int elsewhere) {
    port = elsewhere;
  }

  /** Sets the latency, in nanoseconds, that the proxy adds to every round trip. */
  public void addLatency(long nanos) {
    latencyNanos = nanos;
  }

  /** Drops the next request, and all later requests on the same connection, which stays open. */
  public void loseNextRequest() {
    losesRequest.set(true);
  }

  /**
   * Drops the answer to the next script call, and all later answers on the same connection, which
   * stays open.
   */
  public void loseNextAnswer() {
    losesAnswer.set(true);
  }

  public boolean hasLostAnswer() {
    return !losesAnswer.get();
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void run(String name, Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // The client or the server has closed the connection.
              }
            },
            "forwarder-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listening.accept();
      sockets.add(client);
      run("connect", () -> connect(client));
    }
  }

  private void connect(Socket client) throws IOException {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
      sockets.add(server);
      Link link = new Link(client, server);
      run("answers", link::answers);
      link.requests();
    } finally {
      client.close();
    }
  }

  /**
   * Connection between a client and the server through the proxy, with at most one request in
   * progress.
   */
  private final class Link {
    private final Socket client;
    private final Socket server;
    private volatile boolean idle = true;
    private volatile boolean silent;

    Link(Socket client, Socket server) throws IOException {
      this.client = client;
      this.server = server;
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    }

    void requests() throws IOException {
      byte[] buffer = new byte[1 << 16];
      boolean lost = false;
      try (server) {
        for (int n; (n = client.getInputStream().read(buffer)) >= 0; ) {
          if (idle) delay(System.nanoTime() + latencyNanos);
          idle = false;
          boolean script =
              new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains("EVALSHA");
          if (script && losesAnswer.compareAndSet(true, false)) silent = true;
          lost |= losesRequest.compareAndSet(true, false);
          if (!lost) server.getOutputStream().write(buffer, 0, n);
        }
      }
    }

    void answers() throws IOException {
      byte[] buffer = new byte[1 << 16];
      try (client) {
        for (int n; (n = server.getInputStream().read(buffer)) >= 0; ) {
          if (silent) continue;
          idle = true;
          client.getOutputStream().write(buffer, 0, n);
        }
      }
    }

    /**
     * Waits until this nano time: parks for most of the time, and spins for the rest, because
     * parking alone is not precise enough, and spinning takes processor time from other threads.
     */
    private static void delay(long untilNanos) {
      long left;
      while ((left = untilNanos - System.nanoTime()) > 0) {
        if (left > SPIN_NANOS) LockSupport.parkNanos(left - SPIN_NANOS);
        else Thread.onSpinWait();
      }
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket socket : sockets) socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
