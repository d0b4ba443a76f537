package io.sluice.limiter.redis;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.redis.RedisUri.Credentials;
import java.util.List;
import redis.clients.jedis.HostAndPort;

/** Address of Redis: one server, a Cluster, or the master that Sentinels name. */
sealed interface RedisAddress {
  Credentials credentials();

  /** Reads the address from a URI, see {@link RedisUri}. */
  static RedisAddress parse(String uri) {
    return RedisUri.parse(uri);
  }

  record Server(HostAndPort at, Credentials credentials) implements RedisAddress {
    @Override
    public String toString() {
      return at.toString();
    }
  }

  /**
   * Address of a Redis Cluster.
   *
   * @param nodes some of the Cluster's nodes; each of them knows all nodes
   */
  record Cluster(List<HostAndPort> nodes, Credentials credentials) implements RedisAddress {
    public Cluster {
      nodes = List.copyOf(nodes);
    }

    @Override
    public String toString() {
      return joined(nodes);
    }
  }

  /**
   * Address of a master that Sentinels name.
   *
   * @param master name by which the Sentinels know the master
   */
  record Sentinels(
      String master,
      List<HostAndPort> sentinels,
      Credentials credentials,
      Credentials sentinelCredentials)
      implements RedisAddress {
    public Sentinels {
      sentinels = List.copyOf(sentinels);
    }

    @Override
    public String toString() {
      return master + " of sentinels " + joined(sentinels);
    }
  }

  private static String joined(List<HostAndPort> all) {
    return all.stream().map(HostAndPort::toString).collect(joining(","));
  }
}
