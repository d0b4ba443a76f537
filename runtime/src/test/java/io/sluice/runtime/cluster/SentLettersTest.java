package io.sluice.runtime.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class SentLettersTest {
  private static final Uuid ID = new Uuid(3, 4);

  private final SentLetters sent = new SentLetters(Map.of("dead", ID));

  private static RecordPosition letter(long offset) {
    return new RecordPosition("dead", 0, offset);
  }

  private static SentLetters read(Uuid id, List<ProducerRecord<byte[], byte[]>> records) {
    SentLetters read = new SentLetters(Map.of("dead", id));
    records.forEach(each -> read.read(each.key(), each.value()));
    return read;
  }

  @Test
  void whatWasWrittenIsReadAgain() {
    SplittableRandom random = new SplittableRandom(1);
    Set<Long> some = new HashSet<>();
    for (int i = 0; i < 1_000; i++) some.add(random.nextLong(50_000));
    for (long each : some) sent.add(letter(each));
    SentLetters read = read(ID, sent.changes("record"));
    for (long i = 0; i < 50_000; i++) {
      assertThat(read.contains(letter(i))).as("%d", i).isEqualTo(some.contains(i));
    }
    assertThat(read.contains(new RecordPosition("dead", 1, some.iterator().next()))).isFalse();
  }

  /** A million letters take some hundred records of a kilobyte. */
  @Test
  void aLetterTakesABit() {
    for (int i = 0; i < 100_000; i += 2) sent.add(letter(i));
    List<ProducerRecord<byte[], byte[]>> records = sent.changes("record");
    assertThat(records).hasSize(13).allMatch(each -> each.topic().equals("record"));
    assertThat(records).allMatch(each -> each.value().length <= 17 + 1_024);
  }

  @Test
  void onlyChangesAreWrittenAgain() {
    sent.add(letter(5));
    sent.written();
    assertThat(sent.changes("record")).isEmpty();
    sent.add(letter(2 * SentLetters.OFFSETS + 3));
    assertThat(sent.changes("record"))
        .singleElement()
        .satisfies(each -> assertThat(new String(each.key(), UTF_8)).isEqualTo("dead-0-16384"));
  }

  @Test
  void aRecordHasThisFormat() {
    sent.add(letter(SentLetters.OFFSETS));
    sent.add(letter(SentLetters.OFFSETS + 9));
    ProducerRecord<byte[], byte[]> record = sent.changes("record").get(0);
    assertThat(new String(record.key(), UTF_8)).isEqualTo("dead-0-8192");
    assertThat(record.value())
        .containsExactly(1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 1, 2);
  }

  /** In a topic that was deleted and created again, the same offsets are other letters. */
  @Test
  void lettersOfAFormerTopicWithTheNameAreNotSent() {
    sent.add(letter(5));
    SentLetters read = read(new Uuid(5, 6), sent.changes("record"));
    assertThat(read.contains(letter(5))).isFalse();
    read.add(letter(6));
    assertThat(read.contains(letter(5))).isFalse();
    assertThat(read.contains(letter(6))).isTrue();
  }

  @Test
  void lettersThatTheirTopicHasDeletedAreForgotten() {
    sent.add(letter(5));
    sent.add(letter(SentLetters.OFFSETS + 5));
    sent.add(new RecordPosition("dead", 1, 5));
    sent.written();
    sent.retainSince(Map.of(new TopicPartition("dead", 0), (long) SentLetters.OFFSETS));
    assertThat(sent.contains(letter(5))).isFalse();
    assertThat(sent.contains(letter(SentLetters.OFFSETS + 5))).isTrue();
    assertThat(sent.changes("record"))
        .allMatch(each -> each.value() == null)
        .extracting(each -> new String(each.key(), UTF_8))
        .containsExactlyInAnyOrder("dead-0-0", "dead-1-0");
  }

  @Test
  void lettersOfAnotherTopicAreKept() {
    SentLetters other = new SentLetters(Map.of("other", ID));
    sent.add(letter(5));
    sent.changes("record").forEach(each -> other.read(each.key(), each.value()));
    other.retainSince(Map.of());
    assertThat(other.changes("record")).isEmpty();
  }

  @Test
  void aTombstoneRemovesARecord() {
    sent.add(letter(5));
    SentLetters read = read(ID, sent.changes("record"));
    read.read("dead-0-0".getBytes(UTF_8), null);
    assertThat(read.contains(letter(5))).isFalse();
  }

  /** Letters of such a record would be sent again, so they are not taken for letters to send. */
  @Test
  void anUnknownRecordIsRefused() {
    byte[] value = new byte[20];
    value[0] = 2;
    for (String key : List.of("dead-0-0", "dead-0-1", "dead")) {
      assertThatThrownBy(() -> sent.read(key.getBytes(UTF_8), value))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> sent.read("dead-0-0".getBytes(UTF_8), new byte[] {1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> sent.read(null, value)).isInstanceOf(IllegalArgumentException.class);
  }
}
