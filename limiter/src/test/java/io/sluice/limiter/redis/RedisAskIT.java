package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Identity;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.Rule;
import io.sluice.limiter.ValueHash;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.HeapRows;
import io.sluice.limiter.rows.Rows;
import io.sluice.testing.TestScale;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that asking gives the answers of a later metering, the same in both backends, and changes
 * nothing.
 */
class RedisAskIT {
  private static final int ARRIVALS = 80;
  private static final Duration TEN_YEARS = Duration.ofDays(3_660);
  private static final Conditions LATE =
      Conditions.ALONE.with(now -> now - TEN_YEARS.toMillis() * 1_000);

  @RegisterExtension static final FreshRedis REDIS = new FreshRedis();

  static LongStream seeds() {
    return TestScale.seeds(5, 12);
  }

  /** Rows that fail if they are written while a test only asks. */
  private static final class Guarded implements Rows {
    private final Rows rows = new HeapRows();
    private boolean asking;

    @Override
    public byte[] get(byte[] key) {
      return rows.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      assertThat(asking).isFalse();
      rows.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
      assertThat(asking).isFalse();
      rows.delete(key);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void bothSayWhatTheyThenDoAndNothingChanges(long seed) {
    Guarded rows = new Guarded();
    RowMeter stored = new RowMeter(rows, LATE);
    try (RedisMeter meter = new RedisMeter(REDIS.settings("ask").withGrace(TEN_YEARS))) {
      for (Request each : RedisTraffic.small(seed, ARRIVALS).requests()) {
        Arrival arrival =
            new Arrival(Identity.NONE, each.arrival().cost(), each.arrival().nowMicros());
        Map<String, ByteBuffer> before = dump();
        rows.asking = true;
        Outcome expected = stored.probe(arrival, each.buckets()).ask();
        rows.asking = false;
        Outcome asked = meter.ask(arrival, each.buckets());
        assertThat(dump()).as("seed %s: %s", seed, each).isEqualTo(before);
        assertThat(asked).as("seed %s: %s", seed, each).isEqualTo(expected);

        Outcome done = meter.meter(Request.of(arrival, each.buckets()));
        assertThat(stored.meter(arrival, each.buckets())).isEqualTo(done);
        assertThat(asked.kind()).isEqualTo(done.kind());
        assertThat(asked.slotMicros()).isEqualTo(done.slotMicros());
      }
    }
  }

  /**
   * PFCOUNT can store its result in the key, which must not happen for an arrival that only asks.
   */
  @Test
  void aSketchIsCountedAndNotChanged() {
    Rule rule = Rule.policing("reach", Quota.parse("5/60s"), Algorithm.HYPERLOGLOG);
    try (RedisMeter meter = new RedisMeter(REDIS.settings("ask"))) {
      for (int i = 0; i < 5; i++) {
        long now = 1_000_000_000_000L + 10_000_000L * i;
        ValueHash value = ValueHash.of(List.of("friend" + i));
        Bucket bucket = new Bucket(rule, "ann", "ann", value);
        meter.meter(Request.of(new Arrival(Identity.NONE, 1, now), List.of(bucket)));
        for (long later : new long[] {now, now + 11_000_000}) {
          Map<String, ByteBuffer> before = dump();
          Outcome asked = meter.ask(new Arrival(Identity.NONE, 1, later), List.of(bucket));
          assertThat(dump()).isEqualTo(before);
          assertThat(asked.decision(0).remaining()).isEqualTo(4 - i);
        }
      }
    }
  }

  /** Returns everything that Redis holds, byte for byte. */
  private static Map<String, ByteBuffer> dump() {
    Map<String, ByteBuffer> all = new TreeMap<>();
    for (String key : List.copyOf(REDIS.client.keys("*"))) {
      all.put(key, ByteBuffer.wrap(REDIS.client.dump(key)));
    }
    return all;
  }
}
