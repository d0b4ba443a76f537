package io.sluice.limiter.redis;

import java.util.List;
import java.util.Optional;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/** Errands to one node, in one round trip. */
final class NodeTrip {
  final HostAndPort node;
  final List<Errand> errands;
  private final Connection connection;

  private NodeTrip(HostAndPort node, Connection connection, List<Errand> errands) {
    this.node = node;
    this.connection = connection;
    this.errands = errands;
  }

  /** Sends all, and waits for nothing. */
  static NodeTrip depart(
      RedisScript script, HostAndPort node, Connection connection, List<Errand> errands) {
    try {
      sendAll(script, connection, errands);
      return new NodeTrip(node, connection, errands);
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static void sendAll(RedisScript script, Connection connection, List<Errand> errands) {
    boolean told = false;
    for (Errand errand : errands) {
      if (errand.isAsking()) connection.sendCommand(Command.ASKING);
      // The text once is enough: the others come after it.
      boolean tell = errand.isScriptUnknown() && !told;
      connection.sendCommand(tell ? script.byText(errand.call) : script.byName(errand.call));
      told |= tell;
    }
    connection.getMany(0); // flushes
  }

  /**
   * Waits for the answers and gives the errands theirs.
   *
   * @return the first error that there is nothing to be done about
   */
  Optional<JedisDataException> arrive() {
    Optional<JedisDataException> hopeless = Optional.empty();
    try (connection) {
      for (Errand errand : errands) {
        if (errand.isAsking()) connection.getMany(1);
        Object answer = connection.getMany(1).get(0);
        if (answer instanceof JedisDataException error) {
          if (!errand.refused(error) && hopeless.isEmpty()) hopeless = Optional.of(error);
        } else {
          errand.answered((List<?>) answer);
        }
      }
    }
    return hopeless;
  }
}
