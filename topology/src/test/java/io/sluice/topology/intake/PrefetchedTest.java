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
  void eachIsHandedOverAtItsTurnAndOnlyOnce() {
    EventRecord ten = put(FIRST, 10);
    EventRecord twelve = put(FIRST, 12);

    assertThat(prefetched.take(FIRST, 9)).isEmpty();
    assertThat(prefetched.take(FIRST, 10)).containsSame(ten);
    assertThat(prefetched.take(FIRST, 10)).isEmpty();
    assertThat(prefetched.take(FIRST, 11)).isEmpty();
    assertThat(prefetched.take(SECOND, 12)).isEmpty();
    assertThat(prefetched.take(FIRST, 12)).containsSame(twelve);
    assertThat(prefetched.size()).isZero();
  }

  @Test
  void whatWasPassedOverIsDropped() {
    for (int offset = 0; offset < 10; offset++) put(FIRST, offset);
    prefetched.take(FIRST, 7);
    assertThat(prefetched.size()).isEqualTo(2);
  }

  @Test
  void whatIsPolledAgainTakesThePlaceOfWhatWasThere() {
    put(FIRST, 10);
    put(FIRST, 11);
    EventRecord again = put(FIRST, 10);
    assertThat(prefetched.size()).isEqualTo(1);
    assertThat(prefetched.take(FIRST, 10)).containsSame(again);

    EventRecord onceMore = put(FIRST, 10);
    assertThat(prefetched.take(FIRST, 10)).containsSame(onceMore);
  }

  @Test
  void ofAPartitionThatIsRevokedNothingIsLeft() {
    for (int offset = 0; offset < 1_000; offset++) {
      put(FIRST, offset);
      put(OTHER_TOPIC, offset);
      put(SECOND, offset);
    }
    prefetched.clockMs(0, 5);
    prefetched.forget(0);

    assertThat(prefetched.size()).isEqualTo(1_000);
    assertThat(prefetched.take(FIRST, 0)).isEmpty();
    assertThat(prefetched.clockMs(0, 3)).isEqualTo(3);
    prefetched.forget(1);
    assertThat(prefetched.isEmpty()).isTrue();
  }

  @Test
  void howeverManyArePolledOnlySoManyAreHeld() {
    for (int offset = 0; offset < 3 * Prefetched.MOST_PER_PARTITION; offset++) put(FIRST, offset);
    assertThat(prefetched.size()).isEqualTo(Prefetched.MOST_PER_PARTITION);
    assertThat(prefetched.take(FIRST, 0)).as("the next one is there").isPresent();
    assertThat(prefetched.take(FIRST, 2 * Prefetched.MOST_PER_PARTITION)).isEmpty();
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
    put(FIRST, 1);
    prefetched.fallBehind(FIRST, 1, ann);
    put(FIRST, 2);
    put(SECOND, 1);
    assertThat(prefetched.isBehind(FIRST, ann)).isTrue();
    assertThat(prefetched.isBehind(FIRST, bob)).isFalse();
    assertThat(prefetched.isBehind(SECOND, ann)).isFalse();

    prefetched.take(FIRST, 1);
    assertThat(prefetched.isBehind(FIRST, ann)).as("taken, but not processed").isTrue();
    prefetched.take(FIRST, 2);
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
      put(FIRST, offset);
      prefetched.fallBehind(FIRST, offset, buckets("user" + offset));
      prefetched.take(FIRST, offset);
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

  private EventRecord put(TopicPartition partition, long offset) {
    EventRecord event = new EventRecord(new byte[0]);
    prefetched.put(partition, offset, event);
    return event;
  }
}
