package io.sluice.limiter.redis;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/**
 * Map from the hash slots of a Redis Cluster to their known owners, with connections to the nodes.
 */
final class ClusterMap implements AutoCloseable {
  private final RedisAddress.Cluster address;
  private final JedisConfig jedis;
  private final Map<HostAndPort, ServerPool> pools = new ConcurrentHashMap<>();
  private final Set<HostAndPort> suspects = ConcurrentHashMap.newKeySet();
  private final Lock reading = new ReentrantLock();
  private volatile long nextReading = System.nanoTime();
  private volatile ClusterConnectionProvider nodes;
  // Failure of the last attempt to create the map.
  private Optional<JedisException> failure = Optional.empty();
  private boolean closed;

  ClusterMap(RedisAddress.Cluster address, JedisConfig jedis) {
    this.address = address;
    this.jedis = jedis;
  }

  /**
   * Marks a node as suspect, because it may be gone or have lost slots. The map is then read again
   * before the node is returned as an owner. Calls for other nodes do not wait for this reading,
   * because it can take as long as the silent node's timeout.
   */
  void mayHaveChanged(HostAndPort node) {
    suspects.add(node);
  }

  /**
   * Returns the owner of a slot; reads the map again first if the owner is unknown or suspect. A
   * reading takes up to two timeouts for each node, so the map is read for at most half of the
   * time; in between, a suspect node stays the owner.
   *
   * @throws JedisException if no node has the slot, or no node answers
   */
  HostAndPort ownerOf(int slot) {
    HostAndPort owner = nodes().getNode(slot);
    boolean doubtful = owner == null || suspects.contains(owner);
    if (doubtful && System.nanoTime() - nextReading >= 0) owner = readAgain().getNode(slot);
    if (owner == null) throw new JedisException("no node has slot " + slot);
    return owner;
  }

  /** Returns the known owner of a slot, without asking any node; empty if it is not known. */
  Optional<HostAndPort> knownOwnerOf(int slot) {
    ClusterConnectionProvider known = nodes;
    return known == null ? Optional.empty() : Optional.ofNullable(known.getNode(slot));
  }

  /** Returns the known nodes of the Cluster that have slots. */
  Set<HostAndPort> owners() {
    return ownersBy(nodes());
  }

  /**
   * Reads the map again, unless another thread is reading it, and returns the nodes that have
   * slots.
   */
  Set<HostAndPort> ownersNow() {
    return ownersBy(readAgain());
  }

  private static Set<HostAndPort> ownersBy(ClusterConnectionProvider nodes) {
    Set<HostAndPort> owners = new HashSet<>();
    nodes.getPrimaryNodes().keySet().forEach(name -> owners.add(HostAndPort.from(name)));
    return owners;
  }

  /**
   * Returns a connection to a node, which the caller closes.
   *
   * @throws JedisException if no connection can be opened
   */
  Connection connect(HostAndPort node, JedisConfig.Deadline deadline) {
    return poolOf(node).connect(deadline);
  }

  private synchronized ServerPool poolOf(HostAndPort node) {
    if (closed) throw new JedisException("closed");
    return pools.computeIfAbsent(node, at -> new ServerPool(at, address.credentials(), jedis));
  }

  /** Closes the idle connections to a node. */
  void drop(HostAndPort node) {
    ServerPool pool = pools.get(node);
    if (pool != null) pool.clear();
  }

  private ClusterConnectionProvider readAgain() {
    ClusterConnectionProvider known = nodes();
    if (!reading.tryLock()) return known; // another thread is reading the map
    try {
      suspects.clear();
      long begun = System.nanoTime();
      known.renewSlotCache();
      nextReading = afterOneSince(begun);
      leaveAllBut(known.getNodes().keySet());
    } finally {
      reading.unlock();
    }
    return known;
  }

  /** Closes the connections to nodes that have left the Cluster. */
  private synchronized void leaveAllBut(Set<String> known) {
    for (HostAndPort node : Set.copyOf(pools.keySet())) {
      if (!known.contains(node.toString())) pools.remove(node).close();
    }
  }

  /**
   * Creates the map on first use, because creating it asks the nodes. After a failure, callers get
   * the same failure until the next attempt is due: otherwise each caller in a queue would wait for
   * the attempts of all callers before it.
   */
  private synchronized ClusterConnectionProvider nodes() {
    if (closed) throw new JedisException("closed");
    if (nodes != null) return nodes;
    if (failure.isPresent() && System.nanoTime() - nextReading < 0) throw failure.get();
    long begun = System.nanoTime();
    try {
      nodes =
          new ClusterConnectionProvider(
              Set.copyOf(address.nodes()),
              jedis.patientClient(address.credentials()),
              jedis.pool());
      failure = Optional.empty();
    } catch (JedisException e) {
      failure = Optional.of(e);
      nextReading = afterOneSince(begun);
      throw e;
    }
    return nodes;
  }

  /**
   * Returns the nano time from which on the map may be read again, so that readings take at most
   * half of the time.
   */
  private static long afterOneSince(long begunNanos) {
    long endedNanos = System.nanoTime();
    return endedNanos + (endedNanos - begunNanos);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (nodes != null) nodes.close();
    pools.values().forEach(ServerPool::close);
  }
}
