package io.sluice.limiter.redis;

import java.util.List;
import redis.clients.jedis.Connection;

/**
 * A connection on which a script is run again and again, the next call sent before the last one is
 * answered. A call runs only if the one ahead of it has. Not thread-safe.
 */
final class ScriptPipeline implements AutoCloseable {
  private final Connection connection;
  private final RedisScript script;
  private final String key;
  private int sent;
  private int underway;

  /**
   * @param key of this pipeline alone
   */
  ScriptPipeline(Connection connection, RedisScript script, String key) {
    this.connection = connection;
    this.script = script;
    this.key = key;
  }

  /**
   * Sends a call, by the script's name; at the latest when an answer is waited for.
   *
   * @param isLast whether no other is sent before this one is answered
   */
  void send(ScriptCall call, boolean isLast) {
    Link link = Link.of(key, underway == 0 ? 0 : sent, isLast ? 0 : sent + 1);
    sent++;
    underway++;
    connection.sendCommand(script.byName(call, link));
  }

  /** The answer to the first call that is not answered yet. */
  List<?> receive() {
    List<?> answer = (List<?>) connection.getOne();
    underway--;
    return answer;
  }

  /** Gives the connection back, unless answers are still to come on it that nobody waits for. */
  @Override
  public void close() {
    if (underway > 0) connection.setBroken();
    connection.close();
  }
}
