package io.sluice.bench.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import io.sluice.limiter.InProcessLimiter;
import io.sluice.limiter.Quota;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Number of events of an input topic, with the same content in every run. */
public record Workload(Input input, long events) {
  public static final int PARTITIONS = 4;

  /**
   * Quota that allows half of the events if ten thousand users come in turn, with one event each
   * millisecond: each user then has an event every 10 s.
   */
  public static final String QUOTA = "3/60s";

  public String topic() {
    return input.topic();
  }

  public ProducerRecord<byte[], byte[]> record(long number) {
    Kind kind = input.kind();
    byte[] user = kind.name(number, input.keys()).getBytes(UTF_8);
    return new ProducerRecord<>(
        topic(), null, kind.atMs(number), user, kind.value(number, input.keys()));
  }

  /**
   * Returns the number of events that an in-process limiter with this algorithm allows. It is the
   * expected number of any application in which the events of each key keep their order.
   */
  public long allowed(Algorithm algorithm) {
    InProcessLimiter limiter = new InProcessLimiter(Quota.parse(QUOTA), algorithm);
    Kind kind = input.kind();
    long allowed = 0;
    for (long i = 0; i < events; i++) {
      Arrival arrival = new Arrival("", 1, kind.atMs(i) * 1_000);
      if (limiter.meter(kind.key(i, input.keys()), arrival) instanceof Decision.Conforming) {
        allowed++;
      }
    }
    return allowed;
  }
}
