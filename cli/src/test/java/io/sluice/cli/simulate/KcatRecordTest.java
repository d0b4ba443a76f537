package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parses lines printed by kcat 1.7.1. */
class KcatRecordTest {
  private static final String PRINTED =
      "{\"topic\":\"user-actions\",\"partition\":3,\"offset\":17,\"tstype\":\"create\","
          + "\"ts\":1795353149440,\"broker\":1,\"headers\":[\"h\",\"v1\",\"h\",null,\"empty\",\"\"],"
          + "\"key\":\"ann\",\"payload\":\"{\\\"userId\\\":\\\"ann\\\",\\\"a\\\":\\\"\u6f22/\\\\n\\\"}\"}";

  private static Optional<ConsumerRecord<byte[], byte[]>> read(String line) {
    return KcatRecord.read(line.getBytes(UTF_8));
  }

  private static String text(byte[] bytes) {
    return bytes == null ? "(null)" : new String(bytes, UTF_8);
  }

  @Test
  void allThatKcatPrintsOfARecordIsRead() {
    ConsumerRecord<byte[], byte[]> record = read(PRINTED).orElseThrow();
    assertThat(record.topic()).isEqualTo("user-actions");
    assertThat(record.partition()).isEqualTo(3);
    assertThat(record.offset()).isEqualTo(17);
    assertThat(record.timestamp()).isEqualTo(1_795_353_149_440L);
    assertThat(text(record.key())).isEqualTo("ann");
    assertThat(text(record.value())).isEqualTo("{\"userId\":\"ann\",\"a\":\"\u6f22/\\n\"}");
    assertThat(
            StreamSupport.stream(record.headers().spliterator(), false)
                .map((Header header) -> header.key() + "=" + text(header.value())))
        .containsExactly("h=v1", "h=(null)", "empty=");
  }

  @Test
  void keyPayloadTimestampAndHeadersMayBeMissing() {
    ConsumerRecord<byte[], byte[]> tombstone =
        read("{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":null,\"payload\":null}")
            .orElseThrow();
    assertThat(tombstone.key()).isNull();
    assertThat(tombstone.value()).isNull();
    assertThat(tombstone.timestamp()).isEqualTo(ConsumerRecord.NO_TIMESTAMP);
    assertThat(tombstone.headers()).isEmpty();
  }

  @Test
  void otherToolsMayHaveChangedTheOrderTheSpacesAndTheEscapes() {
    ConsumerRecord<byte[], byte[]> record =
        read(" { \"payload\" : \"\\u00e9\\ud83d\\ude00\\/\\b\\f\\t\" , \"key\" : \"k\" ,"
                + " \"headers\" : [ ] , \"offset\" : 2 , \"topic\" : \"t\" , \"partition\" : 0 } ")
            .orElseThrow();
    assertThat(text(record.value())).isEqualTo("\u00e9\ud83d\ude00/\b\f\t");
  }

  /** Events with similar fields and damaged records are not kcat records. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{",
        "[]",
        "{\"userId\":\"ann\",\"action\":\"post\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":null}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"payload\":\"p\"}",
        "{\"topic\":\"t\",\"offset\":2,\"key\":null,\"payload\":\"p\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":null,\"payload\":\"p\",\"userId\":\"u\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":null,\"payload\":\"p\",\"key\":\"k\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":null,\"payload\":{\"userId\":\"u\"}}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":null,\"payload\":\"p\"} {}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":null,\"payload\":\"p",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":null,\"payload\":\"\\ud83d\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":null,\"payload\":\"\\x\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":nil,\"payload\":\"p\"}",
        "{\"topic\":\"\",\"partition\":0,\"offset\":2,\"key\":null,\"payload\":\"p\"}",
        "{\"topic\":\"t\",\"partition\":\"0\",\"offset\":2,\"key\":null,\"payload\":\"p\"}",
        "{\"topic\":\"t\",\"partition\":-1,\"offset\":2,\"key\":null,\"payload\":\"p\"}",
        "{\"topic\":\"t\",\"partition\":2147483648,\"offset\":2,\"key\":null,\"payload\":\"p\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":-2,\"key\":null,\"payload\":\"p\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2.5,\"key\":null,\"payload\":\"p\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":9999999999999999999,\"key\":null,\"payload\":\"\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"headers\":[\"h\"],\"key\":null,\"payload\":\"\"}",
        "{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"headers\":[null,\"v\"],\"key\":\"\",\"payload\":\"\"}",
      })
  void anythingElseIsNoRecordOfKcat(String line) {
    assertThat(read(line)).isEmpty();
  }

  /** kcat prints bytes unchanged, except those that JSON strings must escape. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void bytesOfAnyKindComeOutAsTheyWentIn(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      byte[] key = new byte[random.nextInt(20)];
      byte[] value = new byte[random.nextInt(200)];
      random.nextBytes(key);
      random.nextBytes(value);
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      line.writeBytes("{\"topic\":\"t\",\"partition\":0,\"offset\":2,\"key\":".getBytes(UTF_8));
      line.writeBytes(printed(key));
      line.writeBytes(",\"payload\":".getBytes(UTF_8));
      line.writeBytes(printed(value));
      line.write('}');
      ConsumerRecord<byte[], byte[]> record = KcatRecord.read(line.toByteArray()).orElseThrow();
      assertThat(record.key()).isEqualTo(key);
      assertThat(record.value()).isEqualTo(value);
    }
  }

  private static byte[] printed(byte[] bytes) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    printed.write('"');
    for (byte each : bytes) printed.writeBytes(escaped(each).getBytes(ISO_8859_1));
    printed.write('"');
    return printed.toByteArray();
  }

  private static String escaped(byte each) {
    char c = (char) (each & 0xff);
    int named = "\"\\\b\f\n\r\t".indexOf(c);
    if (named >= 0) return "\\" + "\"\\bfnrt".charAt(named);
    return c < ' ' ? "\\u%04X".formatted((int) c) : String.valueOf(c);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void damagedLinesAreReadOrNotAndNothingElse(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Boolean> found = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      byte[] line = PRINTED.getBytes(UTF_8);
      for (int j = random.nextInt(1, 3); j > 0; j--) {
        line[random.nextInt(line.length)] = (byte) random.nextInt(256);
      }
      found.add(KcatRecord.read(line).isPresent());
    }
    assertThat(found).contains(true, false);
  }
}
