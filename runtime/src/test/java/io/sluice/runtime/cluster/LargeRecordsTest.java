package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.RecordSizes.Most;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
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

  /** Larger batches would all be refused, split and sent again. */
  @ParameterizedTest
  @CsvSource({"1048588, 131072", "65536, 65536", "1000, 16384"})
  void aBatchIsNoLargerThanATopicTakes(int takes, String batch) {
    SluiceConfig config = SluiceConfig.of(SettingLines.withLimit());
    Properties streams = config.streams();

    LargeRecords.provideFor(config, ofSize(takes), streams);

    assertThat(streams).containsEntry("producer.batch.size", batch);
  }

  /** The producer reserves a whole batch for each partition, and has 32 MiB. */
  @ParameterizedTest
  @CsvSource({"128, 131072", "256, 65536", "1000, 16777", "100000, 16384"})
  void openBatchesOfAllPartitionsFitIntoTheProducersMemory(int partitions, String batch) {
    SluiceConfig config = SluiceConfig.of(SettingLines.withLimit());
    Properties streams = config.streams();

    LargeRecords.provideFor(config, ofSize(1_048_588, partitions), streams);

    assertThat(streams).containsEntry("producer.batch.size", batch);
  }

  @ParameterizedTest
  @CsvSource({"batch.size, 1", "batch.size, 200000", "producer.batch.size, 200000"})
  void aBatchThatIsGivenStays(String key, String size) {
    SluiceConfig config = SluiceConfig.of(SettingLines.withLimit(key + "=" + size));
    Properties streams = config.streams();

    LargeRecords.provideFor(config, ofSize(20_000), streams);

    assertThat(streams).containsEntry(key, size);
    assertThat(Set.of("batch.size", "producer.batch.size"))
        .filteredOn(streams::containsKey)
        .containsExactly(key);
  }

  private static TopicSetup.Prepared ofSize(int takes) {
    return ofSize(takes, 1);
  }

  private static TopicSetup.Prepared ofSize(int takes, int partitions) {
    Map<String, Most> sizes =
        Map.of("in", new Most(1_048_588, "any"), "allowed", new Most(takes, "any"));
    return new TopicSetup.Prepared(partitions, 1_048_588, 1_048_588, sizes, false);
  }
}
