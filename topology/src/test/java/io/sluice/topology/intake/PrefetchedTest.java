package io.sluice.topology.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class PrefetchedTest {
  private static final TopicPartition FIRST = new TopicPartition("in", 0);
  private static final TopicPartition OTHER_TOPIC = new TopicPartition("in2", 0);
  private static final TopicPartition SECOND = new TopicPartition("in", 1);

  private final Prefetched prefetched = new Prefetched();

  @Test
  void ofAPartitionThatIsRevokedNothingIsLeft() {
    for (TopicPartition each : List.of(FIRST, OTHER_TOPIC, SECOND)) {
      prefetched.polled(each, 1);
      prefetched.fallBehind(each, 1, buckets("ann"));
    }
    prefetched.clockMs(0, 5);
    prefetched.forget(0);

    assertThat(prefetched.isBehind(FIRST, buckets("ann"))).isFalse();
    assertThat(prefetched.isBehind(SECOND, buckets("ann"))).isTrue();
    assertThat(prefetched.clockMs(0, 3)).isEqualTo(3);
    prefetched.forget(1);
    assertThat(prefetched.isBehind(SECOND, buckets("ann"))).isFalse();
  }

  @Test
  void eventsThatArePolledAgainAreBehindNothingOfBefore() {
    prefetched.polled(FIRST, 10);
    prefetched.fallBehind(FIRST, 10, buckets("ann"));
    prefetched.polled(FIRST, 9);
    assertThat(prefetched.isBehind(FIRST, buckets("ann"))).isFalse();
  }

  @Test
  void aClockNeverGoesBack() {
    assertThat(prefetched.clockMs(0, 7)).isEqualTo(7);
    assertThat(prefetched.clockMs(0, 5)).isEqualTo(7);
    assertThat(prefetched.clockMs(1, 5)).isEqualTo(5);
  }

  @Test
  void whoChargesTheSameAsOneThatIsBehindIsBehindToo() {
    List<Bucket> ann = buckets("ann");
    List<Bucket> bob = buckets("bob");
    prefetched.polled(FIRST, 1);
    prefetched.fallBehind(FIRST, 1, ann);
    prefetched.polled(FIRST, 2);
    prefetched.polled(SECOND, 1);
    assertThat(prefetched.isBehind(FIRST, ann)).isTrue();
    assertThat(prefetched.isBehind(FIRST, bob)).isFalse();
    assertThat(prefetched.isBehind(SECOND, ann)).isFalse();

    prefetched.processed(FIRST, 0);
    assertThat(prefetched.isBehind(FIRST, ann)).isTrue();
    prefetched.processed(FIRST, 1);
    assertThat(prefetched.isBehind(FIRST, ann)).isFalse();
  }

  @Test
  void whoChargesTheSameAsARetryThatWaitsIsBehindIt() {
    prefetched.retryWaits(0, row(1), buckets("ann"));
    prefetched.retryWaits(0, row(2), buckets("ann"));
    assertThat(prefetched.isBehind(FIRST, buckets("bob"))).isFalse();
    assertThat(prefetched.isBehind(SECOND, buckets("ann"))).isFalse();
    prefetched.retryLeft(0, row(1));
    assertThat(prefetched.isBehind(FIRST, buckets("ann"))).isTrue();
    prefetched.retryLeft(0, row(2));
    assertThat(prefetched.isBehind(FIRST, buckets("ann"))).isFalse();
  }

  /** Memory is limited and the order is kept: with more retries, every event waits for its turn. */
  @Test
  void behindMoreRetriesThanAreRememberedAreAll() {
    for (int i = 0; i < Prefetched.MOST_RETRIES; i++)
      prefetched.retryWaits(0, row(i), buckets("ann"));
    assertThat(prefetched.isBehind(FIRST, buckets("bob"))).isFalse();
    prefetched.retryWaits(0, row(-1), buckets("cat"));
    assertThat(prefetched.isBehind(FIRST, buckets("bob"))).isTrue();
    prefetched.retryLeft(0, row(0));
    assertThat(prefetched.isBehind(FIRST, buckets("bob"))).isTrue();
    prefetched.retryLeft(0, row(-1));
    assertThat(prefetched.isBehind(FIRST, buckets("bob"))).isFalse();
    assertThat(prefetched.isBehind(FIRST, buckets("ann"))).isTrue();
  }

  @Test
  void ofThoseThatHaveHadTheirTurnLittleIsKept() {
    for (int offset = 0; offset < 10_000; offset++) {
      prefetched.polled(FIRST, offset);
      prefetched.fallBehind(FIRST, offset, buckets("user" + offset));
      prefetched.processed(FIRST, offset - 1);
    }
    assertThat(prefetched.behind(FIRST)).isLessThan(2_000);
    assertThat(prefetched.isBehind(FIRST, buckets("user9999"))).isTrue();
    assertThat(prefetched.isBehind(FIRST, buckets("user9998"))).isFalse();
  }

  private static Bytes row(int number) {
    return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  private static List<Bucket> buckets(String user) {
    Quota quota = Quota.of(1, Duration.ofSeconds(1));
    return List.of(new Bucket(Rule.policing("limit", quota, Algorithm.GCRA), user));
  }
}
