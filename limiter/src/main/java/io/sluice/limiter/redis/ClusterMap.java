package io.sluice.limiter.redis;

import java.util.HashSet;
import java.util.Set;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/** Which node of a Cluster has which slot, as far as is known, and connections to the nodes. */
final class ClusterMap implements AutoCloseable {
  private final RedisAddress.Cluster address;
  private final RedisSettings settings;
  private ClusterConnectionProvider nodes;
  private boolean closed;
  private volatile boolean outdated;

  ClusterMap(RedisAddress.Cluster address, RedisSettings settings) {
    this.address = address;
    this.settings = settings;
  }

  /** Asks the nodes anew before the next owner of a slot is named. */
  void mayBeOutdated() {
    outdated = true;
  }

  /**
   * @throws JedisException if no node has the slot, or none answers
   */
  HostAndPort ownerOf(int slot) {
    ClusterConnectionProvider current = current();
    HostAndPort owner = current.getNode(slot);
    if (owner != null) return owner;
    outdated = true;
    throw new JedisException("no node has slot " + slot);
  }

  /** The nodes that have slots. */
  Set<HostAndPort> owners() {
    Set<HostAndPort> owners = new HashSet<>();
    current().getPrimaryNodes().keySet().forEach(name -> owners.add(HostAndPort.from(name)));
    return owners;
  }

  Connection connect(HostAndPort node) {
    return nodes().getConnection(node);
  }

  /** Drops the idle connections to a node. */
  void drop(HostAndPort node) {
    ConnectionPool pool = nodes().getNodes().get(node.toString());
    if (pool != null) pool.clear();
  }

  private ClusterConnectionProvider current() {
    ClusterConnectionProvider known = nodes();
    if (outdated) {
      outdated = false;
      known.renewSlotCache();
    }
    return known;
  }

  /** Made when first needed, because making it asks the nodes. */
  private synchronized ClusterConnectionProvider nodes() {
    if (closed) throw new JedisException("closed");
    if (nodes == null) {
      nodes =
          new ClusterConnectionProvider(
              Set.copyOf(address.nodes()),
              Dialing.client(address.login(), settings),
              Dialing.pool(settings));
    }
    return nodes;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (nodes != null) nodes.close();
  }
}
