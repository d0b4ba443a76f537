package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Guarantee that a record leaves Sluice with its key, value, timestamp and headers: Sluice only
 * adds its own headers, and removes forged ones. Timestamps set by the broker are not compared. A
 * record without a timestamp, or with one so far ahead that brokers may refuse it, may get the time
 * of its event. A record too large for its topic becomes a dead letter that names the parts left
 * out and the original record.
 */
final class BytesUntouched implements Guarantee {
  /**
   * Time in milliseconds by which a record's timestamp may be ahead so that every broker surely
   * accepts it.
   */
  private static final long SURELY_TAKEN_MS = 20 * 60_000;

  @Override
  public long cases(History history) {
    return history.ends().count();
  }

  @Override
  public Stream<String> violations(History history) {
    DueEndings due = new DueEndings(history);
    return Stream.concat(
        history
            .ends()
            .flatMap(
                end ->
                    history.inputOf(end).stream().flatMap(input -> differences(due, input, end))),
        Stream.concat(history.allowed().stream(), history.rejected().stream())
            .flatMap(BytesUntouched::forged));
  }

  private static Stream<String> differences(DueEndings due, Kept input, Kept end) {
    List<String> leftOut = leftOut(due, input, end);
    if (!leftOut.isEmpty() && !end.header(Verdicts.ERROR_ORIGIN).equals(input.at())) {
      return misplaced(input, end, leftOut);
    }
    ConsumerRecord<byte[], byte[]> before = input.record();
    ConsumerRecord<byte[], byte[]> after = end.record();
    List<String> differing = new ArrayList<>();
    if (!Arrays.equals(before.key(), after.key())) differing.add("key");
    if (!Arrays.equals(before.value(), after.value())) differing.add("value");
    if (!end.isTimedByBroker() && !isTimestamp(input, end)) {
      differing.add("timestamp " + before.timestamp() + " -> " + after.timestamp());
    }
    if (!headers(before).equals(headers(after))) differing.add("headers");
    differing.removeAll(leftOut);
    if (differing.isEmpty()) return Stream.of();
    return Stream.of(end + " is not what came in at " + input.at() + ": " + differing);
  }

  /**
   * Whether the timestamp of an output record is right: that of the input record, or the time of
   * the event if the input record has no timestamp that a topic surely accepts.
   */
  private static boolean isTimestamp(Kept input, Kept end) {
    long ownMs = input.record().timestamp();
    long timestampMs = end.record().timestamp();
    boolean dead = !end.header(Verdicts.ERROR).isEmpty();
    if (dead && ownMs == Described.NO_TIMESTAMP)
      return true; // a dead letter has no event time to use
    Described event = input.event();
    boolean sound =
        ownMs != Described.NO_TIMESTAMP && ownMs - event.publishedAtMs() < SURELY_TAKEN_MS;
    return timestampMs == ownMs || (!sound && timestampMs == event.occurredAtMs());
  }

  /**
   * Returns the parts of the record that a dead letter names as left out, if the record may be too
   * large; an empty list otherwise.
   */
  private static List<String> leftOut(DueEndings due, Kept input, Kept end) {
    boolean mayBe =
        (input.event().kind() == Described.Kind.EITHER || due.isOutgrown(end))
            && !end.header(Verdicts.ERROR).isEmpty();
    String parts = end.header(Verdicts.ERROR_LEFT_OUT);
    return mayBe && !parts.isEmpty() ? List.of(parts.split(",")) : List.of();
  }

  private static Stream<String> misplaced(Kept input, Kept end, List<String> leftOut) {
    String origin = end.header(Verdicts.ERROR_ORIGIN);
    return Stream.of(
        end + " has no " + leftOut + " and is said to be at '" + origin + "', not " + input.at());
  }

  private static Stream<String> forged(Kept end) {
    return Arrays.stream(end.record().headers().toArray())
        .filter(header -> header.key().startsWith(Verdicts.PREFIX))
        .filter(header -> Arrays.equals(header.value(), Verdicts.forged()))
        .map(header -> end + " has a " + header.key() + " that came from outside");
  }

  private record NameAndValue(String name, List<Byte> value) {}

  /** Returns the headers of a record in their order, without those of Sluice. */
  private static List<NameAndValue> headers(ConsumerRecord<?, ?> record) {
    List<NameAndValue> headers = new ArrayList<>();
    for (Header header : record.headers()) {
      if (header.key().startsWith(Verdicts.PREFIX)) continue;
      headers.add(new NameAndValue(header.key(), boxed(header.value())));
    }
    return headers;
  }

  private static List<Byte> boxed(byte[] bytes) {
    if (Objects.isNull(bytes)) return null;
    List<Byte> boxed = new ArrayList<>(bytes.length);
    for (byte each : bytes) boxed.add(each);
    return boxed;
  }
}
