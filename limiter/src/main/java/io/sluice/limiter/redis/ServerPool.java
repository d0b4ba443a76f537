package io.sluice.limiter.redis;

import io.sluice.limiter.redis.RedisUri.Credentials;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisException;

/** Connection pool of one Redis server. Thread-safe. */
final class ServerPool implements MasterPool {
  private final ConnectionPool pool;

  ServerPool(HostAndPort at, Credentials credentials, JedisConfig jedis) {
    JedisClientConfig client = jedis.client(credentials);
    JedisSocketFactory sockets = new DefaultJedisSocketFactory(at, client);
    Connection.Builder connection =
        new PatientConnection.Maker(at, credentials, jedis)
            .socketFactory(sockets)
            .clientConfig(client);
    ConnectionFactory connections =
        ConnectionFactory.builder()
            .socketFactory(sockets)
            .clientConfig(client)
            .connectionBuilder(connection)
            .build();
    pool = new ConnectionPool(connections, jedis.pool());
  }

  /**
   * Returns a connection, which the caller closes.
   *
   * @param deadline instant until which the connection may wait for answers of a busy server
   * @throws JedisException if no connection is free, and none can be opened
   */
  Connection connect(JedisConfig.Deadline deadline) {
    Connection connection = pool.getResource();
    if (connection instanceof PatientConnection patient) patient.waitsUntil(deadline);
    return connection;
  }

  @Override
  public ServerPool current() {
    return this;
  }

  /** Closes the idle connections of the pool, because a connection has failed. */
  @Override
  public void clear() {
    pool.clear();
  }

  /** Closes the pool. Connections in use are closed when they are returned. */
  @Override
  public void close() {
    pool.close();
  }
}
