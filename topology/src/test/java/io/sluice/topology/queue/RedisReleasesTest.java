package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.redis.Releases;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Matching;
import io.sluice.topology.TestEvent;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.metering.Meters;
import io.sluice.topology.queue.HeadMeter.Head;
import io.sluice.topology.redis.FakeRedis;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Test;

/** Tests of what Redis is told about committed releases. */
class RedisReleasesTest {
  private final SluiceConfig config =
      ConfigText.config(
          "sluice.limit.reply.backend=redis",
          "sluice.limit.reply.exceeded=queue",
          "sluice.redis.uri=redis://localhost:6379");
  private final FakeRedis redis = new FakeRedis();
  private final RedisReleases releases = releases();
  private long nowMs = 1_700_000_000_000L;

  private RedisReleases releases() {
    MeteringServices services = redis.in(Meters.services(config));
    Properties settings = new Properties();
    settings.put("commit.interval.ms", "100");
    return new RedisReleases(services, () -> "app/0", new MockProcessorContext<>(settings));
  }

  private Releases ask() {
    return ask("e" + nowMs);
  }

  private Releases ask(String id) {
    Event event = TestEvent.event("ann", "reply", "");
    List<Limit> limits = config.limits().all();
    Arrival arrival =
        Arrival.release(new Arrival(id, 1, 0).identity(), 1, nowMs * 1_000, nowMs * 1_000);
    EventRecord record = new EventRecord(new byte[0]);
    record.opened(event, Origin.of("user-actions", 0, 0), nowMs);
    Head head = new Head(record, Matching.of(List.of(), limits), arrival, 0, nowMs - 50);
    releases.ask(List.of(releases.head(head, arrival, Standing.NONE)), nowMs);
    return redis.lastReleases;
  }

  private void tickAfterMs(long ms) {
    nowMs += ms;
    releases.tick(nowMs);
  }

  @Test
  void releasesAreKeptUntilTheirCommitIsSure() {
    tickAfterMs(25);
    assertThat(ask().committed()).isZero();
    for (int i = 0; i < 15; i++) {
      tickAfterMs(1_000);
      Releases next = ask();
      assertThat(next.committed()).isZero();
      assertThat(next.firstNumber()).isEqualTo(2 + i);
    }
    tickAfterMs(1_000);
    assertThat(ask().committed()).isZero();
    tickAfterMs(1_000);
    assertThat(ask().committed()).isEqualTo(1);
  }

  @Test
  void longPauseCommitsNothingByItself() {
    tickAfterMs(25);
    ask();
    tickAfterMs(60_000);
    assertThat(ask().committed()).isZero();
    tickAfterMs(25);
    assertThat(ask().committed()).isEqualTo(1);
  }

  @Test
  void headsOfACallThatFailedAreRecognisedUntilTheyAreAskedAgain() {
    tickAfterMs(25);
    ask();
    redis.there = false;
    long failedMs = nowMs;
    assertThatThrownBy(this::ask).isInstanceOf(LimiterUnavailableException.class);
    redis.comesBack();
    for (int i = 0; i < 3; i++) tickAfterMs(60_000);
    assertThat(ask().committed()).isEqualTo(1);

    ask("e" + failedMs);
    tickAfterMs(25);
    tickAfterMs(60_000);
    tickAfterMs(60_000);
    assertThat(ask().committed()).isGreaterThan(2);
  }
}
