package io.sluice.guarantees.promise;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.evidence.Notes;
import io.sluice.guarantees.evidence.Read;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Limit;
import io.sluice.guarantees.scenario.Limits;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Topics;
import io.sluice.guarantees.scenario.Verdicts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Builder of a history, record by record. */
final class HandMade {
  static final long NOON_MS = 1_790_000_000_000L;

  private static final String FIRST_INPUT = Topics.INPUTS.get(0);

  private final Map<String, List<Kept>> topics = new HashMap<>();
  private final List<String> strangers = new ArrayList<>();
  private final Modes modes;
  private final Notes notes;
  private Topics.Outputs outputs = Topics.FIRST;
  private long made;

  HandMade() {
    this(Modes.plain());
  }

  HandMade(Modes modes) {
    this(modes, Path.of("/nowhere"));
  }

  /**
   * @param folder for the notes of the run
   */
  HandMade(Modes modes, Path folder) {
    this.modes = modes;
    notes = Notes.in(folder);
    for (String topic : Topics.INPUTS) topics.put(topic, new ArrayList<>());
    for (String topic : Topics.FIRST.all()) topics.put(topic, new ArrayList<>());
    for (String topic : Topics.AGAIN.all()) topics.put(topic, new ArrayList<>());
  }

  Notes notes() {
    return notes;
  }

  /** Writes the log of an instance of which a thread was fenced at this epoch millisecond. */
  static void fenced(Path folder, long atMs) throws IOException {
    logged(folder, atMs, " WARN  StreamThread: x Detected that the thread is being fenced. y");
  }

  /** Writes the log of an instance of which a thread failed at this epoch millisecond. */
  static void failed(Path folder, long atMs) throws IOException {
    logged(folder, atMs, " ERROR ThreadKeeper: a stream thread failed and is replaced, repeatedly");
  }

  private static void logged(Path folder, long atMs, String line) throws IOException {
    String time =
        LocalTime.ofInstant(Instant.ofEpochMilli(atMs), ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("HH:mm:ss.SSS"));
    Files.writeString(folder.resolve("instance-1.log"), "nothing\n" + time + line + "\n");
  }

  /** Makes all later ends part of the replay. */
  void again() {
    outputs = Topics.AGAIN;
  }

  /** Adds an event of ann at this many milliseconds after noon. */
  Kept input(String action, long afterNoonMs) {
    return input(FIRST_INPUT, action, "e" + (made + 1), afterNoonMs);
  }

  /** Adds an event with cost 2 and this target. */
  Kept inputTo(String target, String action, long afterNoonMs) {
    long atMs = NOON_MS + afterNoonMs;
    String id = "e" + (made + 1);
    return input(
        FIRST_INPUT,
        new Described(++made, action, "ann", target, id, atMs, NOON_MS, 2, Described.Kind.EVENT));
  }

  /** Adds an event of another user, at noon. */
  Kept inputOf(String user, String action) {
    String id = "e" + (made + 1);
    return input(
        FIRST_INPUT,
        new Described(
            ++made, action, user, "target", id, NOON_MS, NOON_MS, 1, Described.Kind.EVENT));
  }

  /** Adds an event of a user to a target, at noon. */
  Kept inputOf(String user, String target, String action, long cost) {
    String id = "e" + (made + 1);
    Described event =
        new Described(
            ++made, action, user, target, id, NOON_MS, NOON_MS, cost, Described.Kind.EVENT);
    return input(FIRST_INPUT, event);
  }

  /** Adds an event like this one, with a number and an id of its own. */
  Kept inputLike(Described like) {
    Described event =
        new Described(
            ++made,
            like.action(),
            like.user(),
            like.target(),
            "e" + made,
            like.occurredAtMs(),
            like.publishedAtMs(),
            like.cost(),
            like.kind());
    return input(FIRST_INPUT, event.of(like.priority(), like.tenant()));
  }

  /** Adds an event of a user to the target "home", whose time is that of publishing. */
  Kept publishedBy(String user, String action, long afterNoonMs) {
    long atMs = NOON_MS + afterNoonMs;
    String id = "e" + (made + 1);
    return input(
        FIRST_INPUT,
        new Described(++made, action, user, "home", id, atMs, atMs, 1, Described.Kind.EVENT));
  }

  /** Adds an event to the target "home" of a class and a tenant, at noon. */
  Kept inputIn(String priority, String tenant, String user, String action) {
    return inputIn(priority, tenant, user, action, 1);
  }

  Kept inputIn(String priority, String tenant, String user, String action, long cost) {
    String id = "e" + (made + 1);
    Described event =
        new Described(
            ++made, action, user, "home", id, NOON_MS, NOON_MS, cost, Described.Kind.EVENT);
    return input(FIRST_INPUT, event.of(priority, tenant));
  }

  Kept input(String topic, String action, String id, long afterNoonMs) {
    long atMs = NOON_MS + afterNoonMs;
    return input(topic, event(action, id, atMs, NOON_MS, Described.Kind.EVENT));
  }

  /** Adds an event whose own time differs from the time of publishing. */
  Kept published(String action, long atAfterNoonMs, long publishedAfterNoonMs) {
    long atMs = NOON_MS + atAfterNoonMs;
    long publishedAtMs = NOON_MS + publishedAfterNoonMs;
    String id = "e" + (made + 1);
    return input(FIRST_INPUT, event(action, id, atMs, publishedAtMs, Described.Kind.EVENT));
  }

  /** Adds an event whose time is years ago. */
  Kept odd(String action) {
    return input(FIRST_INPUT, event(action, "odd", 1, NOON_MS, Described.Kind.EVENT));
  }

  /** Adds an event that may be too large to be metered. */
  Kept large(String action) {
    return input(FIRST_INPUT, event(action, "large", NOON_MS, NOON_MS, Described.Kind.EITHER));
  }

  Kept poison() {
    return input(FIRST_INPUT, event("-", "", NOON_MS, NOON_MS, Described.Kind.POISON));
  }

  private Described event(
      String action, String id, long atMs, long publishedAtMs, Described.Kind kind) {
    return new Described(++made, action, "ann", "bob", id, atMs, publishedAtMs, 1, kind);
  }

  /** Adds an event of noon in a record with this timestamp. */
  Kept stamped(long timestampMs) {
    Described event = event("post", "e", NOON_MS, NOON_MS, Described.Kind.EVENT);
    return input(FIRST_INPUT, event, timestampMs);
  }

  private Kept input(String topic, Described event) {
    return input(topic, event, NOON_MS + 7);
  }

  private Kept input(String topic, Described event, long timestampMs) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("trace", null).add(Described.HEADER, event.toBytes());
    return keep(topic, "ann", event.number() + " as it came", timestampMs, false, headers);
  }

  /** Adds a record again, as a broker may have it after a kill. */
  Kept writtenAgain(Kept input) {
    long timestampMs = input.record().timestamp();
    return keep(input.topic(), "ann", text(input), timestampMs, false, input.record().headers());
  }

  /** Adds an allowed end that was judged at the event's own time. */
  Kept allowed(Kept input) {
    return allowed(input, input.event().occurredAtMs() - NOON_MS);
  }

  Kept allowed(Kept input, long judgedAfterNoonMs) {
    return keep(outputs.allowed(), input, judged("allowed", input, judgedAfterNoonMs));
  }

  /** Adds an allowed end of an event that Redis has recognized, after it had charged others. */
  Kept recognized(Kept input, long judgedAfterNoonMs, long remaining) {
    return keep(outputs.allowed(), input, judged("allowed", input, judgedAfterNoonMs, remaining));
  }

  /** Adds an end that was allowed without Redis. */
  Kept allowedWithoutRedis(Kept input) {
    Headers headers = judged("allowed", input, input.event().occurredAtMs() - NOON_MS);
    headers.add(Verdicts.REASON, Verdicts.WITHOUT_REDIS.getBytes(UTF_8));
    return keep(outputs.allowed(), input, headers);
  }

  Kept rejectedWithoutRedis(Kept input) {
    Kept refused = rejected(input);
    refused.record().headers().add(Verdicts.REASON, Verdicts.WITHOUT_REDIS.getBytes(UTF_8));
    return refused;
  }

  Kept rejected(Kept input) {
    return keep(outputs.rejected(), input, with(input, Verdicts.VERDICT, "rejected"));
  }

  /** Adds an end that was rejected as over the limit, judged at its own time. */
  Kept rejectedTry(Kept input) {
    Headers headers = judged("rejected", input, input.event().occurredAtMs() - NOON_MS);
    return keep(
        outputs.rejected(), input, headers.add(Verdicts.REASON, "over-limit".getBytes(UTF_8)));
  }

  /** Adds an end that was rejected by the limit of its action, judged at its own time. */
  Kept overLimit(Kept input) {
    Kept refused = rejectedTry(input);
    refused.record().headers().add(Verdicts.LIMIT, input.event().action().getBytes(UTF_8));
    return refused;
  }

  /** Adds an allowed end with this number of remaining permits. */
  Kept allowedBy(Kept input, long remaining) {
    return keep(outputs.allowed(), input, by(input, remaining));
  }

  /** Adds an allowed end with remaining permits, and the broker's timestamp. */
  Kept allowedByAndTimed(Kept input, long remaining, long gotAfterNoonMs) {
    Headers headers = by(input, remaining);
    return keep(outputs.allowed(), "ann", text(input), NOON_MS + gotAfterNoonMs, true, headers);
  }

  private static Headers by(Kept input, long remaining) {
    Headers headers = with(input, Verdicts.VERDICT, "allowed");
    headers.add(Verdicts.LIMIT, input.event().action().getBytes(UTF_8));
    return headers.add(Verdicts.REMAINING, Long.toString(remaining).getBytes(UTF_8));
  }

  /** Adds an allowed end without a limit. */
  Kept exempt(Kept input) {
    return keep(outputs.allowed(), input, with(input, Verdicts.VERDICT, "allowed"));
  }

  /** Adds the end of an event that left its line without a release, with the broker's timestamp. */
  Kept removed(Kept input, String reason, long gotAfterNoonMs) {
    Headers headers = with(input, Verdicts.VERDICT, "rejected");
    headers.add(Verdicts.REASON, reason.getBytes(UTF_8));
    return keep(outputs.rejected(), "ann", text(input), NOON_MS + gotAfterNoonMs, true, headers);
  }

  Kept denied(Kept input) {
    Headers headers = with(input, Verdicts.VERDICT, "rejected");
    headers.add(Verdicts.REASON, Verdicts.DENIED.getBytes(UTF_8));
    return keep(outputs.rejected(), input, headers);
  }

  Kept dead(Kept input) {
    return dead(input, "it is not an event");
  }

  Kept dead(Kept input, String error) {
    return keep(outputs.deadLetters(), input, with(input, Verdicts.ERROR, error));
  }

  Kept deadAt(Kept input, long timestampMs) {
    Headers headers = with(input, Verdicts.ERROR, "it has no time");
    return keep(outputs.deadLetters(), "ann", text(input), timestampMs, false, headers);
  }

  /** Adds an announcement that the event is metered when Redis is back. */
  Kept setAside(Kept input, long afterNoonMs) {
    Kept announced = retried(input, afterNoonMs, 0);
    announced.record().headers().add(Verdicts.REASON, Verdicts.WITHOUT_REDIS.getBytes(UTF_8));
    return announced;
  }

  /** Adds a dead letter without a value that names the original record. */
  Kept deadWithoutValue(Kept input, String origin) {
    Headers headers = with(input, Verdicts.ERROR, "it is too large");
    headers.add(Verdicts.ERROR_ORIGIN, origin.getBytes(UTF_8));
    headers.add(Verdicts.ERROR_LEFT_OUT, "value".getBytes(UTF_8));
    long timestampMs = input.record().timestamp();
    return keep(outputs.deadLetters(), "ann", null, timestampMs, false, headers);
  }

  /** Adds a dead letter with a value but without the original headers. */
  Kept deadWithoutHeaders(Kept input, String origin) {
    Headers headers = new RecordHeaders();
    headers.add(Described.HEADER, input.event().toBytes());
    headers.add(Verdicts.ERROR, "it is too large".getBytes(UTF_8));
    headers.add(Verdicts.ERROR_ORIGIN, origin.getBytes(UTF_8));
    headers.add(Verdicts.ERROR_LEFT_OUT, "headers".getBytes(UTF_8));
    long timestampMs = input.record().timestamp();
    return keep(outputs.deadLetters(), "ann", text(input), timestampMs, false, headers);
  }

  /** Adds an announcement of a release, with the wait since metering. */
  Kept delayed(Kept input, long releaseAfterNoonMs, long waitMs) {
    Headers headers = with(input, Verdicts.RELEASE_AT, Long.toString(NOON_MS + releaseAfterNoonMs));
    headers.add(Verdicts.RETRY_AFTER, Long.toString(waitMs).getBytes(UTF_8));
    return keep(outputs.delayed(), input, headers);
  }

  /** Adds an announcement that the event waits in line, with an estimate of the wait. */
  Kept queued(Kept input, long afterNoonMs, long waitMs) {
    Kept announced = delayed(input, afterNoonMs + waitMs, waitMs);
    announced.record().headers().add(Verdicts.ESTIMATE, "true".getBytes(UTF_8));
    return announced;
  }

  /** Adds an allowed end of an event with a queue limit, with the instant of its release. */
  Kept released(Kept input, long afterNoonMs) {
    Headers headers = with(input, Verdicts.VERDICT, "allowed");
    headers.add(Verdicts.RELEASED_AT, Long.toString(NOON_MS + afterNoonMs).getBytes(UTF_8));
    return keep(outputs.allowed(), input, headers);
  }

  /** Adds an announcement of a retry after the first attempt. */
  Kept retried(Kept input, long afterNoonMs, long waitMs) {
    Kept announced = delayed(input, afterNoonMs, waitMs);
    announced.record().headers().add(Verdicts.RELEASE_TO, "meter".getBytes(UTF_8));
    announced.record().headers().add(Verdicts.ATTEMPT, "1".getBytes(UTF_8));
    return announced;
  }

  /** Adds an allowed end with the broker's timestamp. */
  Kept allowedAndTimed(Kept input, long gotAfterNoonMs) {
    Headers headers = judged("allowed", input, 0);
    return keep(outputs.allowed(), "ann", text(input), NOON_MS + gotAfterNoonMs, true, headers);
  }

  /** Adds the end of a delayed event with its due time and the broker's timestamp. */
  Kept releasedAndTimed(Kept input, long dueAfterNoonMs, long gotAfterNoonMs) {
    Headers headers = judged("allowed", input, 0);
    headers.add(Verdicts.RELEASE_AT, Long.toString(NOON_MS + dueAfterNoonMs).getBytes(UTF_8));
    return keep(outputs.allowed(), "ann", text(input), NOON_MS + gotAfterNoonMs, true, headers);
  }

  Kept allowedAs(Kept input, String key, String value, long timestampMs, String moreHeader) {
    Headers headers = with(input, Verdicts.VERDICT, "allowed");
    if (moreHeader.equals("forged")) headers.add("sluice-anything", Verdicts.forged());
    else if (!moreHeader.isEmpty()) headers.add(moreHeader, null);
    return keep(outputs.allowed(), key, value, timestampMs, false, headers);
  }

  void stranger() {
    strangers.add("a stranger");
  }

  /** Creates the headers of an event that was judged at this time, in all shadow limits. */
  private Headers judged(String verdict, Kept input, long afterNoonMs) {
    return judged(verdict, input, afterNoonMs, 1_000_000 - input.number());
  }

  private Headers judged(String verdict, Kept input, long afterNoonMs, long remaining) {
    long atMs = NOON_MS + afterNoonMs;
    long periodMs = Limits.CLOCK_PERIOD_MS;
    long resetMs = 2 * periodMs - atMs % periodMs;
    Headers headers = with(input, Verdicts.VERDICT, verdict);
    headers.add(Verdicts.SHADOW, "limit=other;reset-after-ms=1".getBytes(UTF_8));
    for (Limit limit : new Limits(modes).of(input.event().action())) {
      String shadow =
          "limit=%s;verdict=allowed;remaining=%d;reset-after-ms=%d"
              .formatted(limit.clock(), remaining, resetMs);
      headers.add(Verdicts.SHADOW, shadow.getBytes(UTF_8));
    }
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
            value == null ? null : value.getBytes(UTF_8),
            headers,
            Optional.empty());
    Kept kept = new Kept(record, Described.in(headers).orElseThrow());
    records.add(kept);
    return kept;
  }

  /** Returns the violations of a guarantee in this history. */
  List<String> violationsOf(Guarantee guarantee) {
    return guarantee.violations(history()).toList();
  }

  History history() {
    Read first =
        new Read(
            Topics.INPUTS.stream().map(topics::get).flatMap(List::stream).toList(),
            topics.get(Topics.FIRST.allowed()),
            topics.get(Topics.FIRST.rejected()),
            topics.get(Topics.FIRST.deadLetters()),
            topics.get(Topics.FIRST.delayed()),
            strangers);
    Read again =
        new Read(
            List.of(),
            topics.get(Topics.AGAIN.allowed()),
            topics.get(Topics.AGAIN.rejected()),
            topics.get(Topics.AGAIN.deadLetters()),
            topics.get(Topics.AGAIN.delayed()),
            List.of());
    return new History(modes, first, again, notes);
  }
}
