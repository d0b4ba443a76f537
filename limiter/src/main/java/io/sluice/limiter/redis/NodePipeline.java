package io.sluice.limiter.redis;

import java.util.List;
import java.util.Optional;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/** Script calls to one node of a Redis Cluster, in one round trip. */
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

  /** Sends all script calls to the node, without waiting for its answers. */
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
      // The script's text is sent once; later calls of the pipeline name the script by its hash.
      boolean tell = call.isScriptUnknown() && !told;
      connection.sendCommand(
          tell ? script.byText(call.scriptCall) : script.byName(call.scriptCall));
      told |= tell;
    }
    connection.getMany(0); // reads no answer, but flushes the requests
  }

  /**
   * Waits for the node's answers, and passes them to their calls. A call fails if its error reply
   * cannot be handled.
   *
   * @return the first error reply that cannot be handled
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

  /**
   * Returns the connection to its pool, or discards the connection if it may have unread answers.
   */
  @Override
  public void close() {
    if (closed) return;
    closed = true; // a second close could close the connection of another thread
    if (!isRead) connection.setBroken();
    connection.close();
  }
}
