package io.sluice.server.web;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.IdleTimeout;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes idle connections, so that health probes can always connect: a connection that has
 * completed no request between two checks, and, when too many connections are open, the one that
 * has been idle longest. Bytes are not counted, since a client can send one now and then at no
 * cost. Connections of event streams are exempt: their number has its own bound, and they are
 * written without waiting.
 */
final class ConnectionGuard extends AbstractLifeCycle implements Connection.Listener {
  private final Scheduler scheduler;
  private final long patienceMs;
  private final int maxOpen;
  private final Map<Connection, Long> completed = new ConcurrentHashMap<>();
  private volatile Scheduler.Task next = () -> false;

  /**
   * Creates a guard.
   *
   * @param patienceMs time between two checks, in milliseconds
   * @param maxOpen number of open connections, without event streams, above which one is closed for
   *     each new one
   */
  ConnectionGuard(Scheduler scheduler, long patienceMs, int maxOpen) {
    this.scheduler = scheduler;
    this.patienceMs = patienceMs;
    this.maxOpen = maxOpen;
  }

  @Override
  protected void doStart() {
    next = scheduler.schedule(this::check, patienceMs, TimeUnit.MILLISECONDS);
  }

  @Override
  protected void doStop() {
    next.cancel();
  }

  @Override
  public void onOpened(Connection connection) {
    if (!(connection instanceof ConnectionMetaData)) return;
    completed.put(connection, -1L);
    if (completed.size() > maxOpen) closeLongestIdle(connection);
  }

  private void closeLongestIdle(Connection opened) {
    completed.keySet().stream()
        .filter(each -> each != opened)
        .max(Comparator.comparingLong(ConnectionGuard::idleMs))
        .ifPresent(
            idle -> {
              completed.remove(idle);
              idle.getEndPoint().close();
            });
  }

  private static long idleMs(Connection connection) {
    return connection.getEndPoint() instanceof IdleTimeout endPoint ? endPoint.getIdleFor() : 0;
  }

  @Override
  public void onClosed(Connection connection) {
    completed.remove(connection);
  }

  /** Exempts the connection of an event stream from being closed when it is idle. */
  void exempt(Connection connection) {
    completed.remove(connection);
  }

  private void check() {
    completed.forEach(
        (connection, before) -> {
          long now = connection.getMessagesOut();
          if (now == before) connection.getEndPoint().close();
          else completed.replace(connection, before, now);
        });
    if (isRunning()) doStart();
  }
}
