package io.sluice.topology.prefetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PollOrderTest {
  private static final long FAULTY = -1;
  private static final EventOpener OPENER = opener();

  private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> polled =
      new LinkedHashMap<>();

  @Test
  void ofTheTopicsOfATaskTheEarliestIsNext() {
    brings("left", 0, 10, 40, 50);
    brings("right", 0, 20, 30, 60);
    assertThat(order()).containsExactly("l10", "r20", "r30", "l40", "l50", "r60");
  }

  @Test
  void oneTopicStaysInItsOrderThoughTimesGoBack() {
    brings("left", 0, 10, 90, 20, 30);
    brings("right", 0, 50);
    assertThat(order()).containsExactly("l10", "r50", "l90", "l20", "l30");
  }

  @Test
  void tasksDoNotWaitForEachOther() {
    brings("left", 1, 10, 20);
    brings("left", 0, 30, 40);
    brings("right", 1, 15);
    assertThat(order()).containsExactly("l30", "l40", "l10", "r15", "l20");
  }

  @Test
  void whatIsFaultyIsAsLateAsWhatWasBeforeIt() {
    brings("left", 0, 30, FAULTY, 40);
    brings("right", 0, FAULTY, 20, 35);
    assertThat(order()).containsExactly("r0", "r20", "l30", "l30", "r35", "l40");
  }

  @Test
  void aTopicCanBeLeftOut() {
    brings("delayed", 0, 5);
    brings("left", 0, 10);
    assertThat(order()).containsExactly("l10");
  }

  @Test
  void nothingIsOpenedBeforeItsTurnIsNear() {
    brings("left", 0, 10, 20, 30);
    List<Long> opened = new ArrayList<>();
    PollOrder order =
        new PollOrder(
            new ConsumerRecords<>(polled, Map.of()),
            "delayed",
            record -> {
              opened.add(record.offset());
              return OPENER.opened(record, false);
            });
    assertThat(order.hasNext()).isTrue();
    assertThat(opened).isEmpty();
    order.next();
    assertThat(opened).containsExactly(0L);
  }

  private static EventOpener opener() {
    SluiceConfig config = SluiceConfig.of(ConfigText.without());
    return new EventOpener(config.eventDecoder(), Instant::now, config.timeMaxAhead());
  }

  private void brings(String topic, int partition, long... timesMs) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (long timeMs : timesMs) {
      byte[] value =
          timeMs == FAULTY
              ? new byte[0]
              : "{\"userId\":\"ann\",\"action\":\"post\",\"occurredAt\":%d}"
                  .formatted(timeMs)
                  .getBytes(UTF_8);
      records.add(new ConsumerRecord<>(topic, partition, records.size(), null, value));
    }
    polled.put(new TopicPartition(topic, partition), records);
  }

  private List<String> order() {
    PollOrder order =
        new PollOrder(
            new ConsumerRecords<>(polled, Map.of()),
            "delayed",
            record -> OPENER.opened(record, false));
    List<String> seen = new ArrayList<>();
    order.forEachRemaining(
        opened -> seen.add(opened.partition().topic().charAt(0) + "" + opened.timeMs()));
    return seen;
  }
}
