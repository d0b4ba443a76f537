package io.sluice.topology.simulation;

import io.sluice.rules.event.Origin;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Headers by which a record of a simulation is recognised when it comes out of the topology: its
 * number and its original coordinates.
 */
final class Marks {
  private static final String NUMBER = "simulated-number";

  /**
   * Name of the header with the record's original topic, partition and offset, since the simulated
   * topic has different offsets.
   */
  private static final String ORIGIN = "simulated-origin";

  private Marks() {}

  /** Returns a copy of a record's headers, with a number and original coordinates added. */
  static Headers added(Headers given, long number, Origin origin) {
    Headers headers = new RecordHeaders(given);
    headers.add(NUMBER, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    return headers.add(ORIGIN, origin.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the number with which a record was published to the simulation. */
  static long number(Headers headers) {
    return ByteBuffer.wrap(headers.lastHeader(NUMBER).value()).getLong();
  }

  /** Returns the original topic, partition and offset of a record. */
  static Origin origin(Headers headers) {
    return Origin.parse(SimulatedVerdict.header(headers, ORIGIN));
  }
}
