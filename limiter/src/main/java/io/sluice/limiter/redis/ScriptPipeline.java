package io.sluice.limiter.redis;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A connection on which a script is run again and again, the next call sent before the last one is
 * answered. A call runs only if the one ahead of it has. Not thread-safe.
 */
final class ScriptPipeline implements AutoCloseable {
  /**
   * The tie of a call in a pipeline to the one ahead of it.
   *
   * @param key where Redis keeps the pipeline's last call; empty if the call is on its own
   * @param after the call that must have run, by its number, or empty
   * @param number of this call, if another is sent before it is answered, or empty
   */
  record Link(String key, String after, String number) {
    /** Of a call that is on its own. */
    static final Link NONE = new Link("", "", "");

    /**
     * @param after 0 if the call may run whatever ran before
     * @param number 0 if no call relies on this one
     */
    static Link of(String key, int after, int number) {
      return after == 0 && number == 0 ? NONE : new Link(key, text(after), text(number));
    }

    private static String text(int number) {
      return number == 0 ? "" : Integer.toString(number);
    }
  }

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

  /** Reads that calls did not run, as the one ahead of them could not be answered to the end. */
  void passOver() {
    for (; underway > 0; underway--) {
      try {
        throw new IllegalStateException("a call ran out of turn: " + connection.getOne());
      } catch (JedisDataException e) {
        // As it must be, whatever the reason: whoever asks again will hear of others.
      }
    }
  }

  /** Gives the connection back, unless answers are still to come on it that nobody waits for. */
  @Override
  public void close() {
    if (underway > 0) connection.setBroken();
    connection.close();
  }
}
