package io.sluice.cli.common;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The things that a command has started. They are closed in reverse order: at its end, or when the
 * process is stopped.
 */
public final class Running implements AutoCloseable {
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private boolean closed;

  public synchronized <T extends AutoCloseable> T add(T resource) {
    started.push(resource);
    return resource;
  }

  /**
   * On SIGTERM and Ctrl-C, closes everything and ends the process with 0: to be told to end is no
   * failure.
   */
  public void closeOnExit() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::closeAndHalt, "sluice-exit"));
  }

  private void closeAndHalt() {
    if (isClosed()) return; // the command came to its own end, and has its own exit code
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
        System.err.println("closing failed: " + e);
      }
    }
  }
}
