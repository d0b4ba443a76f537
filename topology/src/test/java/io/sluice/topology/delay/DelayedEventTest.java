package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.intake.EventRecord;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Round trips of the stored form of a delayed event, which is all that is kept of the event. */
class DelayedEventTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatIsReadIsWhatWasWritten(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 500; i++) {
      DelayedEvent event = random(random);
      DelayedEvent read = DelayedEvent.of(event.toBytes());
      assertThat(read.record().key()).isEqualTo(event.record().key());
      assertThat(read.record().value().bytes()).isEqualTo(event.record().value().bytes());
      assertThat(read.record().timestamp()).isEqualTo(event.record().timestamp());
      Header[] headers = event.record().headers().toArray();
      assertThat(read.record().headers().toArray()).containsExactly(headers);
      assertThat(read.metersAgain()).isEqualTo(event.metersAgain());
      assertThat(read.turn().ticket()).isEqualTo(event.turn().ticket());
      assertThat(read.turn().keys()).containsExactlyElementsOf(event.turn().keys());
    }
  }

  private static DelayedEvent random(SplittableRandom random) {
    Headers headers = new RecordHeaders();
    for (int left = random.nextInt(12); left > 0; left--) {
      headers.add(name(random), random.nextInt(5) == 0 ? null : bytes(random, 300));
    }
    byte[] key = random.nextInt(4) == 0 ? null : bytes(random, 200);
    EventRecord value = new EventRecord(bytes(random, 1_000));
    Turn turn =
        random.nextBoolean()
            ? Turn.NONE
            : new Turn(random.nextLong(), List.of(bytes(random, 200), bytes(random, 2)));
    long timestampMs = random.nextLong(1L << 48);
    return new DelayedEvent(
        new Record<>(key, value, timestampMs, headers), random.nextBoolean(), turn);
  }

  private static String name(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> "";
      case 1 -> "sluice-release-at-ms";
      case 2 -> "näme☃" + random.nextInt();
      default -> new String(bytes(random, 40), UTF_8);
    };
  }

  private static byte[] bytes(SplittableRandom random, int most) {
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }
}
