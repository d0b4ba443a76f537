package io.sluice.guarantees;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Key, value, timestamp and headers of a record are those it came with; only headers of Sluice's
 * are added. The timestamp says nothing where the broker has written its own.
 */
final class BytesUntouched implements Guarantee {
  @Override
  public long cases(History history) {
    return history.ends().count();
  }

  @Override
  public Stream<String> violations(History history) {
    return history
        .ends()
        .filter(end -> history.inputOf(end) != null)
        .flatMap(end -> differences(history.inputOf(end), end));
  }

  private static Stream<String> differences(Kept input, Kept end) {
    ConsumerRecord<byte[], byte[]> before = input.record();
    ConsumerRecord<byte[], byte[]> after = end.record();
    List<String> differing = new ArrayList<>();
    if (!Arrays.equals(before.key(), after.key())) differing.add("key");
    if (!Arrays.equals(before.value(), after.value())) differing.add("value");
    if (!end.isTimedByBroker() && before.timestamp() != after.timestamp()) {
      differing.add("timestamp " + before.timestamp() + " -> " + after.timestamp());
    }
    if (!headers(before).equals(headers(after))) differing.add("headers");
    if (differing.isEmpty()) return Stream.of();
    return Stream.of(end + " is not what came in at " + input.at() + ": " + differing);
  }

  private record NameAndValue(String name, List<Byte> value) {}

  /** In order, without those that Sluice adds. */
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
