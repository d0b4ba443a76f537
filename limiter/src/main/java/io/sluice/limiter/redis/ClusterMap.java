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
 * The nodes of a Cluster by the slots that they have, as far as is known, and connections to them.
 */
final class ClusterMap implements AutoCloseable {
  private final RedisAddress.Cluster address;
  private final JedisConfig jedis;
  private final Map<HostAndPort, ServerPool> pools = new ConcurrentHashMap<>();
  private final Set<HostAndPort> suspects = ConcurrentHashMap.newKeySet();
  private final Lock reading = new ReentrantLock();
  private volatile long nextReading = System.nanoTime();
  private volatile ClusterConnectionProvider nodes;
  private Optional<JedisException> failure = Optional.empty(); // of the first reading
  private boolean closed;

  ClusterMap(RedisAddress.Cluster address, JedisConfig jedis) {
    this.address = address;
    this.jedis = jedis;
  }

  /**
   * Asks the nodes anew before this one is named as an owner: it may be gone, or some of its slots.
   * Whoever needs another does not wait for that: it may take as long as the node that is silent.
   */
  void mayHaveChanged(HostAndPort node) {
    suspects.add(node);
  }

  /**
   * Reading takes up to two timeouts for each node, so at most half of the time is spent on it: in
   * between, who is suspected counts as the owner as before.
   *
   * @throws JedisException if no node has the slot, or none answers
   */
  HostAndPort ownerOf(int slot) {
    HostAndPort owner = nodes().getNode(slot);
    boolean doubtful = owner == null || suspects.contains(owner);
    if (doubtful && System.nanoTime() - nextReading >= 0) owner = readAgain().getNode(slot);
    if (owner == null) throw new JedisException("no node has slot " + slot);
    return owner;
  }

  /** The owner as it is known; asks nobody. */
  Optional<HostAndPort> knownOwnerOf(int slot) {
    ClusterConnectionProvider known = nodes;
    return known == null ? Optional.empty() : Optional.ofNullable(known.getNode(slot));
  }

  /** The nodes that have slots, as far as is known. */
  Set<HostAndPort> owners() {
    return ownersBy(nodes());
  }

  /** The same, after the nodes have been asked anew. */
  Set<HostAndPort> ownersNow() {
    return ownersBy(readAgain());
  }

  private static Set<HostAndPort> ownersBy(ClusterConnectionProvider nodes) {
    Set<HostAndPort> owners = new HashSet<>();
    nodes.getPrimaryNodes().keySet().forEach(name -> owners.add(HostAndPort.from(name)));
    return owners;
  }

  /**
   * A connection to a node, to be closed after use.
   *
   * @throws JedisException if there is none
   */
  Connection connect(HostAndPort node, JedisConfig.Deadline deadline) {
    return poolOf(node).connect(deadline);
  }

  private synchronized ServerPool poolOf(HostAndPort node) {
    if (closed) throw new JedisException("closed");
    return pools.computeIfAbsent(node, at -> jedis.server(at, address.credentials()));
  }

  /** Drops the idle connections to a node. */
  void drop(HostAndPort node) {
    ServerPool pool = pools.get(node);
    if (pool != null) pool.clear();
  }

  private ClusterConnectionProvider readAgain() {
    ClusterConnectionProvider known = nodes();
    if (!reading.tryLock()) return known; // as Jedis does if another thread is at it
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

  /** A node that is not of the Cluster any more needs no connections. */
  private synchronized void leaveAllBut(Set<String> known) {
    for (HostAndPort node : Set.copyOf(pools.keySet())) {
      if (!known.contains(node.toString())) pools.remove(node).close();
    }
  }

  /**
   * Made when first needed, because making it asks the nodes. If that fails, all who come before it
   * is tried again get the same failure: in a queue, each would wait for as long as those before.
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

  /** When it may be read again: half of the time is left for all else. */
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
