package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/** Client that asks Sentinels for the address of the master. */
final class Sentinels {
  private final RedisAddress.Sentinels address;
  private final JedisClientConfig config;
  private volatile int preferred;

  Sentinels(RedisAddress.Sentinels address, JedisConfig jedis) {
    this.address = address;
    config = jedis.client(address.sentinelCredentials());
  }

  /**
   * Returns the master that the first answering Sentinel names. The Sentinel that answered last is
   * asked first.
   *
   * @throws JedisException if no Sentinel names a master
   */
  HostAndPort master() {
    List<HostAndPort> sentinels = address.sentinels();
    JedisException last = null;
    for (int i = 0; i < sentinels.size(); i++) {
      int next = (preferred + i) % sentinels.size();
      try {
        HostAndPort master = masterBy(sentinels.get(next));
        preferred = next;
        return master;
      } catch (JedisException e) {
        last = e;
      }
    }
    throw new JedisException("no Sentinel answered with the master " + address.master(), last);
  }

  private HostAndPort masterBy(HostAndPort sentinel) {
    CommandArguments question =
        new CommandArguments(Command.SENTINEL).add("GET-MASTER-ADDR-BY-NAME").add(address.master());
    try (Connection connection = new Connection(sentinel, config)) {
      if (connection.executeCommand(question) instanceof List<?> answer) {
        return new HostAndPort(text(answer.get(0)), Integer.parseInt(text(answer.get(1))));
      }
      throw new JedisException(sentinel + " knows no master " + address.master());
    }
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, UTF_8);
  }
}
