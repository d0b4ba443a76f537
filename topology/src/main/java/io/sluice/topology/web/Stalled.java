package io.sluice.topology.web;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The cutting off of clients that send or read so slowly that they only take up a connection: one
 * that has completed no request between two looks at it. Nobody is measured by bytes, since a byte
 * now and then costs nothing. Listeners to events are left alone: nothing waits for them.
 */
final class Stalled extends AbstractLifeCycle implements Connection.Listener {
  private final Scheduler scheduler;
  private final long patienceMs;
  private final Map<Connection, Long> completed = new ConcurrentHashMap<>();
  private volatile Scheduler.Task next = () -> false;

  Stalled(Scheduler scheduler, long patienceMs) {
    this.scheduler = scheduler;
    this.patienceMs = patienceMs;
  }

  @Override
  protected void doStart() {
    next = scheduler.schedule(this::look, patienceMs, TimeUnit.MILLISECONDS);
  }

  @Override
  protected void doStop() {
    next.cancel();
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof ConnectionMetaData) completed.put(connection, -1L);
  }

  @Override
  public void onClosed(Connection connection) {
    completed.remove(connection);
  }

  /** This one listens to events. */
  void leave(Connection connection) {
    completed.remove(connection);
  }

  private void look() {
    completed.forEach(
        (connection, before) -> {
          long now = connection.getMessagesOut();
          if (now == before) connection.getEndPoint().close();
          else completed.replace(connection, before, now);
        });
    if (isRunning()) doStart();
  }
}
