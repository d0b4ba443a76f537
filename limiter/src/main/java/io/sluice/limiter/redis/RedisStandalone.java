package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.redis.Batches.Batch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Connections to the one Redis server that has all keys: a fixed server, or the master that
 * Sentinels name.
 */
final class RedisStandalone implements RedisConnections {
  private static final int EVERYWHERE = 0;

  /**
   * Largest number of unanswered calls. If their answers are lost, a retry may charge arrivals
   * without a position again.
   */
  private static final int MOST_UNDERWAY = 2;

  private final RedisAddress address;
  private final MasterPool pool;
  private final JedisConfig jedis;
  private final RedisKeys names;
  private final String id = UUID.randomUUID().toString();
  private final AtomicLong pipelines = new AtomicLong();

  private RedisStandalone(RedisAddress address, MasterPool pool, JedisConfig jedis) {
    this.address = address;
    this.pool = pool;
    this.jedis = jedis;
    names = new RedisKeys(jedis.settings().keyPrefix());
  }

  static RedisStandalone at(RedisAddress.Server address, JedisConfig jedis) {
    return new RedisStandalone(
        address, new ServerPool(address.at(), address.credentials(), jedis), jedis);
  }

  static RedisStandalone namedBy(RedisAddress.Sentinels address, JedisConfig jedis) {
    return new RedisStandalone(address, new SentinelPool(address, jedis), jedis);
  }

  @Override
  public boolean hasPlaces() {
    return false;
  }

  @Override
  public int placeOf(byte[] key) {
    return EVERYWHERE;
  }

  @Override
  public String serverOf(int place) {
    return "";
  }

  /**
   * Runs each batch as one call, because all keys are in one place, and sends the call before the
   * call ahead is answered. If the pipeline breaks off, the run continues with the first unanswered
   * batch when a new connection, the script's text or more of a rule's changes can help, or when
   * the error may concern only some keys.
   */
  @Override
  public void run(RedisScript script, Batches batches) {
    Deque<Batch> underway = new ArrayDeque<>();
    JedisConfig.Deadline deadline = jedis.deadline();
    while (batches.hasNext()) {
      try {
        pipe(script, batches, underway, deadline);
      } catch (JedisNoScriptException e) {
        // The server does not know the script: the next call outside the pipeline sends the
        // script's text.
      } catch (JedisException e) {
        boolean mayBeOfKeys = Failures.mayBeOfKeys(e);
        boolean goesOn = mayBeOfKeys || Failures.isOfConnection(e) || Failures.says("SKIPPED", e);
        if (!goesOn) throw unavailable(e);
        if (!mayBeOfKeys) pool.clear();
        // The next batch runs outside the pipeline, where a second failure is thrown and not
        // retried forever.
        if (underway.isEmpty() && batches.hasNext()) underway.add(batches.next());
      }
      while (!underway.isEmpty()) {
        ScriptCall call = underway.element().calls().get(0);
        answered(batches, underway, run(script, call, deadline));
      }
    }
  }

  private String newPipelineKey() {
    return names.pipeline(id + "-" + pipelines.incrementAndGet());
  }

  private void pipe(
      RedisScript script, Batches batches, Deque<Batch> underway, JedisConfig.Deadline deadline) {
    try (ScriptPipeline pipeline =
        new ScriptPipeline(pool.current().connect(deadline), script, newPipelineKey())) {
      while (batches.hasNext() || !underway.isEmpty()) {
        if (batches.hasNext()) {
          Batch next = batches.next();
          underway.add(next);
          pipeline.send(next.calls().get(0), !batches.hasNext());
        }
        if (underway.size() == MOST_UNDERWAY || !batches.hasNext()) {
          if (!answered(batches, underway, pipeline.receive())) {
            pipeline.passOver();
            return;
          }
        }
      }
    }
  }

  /**
   * Passes the answer to the first batch on to the outcomes. Returns false if some of its requests
   * have no answer; they are then the first batch.
   */
  private static boolean answered(Batches batches, Deque<Batch> underway, List<?> answer) {
    Batch first = underway.element();
    Batch rest = batches.answered(first, Map.of(first.calls().get(0), answer), place -> false);
    underway.remove();
    if (!rest.isEmpty()) underway.addFirst(rest);
    return rest.isEmpty();
  }

  private List<?> run(RedisScript script, ScriptCall call, JedisConfig.Deadline deadline) {
    return reached(
        deadline,
        connection -> {
          try {
            return run(script, call, connection);
          } catch (JedisDataException e) {
            if (!Failures.mayBeOfKeys(e)) throw e;
            return runSingly(script, call, connection);
          }
        });
  }

  private static List<?> run(RedisScript script, ScriptCall call, Connection connection) {
    try {
      return (List<?>) connection.executeCommand(script.byName(call));
    } catch (JedisNoScriptException e) {
      return (List<?>) connection.executeCommand(script.byText(call));
    }
  }

  /** Runs the requests of a call one by one, so that only requests with unusable keys fail. */
  private List<?> runSingly(RedisScript script, ScriptCall call, Connection connection) {
    List<Object> answers = new ArrayList<>();
    for (ScriptCall single : call.split()) {
      List<?> answer;
      try {
        answer = run(script, single, connection);
      } catch (JedisDataException e) {
        if (!Failures.mayBeOfKeys(e)) throw e;
        connection.executeCommand(
            RedisConnections.probe(names.probe(0))); // throws if the server is at fault
        answer = single.failed(e);
      }
      answers.addAll(answer);
      // An unanswered request is sent again together with the requests behind it. If those ran now,
      // they would be charged twice.
      if (!ScriptReply.isToOne(answer)) break;
    }
    return answers;
  }

  @Override
  public void atEach(RedisKeys names, Visit visit) {
    byte[] key = names.probe(0);
    reached(
        jedis.deadline(),
        connection -> {
          visit.at(connection, key);
          return key;
        });
  }

  @Override
  public void removeAll(String pattern) {
    reached(
        jedis.deadline(),
        connection -> {
          RedisConnections.removeAll(connection, pattern);
          return pattern;
        });
  }

  private <T> T reached(JedisConfig.Deadline deadline, Function<Connection, T> command) {
    try {
      try {
        return once(deadline, command);
      } catch (JedisException e) {
        if (!Failures.isOfConnection(e)) throw e;
        pool.clear();
        return once(deadline, command);
      }
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  private LimiterUnavailableException unavailable(JedisException e) {
    if (Failures.isOfAll(e)) pool.clear();
    return Failures.unavailable(address, isOfCluster(e) ? explained(e) : e);
  }

  private <T> T once(JedisConfig.Deadline deadline, Function<Connection, T> command) {
    try (Connection connection = pool.current().connect(deadline)) {
      return command.apply(connection);
    }
  }

  private static boolean isOfCluster(JedisException e) {
    return e instanceof JedisRedirectionException
        || e instanceof JedisClusterException
        || Failures.says("CROSSSLOT", e);
  }

  private static JedisException explained(JedisException e) {
    return new JedisException(
        e.getMessage() + " (a node of a Cluster, but its URI is not a comma list of nodes)");
  }

  @Override
  public void close() {
    pool.close();
  }
}
