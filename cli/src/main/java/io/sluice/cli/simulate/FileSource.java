package io.sluice.cli.simulate;

import io.sluice.topology.simulation.Simulation;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Source of past events from a file. An entry of the file is an event, or a record in the JSON
 * format of {@code kcat -J}.
 */
final class FileSource implements Source {
  private static final String NOT_JSON = "not JSON: an event is an object, in braces";

  private final Entries entries;
  private byte[] entry = {};

  FileSource(Entries entries) {
    this.entries = entries;
  }

  @Override
  public boolean next() throws IOException {
    while (entries.next()) {
      entry = entries.bytes();
      if (entry.length > 0 || entries.isTooLong()) return true;
    }
    return false;
  }

  @Override
  public String place() {
    return noun() + " " + entries.number();
  }

  @Override
  public void feed(Simulation simulation, Simulation.Output output) {
    if (entries.isTooLong()) {
      output.notAnEvent("longer than " + Lines.LONGEST + " bytes");
    } else if (!entries.kind().beginsLikeEvent(entry)) {
      // An entry that cannot be an event is not decoded: if it began with a zero byte, the decoder
      // would look up a schema in a registry.
      simulation.passOver();
      output.notAnEvent(NOT_JSON);
    } else {
      feedEvent(simulation, output);
    }
  }

  private void feedEvent(Simulation simulation, Simulation.Output output) {
    Optional<ConsumerRecord<byte[], byte[]>> record = KcatRecord.read(entry);
    if (record.isPresent()) simulation.feed(record.get(), output);
    else simulation.feed(entry, output);
  }

  @Override
  public String noun() {
    return entries.kind().noun;
  }

  @Override
  public boolean canBeSorted() {
    return true;
  }

  /**
   * Returns the time of an entry's event in epoch milliseconds; empty if the entry is not an event
   * or has no time.
   */
  static OptionalLong timeOf(Entries entries, byte[] entry, Simulation simulation) {
    if (entries.isTooLong() || !entries.kind().beginsLikeEvent(entry)) return OptionalLong.empty();
    Optional<ConsumerRecord<byte[], byte[]>> record = KcatRecord.read(entry);
    return record.isPresent() ? simulation.timeOf(record.get()) : simulation.timeOf(entry);
  }
}
