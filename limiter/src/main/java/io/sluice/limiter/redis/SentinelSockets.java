package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.Socket;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** Connects to the server that is the master when the connection is opened. */
final class SentinelSockets implements JedisSocketFactory {
  /*
   * What Redis asks of a client of Sentinels: ask the first that answers, and ask again whenever a
   * connection is lost. Sentinels close the connections of a master they demote, so nobody stays
   * with it for longer than they cannot reach it. No subscription, and so no thread, is needed.
   */
  private final RedisAddress.Sentinels address;
  private final JedisClientConfig sentinelConfig;
  private final JedisClientConfig config;
  private volatile int preferred;

  SentinelSockets(RedisAddress.Sentinels address, RedisSettings settings) {
    this.address = address;
    sentinelConfig = Dialing.client(address.sentinelLogin(), settings);
    config = Dialing.client(address.login(), settings);
  }

  @Override
  public Socket createSocket() {
    return new DefaultJedisSocketFactory(master(), config).createSocket();
  }

  private HostAndPort master() {
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
    throw new JedisConnectionException("no sentinel names a master", last);
  }

  private HostAndPort masterBy(HostAndPort sentinel) {
    CommandArguments question =
        new CommandArguments(Command.SENTINEL).add("GET-MASTER-ADDR-BY-NAME").add(address.master());
    try (Connection connection = new Connection(sentinel, sentinelConfig)) {
      if (connection.executeCommand(question) instanceof List<?> answer) {
        return new HostAndPort(text(answer.get(0)), Integer.parseInt(text(answer.get(1))));
      }
      throw new JedisConnectionException(sentinel + " knows no master " + address.master());
    }
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, UTF_8);
  }
}
