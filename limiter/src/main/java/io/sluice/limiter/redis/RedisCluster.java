package io.sluice.limiter.redis;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.sluice.limiter.LimiterUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Connections to the masters of a Cluster, each of which has the keys of some slots. */
final class RedisCluster implements RedisConnections {
  /*
   * A script reaches the keys of one slot, so a batch is as many calls as its keys have slots. All
   * calls to a node go there together, and to every node before any answer is waited for: one round
   * trip, however many slots and nodes there are. An error means that its call has not run; one that
   * says where to go instead (MOVED, ASK), or that the script is not known, is followed in a round
   * trip more.
   *
   * While a slot is moved from node to node, a call with several keys is answered TRYAGAIN unless all
   * of them are on one side. Then its requests are put singly: those with one key are answered, one
   * with several may have to wait until the slot has moved.
   */
  private static final int MOST_ROUND_TRIPS = 10;

  /**
   * A slot that has moved, to a node that does not have the script, takes as many round trips. More
   * are needed while two nodes name each other, at the end of a move: that takes a moment.
   */
  private static final int MOST_AT_ONCE = 3;

  private static final int MOST_PROBE_KEYS = 1 << 16;

  private final RedisAddress.Cluster address;
  private final JedisConfig jedis;
  private final ClusterMap map;
  private final long pauseMillis;

  RedisCluster(RedisAddress.Cluster address, JedisConfig jedis) {
    this.address = address;
    this.jedis = jedis;
    map = new ClusterMap(address, jedis);
    pauseMillis = jedis.settings().timeout().toMillis() / MOST_ROUND_TRIPS;
  }

  @Override
  public boolean hasPlaces() {
    return true;
  }

  @Override
  public int placeOf(byte[] key) {
    return JedisClusterCRC16.getSlot(key);
  }

  @Override
  public void run(RedisScript script, Batches batches) {
    JedisConfig.Deadline deadline = jedis.deadline();
    while (batches.hasNext()) {
      Batch batch = batches.next();
      while (!batch.isEmpty()) {
        batch = batches.answered(batch, run(script, batch.calls(), deadline));
      }
    }
  }

  private List<List<?>> run(
      RedisScript script, List<ScriptCall> scriptCalls, JedisConfig.Deadline deadline) {
    List<ClusterCall> calls = scriptCalls.stream().map(ClusterCall::new).toList();
    List<ClusterCall> open = calls;
    for (int roundTrips = 0; !open.isEmpty(); roundTrips++) {
      if (roundTrips == MOST_ROUND_TRIPS) throw gaveUp(open.get(0));
      send(script, open, deadline);
      open.stream()
          .filter(ClusterCall::isScattered)
          .forEach(call -> putSingly(script, call, deadline));
      open = open.stream().filter(call -> !call.isDone()).toList();
      // Whoever is scattered has paused already.
      if (roundTrips >= MOST_AT_ONCE && open.stream().noneMatch(ClusterCall::isScattered)) pause();
    }
    return calls.stream().<List<?>>map(ClusterCall::answer).toList();
  }

  private LimiterUnavailableException gaveUp(ClusterCall call) {
    map.mayBeOutdated();
    String what = call.isScattered() ? " is being moved" : " is not where it is said to be";
    return Failures.unavailable(
        address, new JedisException("slot " + call.scriptCall.place() + what));
  }

  private void putSingly(RedisScript script, ClusterCall call, JedisConfig.Deadline deadline) {
    List<ScriptCall> singles = call.scriptCall.split();
    if (singles.size() == 1) {
      pause();
      return;
    }
    List<Object> answer = new ArrayList<>();
    for (ScriptCall single : singles) answer.addAll(run(script, List.of(single), deadline).get(0));
    call.answered(answer);
  }

  private void pause() {
    try {
      Thread.sleep(pauseMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.unavailable(address, new JedisException("interrupted", e));
    }
  }

  /** One round trip to all nodes that these are for. */
  private void send(RedisScript script, List<ClusterCall> calls, JedisConfig.Deadline deadline) {
    List<LimiterUnavailableException> failures = new ArrayList<>();
    List<NodePipeline> underWay = new ArrayList<>();
    byNode(calls)
        .forEach(
            (node, theirs) -> {
              try {
                underWay.add(NodePipeline.send(script, node, map.connect(node, deadline), theirs));
              } catch (JedisException e) {
                lost(node, theirs, e).ifPresent(failures::add);
              }
            });
    for (NodePipeline pipeline : underWay) {
      try {
        pipeline.receive().ifPresent(error -> failures.add(failed(pipeline.node, error)));
      } catch (JedisException e) {
        lost(pipeline.node, pipeline.calls, e).ifPresent(failures::add);
      }
    }
    if (!failures.isEmpty()) throw failures.get(0);
  }

  private Map<HostAndPort, List<ClusterCall>> byNode(List<ClusterCall> calls) {
    return calls.stream().collect(groupingBy(this::nodeFor, LinkedHashMap::new, toList()));
  }

  private HostAndPort nodeFor(ClusterCall call) {
    return call.sentTo().orElseGet(() -> reached(() -> map.ownerOf(call.scriptCall.place())));
  }

  /** A way that was lost may be found again once; otherwise that is the end of it. */
  private Optional<LimiterUnavailableException> lost(
      HostAndPort node, List<ClusterCall> calls, JedisException e) {
    LimiterUnavailableException failure = failed(node, e);
    List<ClusterCall> open = calls.stream().filter(call -> !call.isDone()).toList();
    boolean again = Failures.isOfConnection(e) && open.stream().allMatch(ClusterCall::sendAnew);
    return again ? Optional.empty() : Optional.of(failure);
  }

  private LimiterUnavailableException failed(HostAndPort node, JedisException e) {
    map.mayBeOutdated();
    if (Failures.isOfAll(e)) map.drop(node);
    return Failures.unavailable(node, e);
  }

  @Override
  public void atEach(RedisKeys names, Visit visit) {
    map.mayBeOutdated();
    Set<HostAndPort> left = reached(map::owners);
    for (int i = 0; !left.isEmpty() && i < MOST_PROBE_KEYS; i++) {
      byte[] key = names.probe(i);
      HostAndPort owner = reached(() -> map.ownerOf(placeOf(key)));
      if (left.remove(owner)) on(owner, connection -> visit.at(connection, key));
    }
  }

  @Override
  public void removeAll(String pattern) {
    for (HostAndPort node : reached(map::owners)) {
      on(node, connection -> KeyDeletion.removeAll(connection, pattern));
    }
  }

  private void on(HostAndPort node, Consumer<Connection> command) {
    try (Connection connection = map.connect(node, jedis.deadline())) {
      command.accept(connection);
    } catch (JedisException e) {
      throw failed(node, e);
    }
  }

  private <T> T reached(Supplier<T> question) {
    try {
      return question.get();
    } catch (JedisException e) {
      throw Failures.unavailable(address, e);
    }
  }

  @Override
  public void close() {
    map.close();
  }
}
