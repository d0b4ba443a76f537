package io.sluice.limiter.redis;

import java.util.List;
import java.util.Optional;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/** Calls to one node, in one round trip. */
final class NodePipeline implements AutoCloseable {
  final HostAndPort node;
  final List<ClusterCall> calls;
  private final Connection connection;
  private boolean isRead;
  private boolean closed;

  private NodePipeline(HostAndPort node, Connection connection, List<ClusterCall> calls) {
    this.node = node;
    this.connection = connection;
    this.calls = calls;
  }

  /** Sends all, and waits for nothing. */
  static NodePipeline send(
      RedisScript script, HostAndPort node, Connection connection, List<ClusterCall> calls) {
    NodePipeline pipeline = new NodePipeline(node, connection, calls);
    boolean sent = false;
    try {
      sendAll(script, connection, calls);
      sent = true;
      return pipeline;
    } finally {
      if (!sent) pipeline.close();
    }
  }

  private static void sendAll(RedisScript script, Connection connection, List<ClusterCall> calls) {
    boolean told = false;
    for (ClusterCall call : calls) {
      if (call.isAsking()) connection.sendCommand(Command.ASKING);
      // The text once is enough: the others come after it.
      boolean tell = call.isScriptUnknown() && !told;
      connection.sendCommand(
          tell ? script.byText(call.scriptCall) : script.byName(call.scriptCall));
      told |= tell;
    }
    connection.getMany(0); // flushes
  }

  /**
   * Waits for the answers and gives the calls theirs. Calls end with an error that there is nothing
   * to be done about.
   *
   * @return the first such error
   */
  Optional<JedisDataException> receive() {
    Optional<JedisDataException> hopeless = Optional.empty();
    try (this) {
      for (ClusterCall call : calls) {
        if (call.isAsking()) connection.getMany(1);
        Object answer = connection.getMany(1).get(0);
        if (answer instanceof JedisDataException error) {
          if (call.refused(error)) continue;
          call.failed(Failures.unavailable(node, error));
          if (hopeless.isEmpty()) hopeless = Optional.of(error);
        } else {
          call.answered((List<?>) answer);
        }
      }
      isRead = true;
    }
    return hopeless;
  }

  /** Gives the connection back, unless answers may still come on it that nobody waits for. */
  @Override
  public void close() {
    if (closed) return;
    closed = true; // a second time would close what is somebody else's by now
    if (!isRead) connection.setBroken();
    connection.close();
  }
}
