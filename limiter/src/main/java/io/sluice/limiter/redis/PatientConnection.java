package io.sluice.limiter.redis;

import io.sluice.limiter.redis.RedisUri.Credentials;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * Connection to Redis that distinguishes a busy server from a dead one: after a timeout it
 * continues to wait for the answer, as long as the server answers a {@link PingCheck} and the
 * {@linkplain JedisConfig.Deadline deadline} has not passed.
 */
final class PatientConnection extends Connection {
  private final JedisConfig jedis;
  private final PingCheck pulse;
  private JedisConfig.Deadline deadline;

  private PatientConnection(Maker maker) {
    super(maker);
    jedis = maker.jedis;
    pulse = maker.pulse;
    deadline = jedis.deadline();
  }

  /** Factory of patient connections to one Redis server. */
  static final class Maker extends Connection.Builder {
    private final JedisConfig jedis;
    private final PingCheck pulse;

    Maker(HostAndPort at, Credentials credentials, JedisConfig jedis) {
      this.jedis = jedis;
      pulse = new PingCheck(at, credentials, jedis);
    }

    @Override
    protected Connection createConnection() {
      return new PatientConnection(this);
    }
  }

  void waitsUntil(JedisConfig.Deadline newDeadline) {
    deadline = newDeadline;
  }

  @Override
  protected Object protocolRead(RedisInputStream in, PushConsumerChain pushes) {
    if (jedis.isPatient()) awaitFirstByte(in);
    return super.protocolRead(in, pushes);
  }

  /**
   * Waits for the first byte of an answer. A timeout before the first byte leaves nothing half
   * read, so the connection can wait again.
   */
  private void awaitFirstByte(RedisInputStream in) {
    boolean late = false;
    while (true) {
      try {
        boolean unused = in.peek((byte) 0); // waits until a byte arrives, or for the timeout
        pulse.heard();
        return;
      } catch (JedisConnectionException e) {
        if (!Failures.isTimeout(e)) throw e;
      }
      if (!pulse.isFeltSince(System.nanoTime()) && !hasArrived(in)) throw silent();
      if (!late) jedis.whenBusy().run();
      late = true;
      if (deadline.hasPassed()) throw overdue();
    }
  }

  private static boolean hasArrived(RedisInputStream in) {
    try {
      return in.available() > 0;
    } catch (IOException e) {
      throw new JedisConnectionException(e);
    }
  }

  private JedisConnectionException silent() {
    return timedOut(
        "no answer within %d ms, nor to a PING within %d ms",
        jedis.settings().timeout(), jedis.pingTimeout());
  }

  private JedisConnectionException overdue() {
    return timedOut(
        "no answer within %d ms, or %d ms together with others, though it answers a PING:"
            + " it has too much to do, or the answer was lost",
        jedis.settings().timeout(), jedis.settings().patience());
  }

  private static JedisConnectionException timedOut(String text, Duration first, Duration second) {
    String message = "Read timed out: " + text.formatted(first.toMillis(), second.toMillis());
    return new JedisConnectionException(new SocketTimeoutException(message));
  }

  /**
   * Health check of one Redis server: whether it answers a PING on a new connection. Thread-safe;
   * concurrent callers share the result of a PING.
   */
  static final class PingCheck {
    /*
     * Each PING opens a new connection: an older connection may have been cut on the way, and would
     * say nothing about the server. The new connection does not log in, because an error reply also
     * shows that the server is alive.
     */
    private final JedisSocketFactory dial;
    private volatile long heard = System.nanoTime();
    private long felt = heard;
    private boolean alive;

    PingCheck(HostAndPort at, Credentials credentials, JedisConfig jedis) {
      dial = new DefaultJedisSocketFactory(at, jedis.patientClient(credentials));
    }

    /** Records that the server has just answered a request on any connection. */
    void heard() {
      heard = System.nanoTime();
    }

    /**
     * Whether the server has answered a PING or another request since this nano time, or answers a
     * PING now.
     */
    synchronized boolean isFeltSince(long nanos) {
      if (felt - nanos < 0) {
        alive = ping();
        felt = System.nanoTime();
      }
      return alive || heard - nanos >= 0;
    }

    private boolean ping() {
      try (Connection connection = new Connection(dial)) {
        connection.sendCommand(Command.PING);
        connection.getOne();
        return true;
      } catch (JedisDataException e) {
        return true;
      } catch (JedisException e) {
        return false;
      }
    }
  }
}
