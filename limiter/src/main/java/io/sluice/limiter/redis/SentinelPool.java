package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/** Connection pool of the master that Sentinels name, which can change. */
final class SentinelPool implements MasterPool {
  /*
   * It is not enough to ask the Sentinels for the master when a connection fails: a master that is
   * replaced while alive accepts writes until it is demoted, some ten seconds later, and these
   * writes are lost. So the Sentinels are asked all the time. A subscription would be faster, but a
   * Sentinel that has disappeared says nothing, and its silence is not noticed.
   */
  private static final Logger LOG = LoggerFactory.getLogger(SentinelPool.class);
  private static final long ASK_EVERY_MS = 500;

  private final RedisAddress.Sentinels address;
  private final JedisConfig jedis;
  private final Sentinels sentinels;
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(SentinelPool::thread);

  private HostAndPort master;
  private ServerPool pool;
  private Future<?> watching;
  private boolean closed;

  SentinelPool(RedisAddress.Sentinels address, JedisConfig jedis) {
    this.address = address;
    this.jedis = jedis;
    sentinels = new Sentinels(address, jedis);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-redis-sentinels");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public synchronized ServerPool current() {
    if (closed) throw new JedisException("closed");
    if (pool == null) {
      lead(sentinels.master());
      watching =
          watch.scheduleWithFixedDelay(
              this::look, ASK_EVERY_MS, ASK_EVERY_MS, TimeUnit.MILLISECONDS);
    }
    return pool;
  }

  private void lead(HostAndPort named) {
    if (named.equals(master)) return;
    if (pool != null) {
      LOG.warn("the master {} is now {}; before, it was {}", address.master(), named, master);
      pool.close(); // connections in use are closed when they are returned
    }
    master = named;
    pool = new ServerPool(named, address.credentials(), jedis);
  }

  private void look() {
    try {
      HostAndPort named = sentinels.master();
      synchronized (this) {
        if (!closed) lead(named);
      }
    } catch (RuntimeException e) { // an exception would end the periodic task
      LOG.debug("{}: {}", address, e.toString());
    }
  }

  @Override
  public synchronized void clear() {
    if (pool != null) pool.clear();
  }

  @Override
  public synchronized void close() {
    closed = true;
    watch.shutdownNow();
    if (pool == null) return;
    watching.cancel(false);
    pool.close();
  }

  /** Client that asks Sentinels for the address of the master. */
  static final class Sentinels {
    private final RedisAddress.Sentinels address;
    private final JedisClientConfig config;
    private volatile int preferred;

    Sentinels(RedisAddress.Sentinels address, JedisConfig jedis) {
      this.address = address;
      config = jedis.client(address.sentinelCredentials());
    }

    /**
     * Returns the master that the first answering Sentinel names. The Sentinel that answered last
     * is asked first.
     *
     * @throws JedisException if no Sentinel names a master
     */
    HostAndPort master() {
      List<HostAndPort> sentinels = address.sentinels();
      JedisException last = null;
      for (int i = 0; i < sentinels.size(); i++) {
        int next = (preferred + i) % sentinels.size();
        try {
          HostAndPort master = masterBy(sentinels.get(next));
          preferred = next;
          return master;
        } catch (JedisException e) {
          last = e;
        }
      }
      throw new JedisException("no Sentinel answered with the master " + address.master(), last);
    }

    private HostAndPort masterBy(HostAndPort sentinel) {
      CommandArguments question =
          new CommandArguments(Command.SENTINEL)
              .add("GET-MASTER-ADDR-BY-NAME")
              .add(address.master());
      try (Connection connection = new Connection(sentinel, config)) {
        if (connection.executeCommand(question) instanceof List<?> answer) {
          return new HostAndPort(text(answer.get(0)), Integer.parseInt(text(answer.get(1))));
        }
        throw new JedisException(sentinel + " knows no master " + address.master());
      }
    }

    private static String text(Object bytes) {
      return new String((byte[]) bytes, UTF_8);
    }
  }
}
