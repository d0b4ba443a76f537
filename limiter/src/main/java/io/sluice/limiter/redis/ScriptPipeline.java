package io.sluice.limiter.redis;

import java.util.List;
import redis.clients.jedis.Connection;

/**
 * A connection on which a script is run again and again, the next call sent before the last one is
 * answered. Not thread-safe.
 */
final class ScriptPipeline implements AutoCloseable {
  private final Connection connection;
  private final RedisScript script;
  private int underway;

  ScriptPipeline(Connection connection, RedisScript script) {
    this.connection = connection;
    this.script = script;
  }

  /** Sends a call, by the script's name; at the latest when an answer is waited for. */
  void send(ScriptCall call) {
    underway++;
    connection.sendCommand(script.byName(call));
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
