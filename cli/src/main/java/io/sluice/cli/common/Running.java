package io.sluice.cli.common;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Resources that a command has started. They are closed in reverse order at the end of the command,
 * or when the process is stopped.
 */
public final class Running implements AutoCloseable {
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private boolean closed;

  public synchronized <T extends AutoCloseable> T add(T resource) {
    started.push(resource);
    return resource;
  }

  /**
   * Registers a shutdown hook, for SIGTERM and Ctrl-C, that closes all resources and exits with
   * code 0, since a requested stop is not a failure.
   */
  public void closeOnExit() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::closeAndHalt, "sluice-exit"));
  }

  private void closeAndHalt() {
    if (isClosed()) return; // the command has ended without a signal, and exits with its own code
    close();
    Runtime.getRuntime().halt(0);
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        System.err.println("cannot close a resource: " + e);
      }
    }
  }
}
