package io.sluice.topology.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
}
