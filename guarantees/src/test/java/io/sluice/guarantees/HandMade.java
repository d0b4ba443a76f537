package io.sluice.guarantees;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** A history written by hand, record by record. */
final class HandMade {
  static final long NOON_MS = 1_790_000_000_000L;

  private final Map<String, List<Kept>> topics = new HashMap<>();
  private final List<String> strangers = new ArrayList<>();
  private long made;

  HandMade() {
    for (String topic : Topics.ALL) topics.put(topic, new ArrayList<>());
  }

  /** An event that ann published at so many milliseconds after noon. */
  Kept input(String action, long afterNoonMs) {
    return input(
        new Described(++made, action, "ann", "bob", NOON_MS + afterNoonMs, 1, true, false));
  }

  Kept poison() {
    return input(new Described(++made, "-", "-", "-", NOON_MS, 0, false, true));
  }

  private Kept input(Described event) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("trace", null).add(Described.HEADER, event.toBytes());
    return keep(Topics.INPUT, "ann", event.number() + " as it came", NOON_MS + 7, false, headers);
  }

  /** Ends as one that was judged at its own time. */
  Kept allowed(Kept input) {
    return allowed(input, input.event().occurredAtMs() - NOON_MS);
  }

  Kept allowed(Kept input, long judgedAfterNoonMs) {
    return keep(Topics.ALLOWED, input, judged("allowed", input, judgedAfterNoonMs));
  }

  /** Judged by the clock of a partition that had not come to where the key's clock was. */
  Kept allowedBehind(Kept input, long partitionAfterNoonMs, long keyAfterNoonMs) {
    Headers headers = judged("allowed", input, partitionAfterNoonMs, keyAfterNoonMs);
    return keep(Topics.ALLOWED, input, headers);
  }

  Kept rejected(Kept input) {
    return keep(Topics.REJECTED, input, with(input, Verdicts.VERDICT, "rejected"));
  }

  Kept dead(Kept input) {
    return keep(Topics.DEAD_LETTERS, input, with(input, Verdicts.ERROR, "it is not an event"));
  }

  /** Announced to leave at so many milliseconds after noon, so long after it was judged. */
  Kept delayed(Kept input, long releaseAfterNoonMs, long waitMs) {
    Headers headers = with(input, Verdicts.RELEASE_AT, Long.toString(NOON_MS + releaseAfterNoonMs));
    headers.add(Verdicts.RETRY_AFTER, Long.toString(waitMs).getBytes(UTF_8));
    return keep(Topics.DELAYED, input, headers);
  }

  /** Allowed, and the broker got it at that time. */
  Kept allowedAndTimed(Kept input, long gotAfterNoonMs) {
    Headers headers = judged("allowed", input, 0);
    return keep(Topics.ALLOWED, "ann", text(input), NOON_MS + gotAfterNoonMs, true, headers);
  }

  Kept allowedAs(Kept input, String key, String value, long timestampMs, String moreHeader) {
    Headers headers = with(input, Verdicts.VERDICT, "allowed");
    if (!moreHeader.isEmpty()) headers.add(moreHeader, null);
    return keep(Topics.ALLOWED, key, value, timestampMs, false, headers);
  }

  void stranger() {
    strangers.add("a stranger");
  }

  /** The headers of an event charged at so many milliseconds after noon. */
  private static Headers judged(String verdict, Kept input, long afterNoonMs) {
    return judged(verdict, input, afterNoonMs, afterNoonMs);
  }

  private static Headers judged(
      String verdict, Kept input, long partitionAfterNoonMs, long keyAfterNoonMs) {
    long atMs = NOON_MS + keyAfterNoonMs;
    long periodMs = Limits.CLOCK_PERIOD_MS;
    long resetMs = atMs - atMs % periodMs + 2 * periodMs - NOON_MS - partitionAfterNoonMs;
    Headers headers = with(input, Verdicts.VERDICT, verdict);
    String shadow =
        "limit=stored-clock;verdict=allowed;remaining=9;reset-after-ms=%d".formatted(resetMs);
    headers.add(Verdicts.SHADOW, "limit=other;reset-after-ms=1".getBytes(UTF_8));
    headers.add(Verdicts.SHADOW, shadow.getBytes(UTF_8));
    return headers;
  }

  private static Headers with(Kept input, String name, String text) {
    return new RecordHeaders(input.record().headers()).add(name, text.getBytes(UTF_8));
  }

  private static String text(Kept input) {
    return new String(input.record().value(), UTF_8);
  }

  private Kept keep(String topic, Kept input, Headers headers) {
    return keep(topic, "ann", text(input), input.record().timestamp(), false, headers);
  }

  private Kept keep(
      String topic, String key, String value, long timestampMs, boolean timed, Headers headers) {
    List<Kept> records = topics.get(topic);
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(
            topic,
            0,
            records.size(),
            timestampMs,
            timed ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME,
            0,
            0,
            key.getBytes(UTF_8),
            value.getBytes(UTF_8),
            headers,
            Optional.empty());
    Kept kept = new Kept(record, Described.in(headers).orElseThrow());
    records.add(kept);
    return kept;
  }

  /** What a guarantee says of it. */
  List<String> violationsOf(Guarantee guarantee) {
    History history =
        new History(
            topics.get(Topics.INPUT),
            topics.get(Topics.ALLOWED),
            topics.get(Topics.REJECTED),
            topics.get(Topics.DEAD_LETTERS),
            topics.get(Topics.DELAYED),
            strangers);
    return guarantee.violations(history).toList();
  }
}
