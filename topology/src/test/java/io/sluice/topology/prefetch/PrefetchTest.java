package io.sluice.topology.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.StartException;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metering.Meters;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrefetchTest {
  private static final String BUFFERED = "buffered.records.per.partition";
  private static final String HANDLER = "processing.exception.handler";

  private static Properties prepared(String... lines) {
    SluiceConfig config = SluiceConfig.of(ConfigText.without(lines));
    Properties streams = config.streams();
    Prefetch.by(Meters.services(config), streams);
    return streams;
  }

  @Test
  void kafkaStreamsBuffersEightBatches() {
    assertThat(prepared()).containsEntry(BUFFERED, "8");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "500, 2", "10000, 40"})
  void numberOfBufferedRecordsIsThatOfEvents(String records, String batches) {
    assertThat(prepared(BUFFERED + "=" + records)).containsEntry(BUFFERED, batches);
  }

  @Test
  void handlerThatSkipsRecordsIsRefused() {
    String skips = "org.apache.kafka.streams.errors.LogAndContinueProcessingExceptionHandler";
    assertThatThrownBy(() -> prepared(HANDLER + "=" + skips))
        .isInstanceOf(StartException.class)
        .hasMessageContainingAll(HANDLER, skips, "LogAndFailProcessingExceptionHandler");
    String fails = "org.apache.kafka.streams.errors.LogAndFailProcessingExceptionHandler";
    assertThat(prepared(HANDLER + "=" + fails)).containsEntry(HANDLER, fails);
  }
}
