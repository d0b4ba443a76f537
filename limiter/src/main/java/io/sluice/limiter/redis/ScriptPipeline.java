package io.sluice.limiter.redis;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Connection on which script calls are pipelined: a call is sent before the call ahead of it is
 * answered, and runs only if that call has run. Not thread-safe.
 */
final class ScriptPipeline implements AutoCloseable {
  /**
   * Link from a call in a pipeline to the call ahead of it.
   *
   * @param key Redis key that holds the number of the pipeline's last call; empty for a call
   *     outside a pipeline
   * @param after number of the call that must have run last, or empty
   * @param number number of this call, if another call is sent before this one is answered, or
   *     empty
   */
  record Link(String key, String after, String number) {
    /** Link of a call outside a pipeline. */
    static final Link NONE = new Link("", "", "");

    /**
     * @param after number of the call ahead; 0 if this call does not depend on an earlier one
     * @param number number of this call; 0 if no later call depends on this one
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
   * @param key Redis key that only this pipeline uses
   */
  ScriptPipeline(Connection connection, RedisScript script, String key) {
    this.connection = connection;
    this.script = script;
    this.key = key;
  }

  /**
   * Sends a call, by the script's digest; the call may stay in a buffer until an answer is awaited.
   *
   * @param isLast whether no other call is sent before this one is answered
   */
  void send(ScriptCall call, boolean isLast) {
    Link link = Link.of(key, underway == 0 ? 0 : sent, isLast ? 0 : sent + 1);
    sent++;
    underway++;
    connection.sendCommand(script.byName(call, link));
  }

  /** Waits for the answer to the oldest unanswered call. */
  List<?> receive() {
    List<?> answer = (List<?>) connection.getOne();
    underway--;
    return answer;
  }

  /**
   * Reads the error replies of calls that did not run, because the call ahead of them was not
   * answered completely.
   */
  void passOver() {
    for (; underway > 0; underway--) {
      try {
        throw new IllegalStateException("a call ran out of turn: " + connection.getOne());
      } catch (JedisDataException e) {
        // An error is expected, because the call did not run. Any other reason will show when the
        // call is sent again.
      }
    }
  }

  /**
   * Returns the connection to its pool, or discards the connection if answers are still to come on
   * it.
   */
  @Override
  public void close() {
    if (underway > 0) connection.setBroken();
    connection.close();
  }
}
