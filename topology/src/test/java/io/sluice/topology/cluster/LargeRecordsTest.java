package io.sluice.topology.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.config.ConfigText;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LargeRecordsTest {
  @ParameterizedTest
  @ValueSource(ints = {1_048_588, 2_097_164})
  void theProducerSendsSixteenTimesWhatAnInputTakes(int input) {
    assertThat(LargeRecords.mostSent(input)).isEqualTo((input >> 20) * (16L << 20));
  }

  @Test
  void theProducerSendsNoMoreAtOnceThanABrokerReads() {
    assertThat(LargeRecords.mostSent(1_000)).isEqualTo(16 << 20);
    assertThat(LargeRecords.mostSent(10 << 20)).isEqualTo(64 << 20);
    assertThat(LargeRecords.mostSent(80 << 20)).isEqualTo(81 << 20);
    assertThat(LargeRecords.mostSent(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }

  /** Its batches would all be refused, and sent again in halves. */
  @ParameterizedTest
  @CsvSource({"1048588, 131072", "65536, 65536", "1000, 16384"})
  void aBatchIsNoLargerThanATopicTakes(int takes, String batch) {
    Map<String, Integer> sizes = Map.of("in", 1_048_588, "allowed", takes);
    Properties streams = ConfigText.config().streams();

    LargeRecords.provideFor(new TopicSetup.Prepared(1, 1_048_588, 1_048_588, sizes), streams);

    assertThat(streams).containsEntry("producer.batch.size", batch);
  }

  @Test
  void smallBatchesStaySmall() {
    Properties streams = ConfigText.config("batch.size=1").streams();

    LargeRecords.provideFor(
        new TopicSetup.Prepared(1, 1_000, 1_000, Map.of("in", 65_536)), streams);

    assertThat(streams).doesNotContainKey("producer.batch.size").containsEntry("batch.size", "1");
  }
}
