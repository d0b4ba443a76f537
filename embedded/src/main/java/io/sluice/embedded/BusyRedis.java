package io.sluice.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Keeps a Redis server busy, with clients that run slow scripts one after another. */
public final class BusyRedis implements AutoCloseable {
  private static final String SCRIPT =
      "local function now() local t = redis.call('TIME') return t[1] * 1000000 + t[2] end"
          + " local start = now() while now() - start < tonumber(ARGV[1]) do end return 0";

  private static final int MOST_WAITING_MS = 60_000;

  /**
   * Pause of a client between an answer and its next request, in nanoseconds. Without this pause,
   * Redis would always find all busy clients ready, and every other client would wait for one
   * script of each of them.
   */
  private static final long BETWEEN_NANOS = 500_000;

  private final AtomicLong slices = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  public BusyRedis(int port, Duration slice, int clients) {
    for (int i = 0; i < clients; i++) {
      Thread thread = new Thread(() -> keepBusy(port, slice), "busy-redis");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  private void keepBusy(int port, Duration slice) {
    byte[] command =
        "EVAL \"%s\" 0 %d\r\n".formatted(SCRIPT, slice.toNanos() / 1_000).getBytes(US_ASCII);
    try (Socket redis = new Socket()) {
      redis.connect(LocalPort.address(port), MOST_WAITING_MS);
      redis.setSoTimeout(MOST_WAITING_MS);
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(redis.getInputStream(), US_ASCII));
      while (!ended) {
        redis.getOutputStream().write(command);
        if (!":0".equals(answers.readLine())) return; // the server has ended or refuses scripts
        slices.incrementAndGet();
        LockSupport.parkNanos(BETWEEN_NANOS);
      }
    } catch (IOException e) {
      return; // the server has ended
    }
  }

  /** Returns the number of slow scripts that have finished. */
  public long slices() {
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
