package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.intake.RecordSizes.Sending;
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
    return new RecordSizes(Map.of("out", bytes), new Sending(1 << 24, how));
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
      java.util.Arrays.fill(value, 0, same, (byte) 'a'); // so much of it can be compressed
      RecordHeaders headers = new RecordHeaders();
      for (int h = random.nextInt(4); h > 0; h--) headers.add("header" + h, noise(h * 100));
      headers.add("null", null);
      int real =
          MemoryRecords.withRecords(how, new SimpleRecord(1L, KEY, value, headers.toArray()))
              .sizeInBytes();
      assertThat(taking(real - 1, compression).fit("out", KEY, value, headers, 0))
          .as("%d bytes, %d the same", value.length, same)
          .isFalse();
      int enough = real + real / 100 + 200;
      assertThat(taking(enough, compression).fit("out", KEY, value, headers, 0)).isTrue();
    }
  }

  @Test
  void whatTheProducerWouldNotSendDoesNotFitHoweverWellItCompresses() {
    RecordSizes sizes =
        new RecordSizes(Map.of("out", 100_000), new Sending(1_000_000, Compression.lz4().build()));
    assertThat(sizes.fit("out", KEY, new byte[990_000], NONE, 0)).isTrue();
    assertThat(sizes.fit("out", KEY, new byte[1_000_000], NONE, 0)).isFalse();
    assertThat(sizes.fit("elsewhere", KEY, new byte[1_000_000], NONE, 0)).isFalse();
  }

  @Test
  void aTopicThatRefusesIsBelievedToTakeLessEachTime() {
    RecordSizes sizes = taking(1_000_000, "none");
    byte[] value = new byte[700_000];
    assertThat(sizes.fit("out", KEY, value, NONE, 0)).isTrue();
    sizes.refused("out", KEY, value, NONE);
    assertThat(sizes.fit("out", KEY, value, NONE, 0)).isFalse();
    int before = sizes.mostBytes("out");
    sizes.refused("out", KEY, value, NONE); // what was looked at was smaller than what was sent
    assertThat(sizes.mostBytes("out")).isLessThan(before);
    assertThat(sizes.takenByAll()).isLessThanOrEqualTo(sizes.mostBytes("out"));
  }

  /** As one with compression.type=uncompressed does. */
  @Test
  void oneRecordThatCompressesWellDoesNotTakeTheRoomOfOthers() {
    RecordSizes sizes = taking(1_000_000, "gzip");
    byte[] spaces = new byte[1_200_000];
    assertThat(sizes.fit("out", KEY, spaces, NONE, 0)).isTrue();
    sizes.refused("out", KEY, spaces, NONE);
    sizes.refused("out", KEY, spaces, NONE); // by another thread, or from the same batch
    assertThat(sizes.fit("out", KEY, spaces, NONE, 0)).isFalse();
    assertThat(sizes.fit("out", KEY, noise(900_000), NONE, 0)).isTrue();
  }

  @Test
  void aTopicNobodyKnowsIsBelievedToTakeAnything() {
    assertThat(RecordSizes.any().fit("out", null, new byte[50_000_000], NONE, 0)).isTrue();
  }
}
