package io.sluice.limiter.redis;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/** Connections to the server that Sentinels name as the master, which may become another. */
final class SentinelPool implements MasterPool {
  /*
   * It would not do to ask them when a connection fails: a master that was replaced while it was alive
   * takes writes, and loses them, for as long as Sentinels need to demote it, some ten seconds. So they
   * are asked all the time. Being told by subscription would be sooner, but a Sentinel that has
   * vanished without a word tells nothing, and is not missed.
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
      LOG.warn("the master {} is {} now, and was {}", address.master(), named, master);
      pool.close(); // and those that are in use are closed when they are given back
    }
    master = named;
    pool = jedis.server(named, address.credentials());
  }

  private void look() {
    try {
      HostAndPort named = sentinels.master();
      synchronized (this) {
        if (!closed) lead(named);
      }
    } catch (RuntimeException e) { // which would end the watch
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
}
