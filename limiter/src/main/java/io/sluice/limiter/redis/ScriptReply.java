package io.sluice.limiter.redis;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Claim;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Finding;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Reads the numbers that {@code meter.lua} answers, one arrival after another. */
final class ScriptReply {
  private static final long NEVER = -1;
  private static final long LATER = -2;
  private static final long NOT_MET = -((1L << 53) - 1);

  private final Iterator<?> answers;
  private ByteBuffer doubles = ByteBuffer.allocate(0);

  /**
   * @param answers strings of doubles; more than one if a call was put as several
   */
  ScriptReply(List<?> answers) {
    this.answers = answers.iterator();
  }

  Outcome next(Request request) {
    if (!doubles.hasRemaining()) {
      doubles = ByteBuffer.wrap((byte[]) answers.next()).order(ByteOrder.LITTLE_ENDIAN);
    }
    boolean admitted = nextLong() == 1;
    Arrival arrival = request.arrival().at(nextLong()); // its first clock, if it came again
    long nowMicros = nextLong();
    long atMicros = nextLong();
    Decision[] decisions = new Decision[request.claims().size()];
    for (int i = 0; i < decisions.length; i++) {
      decisions[i] = next(request.claims().get(i), arrival, nowMicros);
    }
    return new Outcome(admitted, nowMicros, atMicros, Arrays.asList(decisions));
  }

  private Decision next(Claim claim, Arrival arrival, long nowMicros) {
    Rule rule = claim.rule();
    long conformsAt = nextLong();
    long met = nextLong();
    long[] conformsAtAndMet = {
      conformsAt == NEVER ? Finding.NEVER : conformsAt, met == NOT_MET ? Finding.NOT_MET : met
    };
    Finding finding =
        switch (rule.algorithm()) {
          case GCRA -> Finding.ofGcra(rule, nowMicros, conformsAtAndMet, next(2));
          case SLIDING_WINDOW_LOG -> log(rule, conformsAtAndMet, next(2));
          case SLIDING_WINDOW_COUNTER ->
              counter(rule, arrival, nowMicros, conformsAtAndMet, next(3));
        };
    return finding.decide(rule, arrival, nowMicros);
  }

  private static Finding log(Rule rule, long[] conformsAtAndMet, long[] usedAndNewAt) {
    long remaining = Math.max(0, rule.quota().permits() - usedAndNewAt[0]);
    return new Finding(conformsAtAndMet[0], conformsAtAndMet[1], remaining, usedAndNewAt[1]);
  }

  private static Finding counter(
      Rule rule, Arrival arrival, long nowMicros, long[] conformsAtAndMet, long[] counters) {
    if (conformsAtAndMet[0] == LATER) {
      conformsAtAndMet[0] = Finding.counterConformsAt(rule, nowMicros, arrival.cost(), counters);
    }
    return Finding.ofCounter(rule, nowMicros, conformsAtAndMet, counters);
  }

  private long[] next(int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) values[i] = nextLong();
    return values;
  }

  private long nextLong() {
    return (long) doubles.getDouble(); // a whole number below 2^53
  }
}
