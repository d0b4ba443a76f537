package io.sluice.topology.simulation;

import io.sluice.rules.event.Origin;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Marks by which a record of a simulation is recognised, in headers that stay with it. */
final class Marks {
  private static final String NUMBER = "simulated-number";

  /** Header with the original coordinates, since the simulated topic has offsets of its own. */
  private static final String ORIGIN = "simulated-origin";

  private Marks() {}

  /** Returns a copy of the headers with marks. */
  static Headers added(Headers given, long number, Origin origin) {
    Headers headers = new RecordHeaders(given);
    headers.add(NUMBER, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    return headers.add(ORIGIN, origin.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the number with which a record was published. */
  static long number(Headers headers) {
    return ByteBuffer.wrap(headers.lastHeader(NUMBER).value()).getLong();
  }

  /** Returns the original coordinates of a record. */
  static Origin origin(Headers headers) {
    return Origin.parse(SimulatedVerdict.header(headers, ORIGIN));
  }
}
