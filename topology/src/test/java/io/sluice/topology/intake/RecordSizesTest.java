package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.intake.RecordSizes.Most;
import io.sluice.topology.intake.RecordSizes.Sending;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordSizesTest {
  private static final byte[] KEY = "ada".getBytes(UTF_8);
  private static final Headers NONE = new RecordHeaders();

  private static RecordSizes taking(int bytes, String compression) {
    Compression how =
        compression.equals("none") ? Compression.NONE : Compression.of(compression).build();
    return sizes(Map.of("out", bytes), new Sending(1 << 24, how));
  }

  /** Returns the sizes of topics whose settings are not read again. */
  static RecordSizes sizes(Map<String, Integer> bytes, Sending sending) {
    Map<String, Most> most = new HashMap<>();
    bytes.forEach((topic, each) -> most.put(topic, new Most(each, "max.message.bytes")));
    return new RecordSizes(most, sending, (topic, now, then) -> {});
  }

  private static byte[] noise(int bytes) {
    byte[] noise = new byte[bytes];
    new SplittableRandom(1).nextBytes(noise);
    return noise;
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
  void whatFitsIsNeverMoreThanKafkaMakesOfIt(String compression) {
    Compression how =
        compression.equals("none") ? Compression.NONE : Compression.of(compression).build();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 60; i++) {
      byte[] value = noise(1 + random.nextInt(300_000));
      int same = random.nextInt(value.length);
      java.util.Arrays.fill(value, 0, same, (byte) 'a'); // the part that can be compressed
      RecordHeaders headers = new RecordHeaders();
      for (int h = random.nextInt(4); h > 0; h--) headers.add("header" + h, noise(h * 100));
      headers.add("null", null);
      int real =
          MemoryRecords.withRecords(how, new SimpleRecord(1L, KEY, value, headers.toArray()))
              .sizeInBytes();
      assertThat(taking(real - 1, compression).fit("out", KEY, value, headers))
          .as("%d bytes, %d the same", value.length, same)
          .isFalse();
      int enough = real + real / 100 + 200;
      assertThat(taking(enough, compression).fit("out", KEY, value, headers)).isTrue();
    }
  }

  @Test
  void whatTheProducerWouldNotSendDoesNotFitHoweverWellItCompresses() {
    RecordSizes sizes =
        sizes(Map.of("out", 100_000), new Sending(1_000_000, Compression.lz4().build()));
    assertThat(sizes.fit("out", KEY, new byte[990_000], NONE)).isTrue();
    assertThat(sizes.fit("out", KEY, new byte[1_000_000], NONE)).isFalse();
    assertThat(sizes.fit("elsewhere", KEY, new byte[1_000_000], NONE)).isFalse();
  }

  /** A topic with compression.type=uncompressed refuses it. */
  @Test
  void oneRecordThatCompressesWellDoesNotTakeTheRoomOfOthers() {
    RecordSizes sizes = taking(1_000_000, "gzip");
    byte[] spaces = new byte[1_200_000];
    assertThat(sizes.fit("out", KEY, spaces, NONE)).isTrue();
    sizes.refused("out", KEY, spaces, NONE);
    sizes.refused("out", KEY, spaces, NONE); // by another thread, or from the same batch
    assertThat(sizes.fit("out", KEY, spaces, NONE)).isFalse();
    assertThat(sizes.fit("out", KEY, noise(900_000), NONE)).isTrue();
  }

  @Test
  void aTopicNobodyKnowsIsBelievedToTakeAnything() {
    assertThat(RecordSizes.any().fit("out", null, new byte[50_000_000], NONE)).isTrue();
  }
}
