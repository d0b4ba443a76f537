package io.sluice.guarantees;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;

/**
 * Makes what users do: bursts of one action, at or near the time they are published, keyed or not,
 * in JSON or Avro. Now and then somebody's clock is wrong, or what comes is no event at all.
 */
final class EventMaker {
  private static final int USERS = 30;
  private static final int TARGETS = 8;
  private static final int MOST_AT_ONCE = 12;
  private static final int MOST_LATE_MS = 40_000;
  private static final int MOST_AHEAD_MS = 2_000;

  /*
   * A hop brings its event's time to its home's clock, which a home that lags behind the others takes
   * as late. So only some homes get hops, and the others tell their clocks by their own inputs.
   */
  private static final int HOMES_WITH_HOPS = 2;

  private final String topic;
  private final SplittableRandom random;
  private final Poison poison;
  private long made;

  EventMaker(String topic, SplittableRandom random) {
    this.topic = topic;
    this.random = random;
    poison = new Poison(random.split());
  }

  /** Some events of one user, who says that it is this time. */
  List<ProducerRecord<byte[], byte[]>> burst(long nowMs) {
    String user = "user" + Math.min(random.nextInt(USERS), random.nextInt(USERS));
    String action = Limits.actions().get(random.nextInt(Limits.actions().size()));
    long atMs = nowMs + error();
    List<ProducerRecord<byte[], byte[]>> burst = new ArrayList<>();
    for (int left = 1 + random.nextInt(MOST_AT_ONCE); left > 0; left--) {
      atMs += random.nextInt(4);
      burst.add(event(user, action, atMs));
    }
    return burst;
  }

  /** How wrong the clock of whoever sends is: hardly ever, and mostly late. */
  private long error() {
    int chance = random.nextInt(100);
    if (chance < 4) return -random.nextInt(MOST_LATE_MS);
    return chance == 4 ? random.nextInt(MOST_AHEAD_MS) : 0;
  }

  private ProducerRecord<byte[], byte[]> event(String user, String action, long atMs) {
    int keyed = mayHop(user) ? random.nextInt(4) : 2;
    Described event =
        new Described(
            ++made,
            action,
            user,
            "target" + random.nextInt(TARGETS),
            atMs,
            random.nextInt(10) > 0 ? 1 : random.nextInt(4),
            keyed > 1,
            false);
    byte[] key = keyed == 0 ? null : (keyed == 1 ? "device-" + user : user).getBytes(UTF_8);
    boolean timeless = random.nextInt(10) == 0;
    long timestampMs = timeless ? atMs : atMs - random.nextInt(5_000);
    byte[] value = random.nextBoolean() ? json(event, timeless) : avro(event);
    return record(timestampMs, key, value, event);
  }

  private static boolean mayHop(String user) {
    int hash = Utils.toPositive(Utils.murmur2(user.getBytes(UTF_8)));
    return hash % Topics.PARTITIONS < HOMES_WITH_HOPS;
  }

  private ProducerRecord<byte[], byte[]> record(
      long timestampMs, byte[] key, byte[] value, Described event) {
    RecordHeaders headers = new RecordHeaders();
    if (random.nextInt(4) == 0)
      headers.add("trace", Long.toHexString(event.number()).getBytes(UTF_8));
    headers.add(Described.HEADER, event.toBytes());
    if (random.nextInt(4) == 0) headers.add("trace", null).add("empty", new byte[0]);
    return new ProducerRecord<>(topic, null, timestampMs, key, value, headers);
  }

  /** Without a time, if the record's timestamp is to stand in; now and then without an id. */
  private byte[] json(Described event, boolean timeless) {
    StringBuilder json = new StringBuilder("{");
    if (random.nextInt(10) > 0) json.append("\"eventId\":\"e").append(event.number()).append("\",");
    if (!timeless) json.append("\"occurredAt\": ").append(event.occurredAtMs()).append(',');
    json.append("\"userId\":\"").append(event.user()).append("\",\"note\":[1,{\"é\":null}],");
    json.append("\"action\" : \"").append(event.action()).append("\",");
    json.append("\"cost\":").append(event.cost());
    json.append(",\"target\":\"").append(event.target()).append("\"}");
    return json.toString().getBytes(UTF_8);
  }

  private static byte[] avro(Described event) {
    return UserActionCodec.encode(
        UserAction.newBuilder()
            .setEventId("e" + event.number())
            .setUserId(event.user())
            .setAction(event.action())
            .setOccurredAt(Instant.ofEpochMilli(event.occurredAtMs()))
            .setCost(event.cost())
            .setTarget(event.target())
            .build());
  }

  /** A record that is no event. */
  ProducerRecord<byte[], byte[]> poison(long nowMs) {
    Described event = new Described(++made, "-", "-", "-", nowMs, 0, false, true);
    byte[] key = random.nextBoolean() ? null : ("user" + random.nextInt(USERS)).getBytes(UTF_8);
    return record(nowMs, key, poison.next(nowMs), event);
  }
}
