package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.redis.Batches.Batch;
import io.sluice.limiter.redis.ClusterCall.Unanswered;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Connections to the masters of a Redis Cluster, each of which has the keys of some hash slots. */
final class RedisCluster implements RedisConnections {
  /*
   * A script reaches the keys of one slot only, so a batch has one call for each slot. All calls
   * are sent to all nodes before any answer is awaited: one round trip, for any number of slots and
   * nodes. An error reply means that its call has not run. A redirection (MOVED, ASK) or an unknown
   * script takes one more round trip.
   *
   * While a slot is being moved between two nodes, a call with several keys is answered TRYAGAIN
   * unless all of its keys are on one of the nodes. The requests of the call are then sent singly:
   * a request with one key is answered, a request with several keys may have to wait until the slot
   * has moved. Requests are also sent singly if an error may concern only some of a call's keys, so
   * that only the requests with these keys fail.
   */
  private static final int MOST_ROUND_TRIPS = 10;

  /**
   * Number of round trips of a call without a pause, enough for a moved slot on a node that does
   * not have the script. More round trips are needed while two nodes name each other as the slot's
   * owner at the end of a move, which takes a moment.
   */
  private static final int MOST_AT_ONCE = 3;

  private static final int MOST_PROBE_KEYS = 1 << 16;

  private final RedisAddress.Cluster address;
  private final JedisConfig jedis;
  private final RedisKeys names;
  private final ClusterMap map;
  private final long pauseMillis;

  RedisCluster(RedisAddress.Cluster address, JedisConfig jedis) {
    this.address = address;
    this.jedis = jedis;
    names = new RedisKeys(jedis.settings().keyPrefix());
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
  public String serverOf(int place) {
    return map.knownOwnerOf(place).map(HostAndPort::toString).orElse("");
  }

  @Override
  public void run(RedisScript script, Batches batches) {
    JedisConfig.Deadline deadline = jedis.deadline();
    Unanswered unanswered = new Unanswered(map::knownOwnerOf);
    while (batches.hasNext()) {
      Batch batch = batches.next();
      batch.leaveOut(unanswered::concerns);
      while (!batch.isEmpty()) {
        List<ClusterCall> calls = run(script, batch.calls(), deadline);
        calls.forEach(unanswered::add);
        batch = batches.answered(batch, answers(calls), unanswered::concerns);
      }
    }
    unanswered.throwFirst();
  }

  private static Map<ScriptCall, List<?>> answers(List<ClusterCall> calls) {
    Map<ScriptCall, List<?>> answers = new HashMap<>();
    for (ClusterCall call : calls) {
      answers.put(call.scriptCall, call.answer());
    }
    return answers;
  }

  /**
   * Runs script calls until each of them is answered or has failed, regardless of failures of the
   * others.
   */
  private List<ClusterCall> run(
      RedisScript script, List<ScriptCall> scriptCalls, JedisConfig.Deadline deadline) {
    List<ClusterCall> calls = scriptCalls.stream().map(ClusterCall::new).toList();
    List<ClusterCall> open = calls;
    for (int roundTrips = 0; roundTrips < MOST_ROUND_TRIPS && !open.isEmpty(); roundTrips++) {
      send(script, open, deadline);
      open.stream()
          .filter(call -> call.isScattered() || call.refusal().isPresent())
          .forEach(call -> putSingly(script, call, deadline));
      List<ClusterCall> left = open.stream().filter(ClusterCall::isOpen).toList();
      // A call whose keys are on two nodes has already paused.
      if (roundTrips >= MOST_AT_ONCE && left.stream().noneMatch(ClusterCall::isScattered)) {
        pause(left);
      }
      open = left.stream().filter(ClusterCall::isOpen).toList();
    }
    open.forEach(this::giveUp);
    return calls;
  }

  private void giveUp(ClusterCall call) {
    map.knownOwnerOf(call.scriptCall.place()).ifPresent(map::mayHaveChanged);
    String what = call.isScattered() ? " is being moved" : " is not on the node in the slot map";
    call.failed(
        Failures.unavailable(
            address, new JedisException("slot " + call.scriptCall.place() + what)));
  }

  private void putSingly(RedisScript script, ClusterCall call, JedisConfig.Deadline deadline) {
    List<ScriptCall> singles = call.scriptCall.split();
    if (singles.size() == 1) {
      call.refusal().ifPresentOrElse(why -> refuse(call, why), () -> pause(List.of(call)));
      return;
    }
    List<Object> answer = new ArrayList<>();
    for (ScriptCall single : singles) {
      ClusterCall put = run(script, List.of(single), deadline).get(0);
      if (put.failure().isPresent()) {
        call.failedAs(put, answer);
        return;
      }
      answer.addAll(put.answer());
      // An unanswered request is sent again together with the requests behind it. If those ran now,
      // they would be charged twice.
      if (!ScriptReply.isToOne(put.answer())) break;
    }
    call.answered(answer);
  }

  /**
   * Answers a call of a single request with the error of its keys, if all nodes accept a probe
   * write; otherwise the call fails.
   */
  private void refuse(ClusterCall call, JedisDataException why) {
    try {
      atEach(names, (connection, key) -> connection.executeCommand(RedisConnections.probe(key)));
      call.answered(call.scriptCall.failed(why));
    } catch (LimiterUnavailableException e) {
      call.failed(e);
    }
  }

  private void pause(List<ClusterCall> waiting) {
    try {
      Thread.sleep(pauseMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      JedisException interrupted = new JedisException("interrupted", e);
      waiting.forEach(call -> call.failed(Failures.unavailable(address, interrupted)));
    }
  }

  /** Sends the calls to all of their nodes and then reads the answers, in one round trip. */
  private void send(RedisScript script, List<ClusterCall> calls, JedisConfig.Deadline deadline) {
    List<NodePipeline> underWay = new ArrayList<>();
    try {
      byNode(calls)
          .forEach(
              (node, theirs) -> {
                try {
                  underWay.add(
                      NodePipeline.send(script, node, map.connect(node, deadline), theirs));
                } catch (JedisException e) {
                  lost(node, theirs, e);
                }
              });
      underWay.forEach(this::receive);
    } finally {
      underWay.forEach(NodePipeline::close);
    }
  }

  private void receive(NodePipeline pipeline) {
    try {
      pipeline.receive().ifPresent(error -> suspect(pipeline.node, error));
      // A node that has redirected a call is suspect: otherwise each later call for the moved slot
      // would be redirected too.
      if (pipeline.calls.stream().anyMatch(ClusterCall::isMoved)) {
        map.mayHaveChanged(pipeline.node);
      }
    } catch (JedisException e) {
      lost(pipeline.node, pipeline.calls, e);
    }
  }

  /** Groups calls by the node that they go to. A call whose node is unknown fails. */
  private Map<HostAndPort, List<ClusterCall>> byNode(List<ClusterCall> calls) {
    Map<HostAndPort, List<ClusterCall>> byNode = new LinkedHashMap<>();
    Optional<LimiterUnavailableException> lookup = Optional.empty();
    for (ClusterCall call : calls) {
      try {
        // After a failed reading of the slot map, only known owners are used: a further reading for
        // each slot would take a timeout for each.
        Optional<HostAndPort> node =
            lookup.isEmpty() ? Optional.of(nodeFor(call)) : knownNodeFor(call);
        node.ifPresent(at -> byNode.computeIfAbsent(at, absent -> new ArrayList<>()).add(call));
        if (node.isEmpty()) call.failed(lookup.get());
      } catch (LimiterUnavailableException e) {
        lookup = Optional.of(e);
        call.failed(e);
      }
    }
    return byNode;
  }

  private HostAndPort nodeFor(ClusterCall call) {
    return call.sentTo().orElseGet(() -> reached(() -> map.ownerOf(call.scriptCall.place())));
  }

  private Optional<HostAndPort> knownNodeFor(ClusterCall call) {
    return call.sentTo().or(() -> map.knownOwnerOf(call.scriptCall.place()));
  }

  /**
   * Handles a lost connection to a node: each open call is sent again once if the failure allows
   * it, and fails otherwise.
   */
  private void lost(HostAndPort node, List<ClusterCall> calls, JedisException e) {
    suspect(node, e);
    boolean mayGoAgain = Failures.isOfConnection(e);
    List<ClusterCall> open = calls.stream().filter(ClusterCall::isOpen).toList();
    List<ClusterCall> ended =
        open.stream().filter(call -> !(mayGoAgain && call.sendAnew())).toList();
    // The node counts as silent only if no call is sent again, because such a call will show
    // whether the node answers.
    boolean silent = ended.size() == open.size();
    LimiterUnavailableException failure = Failures.unavailable(node, e);
    for (ClusterCall call : ended) {
      if (silent) {
        call.failed(failure, node);
      } else {
        call.failed(failure);
      }
    }
  }

  private void suspect(HostAndPort node, JedisException e) {
    map.mayHaveChanged(node);
    if (Failures.isOfAll(e)) map.drop(node);
  }

  @Override
  public void atEach(RedisKeys names, Visit visit) {
    Set<HostAndPort> left = reached(map::ownersNow);
    for (int i = 0; !left.isEmpty() && i < MOST_PROBE_KEYS; i++) {
      byte[] key = names.probe(i);
      HostAndPort owner = reached(() -> map.ownerOf(placeOf(key)));
      if (left.remove(owner)) on(owner, connection -> visit.at(connection, key));
    }
  }

  @Override
  public void removeAll(String pattern) {
    for (HostAndPort node : reached(map::owners)) {
      on(node, connection -> RedisConnections.removeAll(connection, pattern));
    }
  }

  private void on(HostAndPort node, Consumer<Connection> command) {
    try (Connection connection = map.connect(node, jedis.deadline())) {
      command.accept(connection);
    } catch (JedisException e) {
      suspect(node, e);
      throw Failures.unavailable(node, e);
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
