package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.live.kafka.Failure;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FailurePeriodTest {
  private static final Failure FAILURE = Failure.of(new IllegalStateException("no leader"));

  @Test
  void itsLineTellsHowOftenThreadsHaveFailed() {
    FailurePeriod period = new FailurePeriod(Instant.EPOCH, FAILURE, FailurePeriod.CALM);
    period.failed(FAILURE, Instant.EPOCH);
    assertThat(period.line()).isEqualTo("IllegalStateException: no leader stopped a stream thread");
    period.failed(FAILURE, Instant.EPOCH.plusSeconds(7));
    assertThat(period.line())
        .isEqualTo(
            "IllegalStateException: no leader stopped a stream thread again, 2 times in 7 s");
  }
}
