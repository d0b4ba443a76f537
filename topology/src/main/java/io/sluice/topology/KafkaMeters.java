package io.sluice.topology;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;

/** Which of the metrics of Kafka Streams and its clients are worth a place in a scrape. */
final class KafkaMeters implements MeterFilter {
  @Override
  public MeterFilterReply accept(Meter.Id id) {
    return MeterFilterReply.ACCEPT;
  }
}
