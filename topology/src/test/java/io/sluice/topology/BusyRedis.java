package io.sluice.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** Clients that keep a server busy with scripts, one after another, each of which takes a while. */
final class BusyRedis implements AutoCloseable {
  private static final String SCRIPT =
      "local function now() local t = redis.call('TIME') return t[1] * 1000000 + t[2] end"
          + " local start = now() while now() - start < tonumber(ARGV[1]) do end return 0";

  private final AtomicLong slices = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  BusyRedis(int port, Duration slice, int clients) {
    for (int i = 0; i < clients; i++) {
      Thread thread = new Thread(() -> keepBusy(port, slice), "busy-redis");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  private void keepBusy(int port, Duration slice) {
    try (Jedis redis = new Jedis("127.0.0.1", port, 60_000)) {
      while (!ended) {
        redis.eval(SCRIPT, 0, Long.toString(slice.toNanos() / 1_000));
        slices.incrementAndGet();
      }
    } catch (JedisException e) {
      return; // the server has ended
    }
  }

  /** How many have run. */
  long slices() {
    return slices.get();
  }

  @Override
  public void close() {
    ended = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
