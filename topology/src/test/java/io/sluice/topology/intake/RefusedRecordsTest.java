package io.sluice.topology.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.intake.RecordSizes.Most;
import io.sluice.topology.intake.RecordSizes.Sending;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that sizes of topics are learnt from the records that they refuse, and from their settings.
 */
class RefusedRecordsTest {
  private static final int PLENTY = 1 << 24;

  /** Settings of the topics at the broker, as far as they may be read. */
  private final Map<String, Integer> settings = new HashMap<>();

  private int described;

  private RecordSizes sizes(Map<String, Integer> known, Compression compression) {
    Map<String, Most> most = new HashMap<>();
    known.forEach((topic, bytes) -> most.put(topic, new Most(bytes, "max.message.bytes")));
    return new RecordSizes(most, new Sending(PLENTY, compression), this::describe);
  }

  private void describe(String topic, boolean now, Consumer<Most> then) {
    described++;
    if (settings.containsKey(topic)) {
      then.accept(new Most(settings.get(topic), "max.message.bytes"));
    }
  }

  private static void refuse(RecordSizes sizes, byte[] value) {
    sizes.refused("out", null, value, new RecordHeaders());
  }

  private static boolean fits(RecordSizes sizes, byte[] value) {
    long takenByAll = sizes.takenByAll();
    boolean fits = sizes.fit("out", null, value, new RecordHeaders());
    long plain = RecordSizes.bytes(null, value, new RecordHeaders());
    if (!fits) assertThat(takenByAll).isLessThan(plain);
    return fits;
  }

  private static byte[] noise(int bytes) {
    byte[] noise = new byte[bytes];
    new SplittableRandom(1).nextBytes(noise);
    return noise;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100})
  void aTopicIsNeverTakenToAcceptLessThanItHasAccepted(int times) {
    RecordSizes sizes = sizes(Map.of("out", 1_000_000), Compression.NONE);
    for (int i = 0; i < times; i++) refuse(sizes, new byte[300_000]);

    assertThat(fits(sizes, new byte[300_000])).isFalse();
    assertThat(fits(sizes, new byte[299_999])).isTrue();
    assertThat(sizes.lacking("out", null, new byte[400_000], new RecordHeaders(), 0))
        .contains("400082 bytes are too many for out: it has refused a record of 300082 bytes");
  }

  @Test
  void theSettingsAreReadAgainWhenATopicRefusesARecord() {
    RecordSizes sizes = sizes(Map.of("out", 1_000_000), Compression.NONE);
    settings.put("out", 100_000);
    refuse(sizes, new byte[300_000]);

    assertThat(fits(sizes, new byte[100_000 - 82])).isTrue();
    assertThat(fits(sizes, new byte[100_000 - 81])).isFalse();
    assertThat(sizes.lacking("out", null, new byte[300_000], new RecordHeaders(), 0))
        .contains("300082 bytes are too many for out: its max.message.bytes is 100000");
  }

  @Test
  void aTopicThatIsRaisedAgainTakesWhatItRefused() {
    RecordSizes sizes = sizes(Map.of("out", 1_000_000), Compression.NONE);
    settings.put("out", 100_000);
    refuse(sizes, new byte[300_000]);
    settings.put("out", 500_000);
    assertThat(fits(sizes, new byte[300_000])).as("until its settings are read again").isFalse();
    assertThat(fits(sizes, new byte[300_000])).isTrue();
  }

  /** Covers a proxy with a lower limit, or settings that have not reached the broker yet. */
  @Test
  void whatTheSettingsDoNotExplainIsRefusedUntilTheyAllowMore() {
    RecordSizes sizes = sizes(Map.of("out", 1_000_000), Compression.NONE);
    settings.put("out", 1_000_000);
    refuse(sizes, new byte[300_000]);
    for (int i = 0; i < 3; i++) assertThat(fits(sizes, new byte[300_000])).isFalse();
    assertThat(fits(sizes, new byte[299_999])).isTrue();
    settings.put("out", 2_000_000);
    fits(sizes, new byte[300_000]);
    assertThat(fits(sizes, new byte[300_000])).isTrue();
  }

  @Test
  void aTopicOfWhichNothingIsKnownIsLearntFromWhatItRefuses() {
    RecordSizes sizes = sizes(Map.of(), Compression.NONE);
    refuse(sizes, new byte[300_000]);
    refuse(sizes, new byte[400_000]);
    refuse(sizes, new byte[200_000]);

    assertThat(fits(sizes, new byte[200_000])).isFalse();
    assertThat(fits(sizes, new byte[199_999])).isTrue();
    assertThat(sizes.fit("elsewhere", null, new byte[400_000], new RecordHeaders())).isTrue();
  }

  /** The topic may check either size. */
  @Test
  void whatIsSmallerBeforeCompressionOrAfterMayPass() {
    RecordSizes sizes = sizes(Map.of(), Compression.gzip().build());
    byte[] spaces = new byte[1_200_000];
    refuse(sizes, spaces);
    assertThat(fits(sizes, spaces)).isFalse();
    assertThat(fits(sizes, noise(1_100_000))).as("more when it is compressed").isTrue();
    assertThat(sizes.fit("out", null, noise(1_300_000), new RecordHeaders())).isFalse();
  }

  @Test
  void manyRecordsThatAreRefusedTakeNoMoreRoomThanAFew() {
    RecordSizes sizes = sizes(Map.of(), Compression.gzip().build());
    for (int i = 0; i < 40; i++) {
      byte[] value = noise(200_000 + 5_000 * i);
      java.util.Arrays.fill(value, 0, 10_000 * i / 2, (byte) 0);
      refuse(sizes, value);
    }
    assertThat(fits(sizes, noise(200_000))).isFalse();
    assertThat(fits(sizes, new byte[100_000])).isTrue();
  }

  @Test
  void whatTheProducerDoesNotSendSaysNothingOfItsTopic() {
    RecordSizes sizes = sizes(Map.of("out", 1_000_000), Compression.gzip().build());
    refuse(sizes, new byte[PLENTY]);
    assertThat(described).isZero();
    assertThat(fits(sizes, noise(900_000))).isTrue();
    assertThat(sizes.lacking("out", null, new byte[PLENTY], new RecordHeaders(), 0))
        .isEqualTo(
            Optional.of(
                (PLENTY + 82)
                    + " bytes are too many to be sent: producer.max.request.size and"
                    + " producer.buffer.memory allow "
                    + PLENTY));
  }
}
