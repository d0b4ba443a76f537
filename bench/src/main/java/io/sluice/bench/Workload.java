package io.sluice.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import io.sluice.limiter.InProcessLimiter;
import io.sluice.limiter.Quota;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.time.Instant;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The events of one input topic, the same at every run: a millisecond apart, the users taking
 * turns.
 *
 * @param topic where they are
 * @param users how many there are, each a key
 */
record Workload(String topic, long events, int users) {
  static final int PARTITIONS = 4;

  /** Of ten thousand users, who come every ten seconds, every other event is over it. */
  static final String QUOTA = "3/60s";

  private static final long BEGIN_MS = 1_700_000_000_000L;

  ProducerRecord<byte[], byte[]> record(long number) {
    String user = user(number);
    UserAction action =
        UserAction.newBuilder()
            .setEventId("event-" + number)
            .setUserId(user)
            .setAction("post")
            .setOccurredAt(Instant.ofEpochMilli(atMs(number)))
            .build();
    return new ProducerRecord<>(
        topic, null, atMs(number), user.getBytes(UTF_8), UserActionCodec.encode(action));
  }

  private String user(long number) {
    return "user-" + number % users;
  }

  private static long atMs(long number) {
    return BEGIN_MS + number;
  }

  /** How many are allowed, says the limiter in process: each user's events stay in order. */
  long allowed(Algorithm algorithm) {
    InProcessLimiter limiter = new InProcessLimiter(Quota.parse(QUOTA), algorithm);
    long allowed = 0;
    for (long i = 0; i < events; i++) {
      Arrival arrival = new Arrival("", 1, atMs(i) * 1_000);
      if (limiter.meter(user(i), arrival) instanceof Decision.Conforming) allowed++;
    }
    return allowed;
  }
}
