package io.sluice.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.revision.LimitsInForce;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DigestWatchTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger digests = new AtomicInteger();
  private final DigestWatch watch =
      new DigestWatch(this::limits, new RecordedReport(), InstantSource.system(), nanos::get);

  /** Computing the limits takes a second of the fake clock. */
  private LimitsInForce limits() {
    nanos.addAndGet(SECOND);
    digests.incrementAndGet();
    return LimitsInForce.of(Topic.CONFIG);
  }

  @Test
  void whatTakesASecondRestsForFifty() {
    watch.look();
    watch.look();
    nanos.addAndGet(50 * SECOND - 1);
    watch.look();
    assertThat(digests.get()).isEqualTo(1);
    nanos.addAndGet(1);
    watch.look();
    assertThat(digests.get()).isEqualTo(2);
  }
}
