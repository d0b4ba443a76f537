package io.sluice.bench.inprocess;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * JMH benchmark that measures one metering in process, on one thread, for one key after another.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class InProcessBenchmark {
  private static final int KEYS = 10_000;

  @Param public Library library;

  @Param public Traffic traffic;

  private final String[] keys = new String[KEYS];
  private Library.Limiter limiter;
  private int next;

  @Setup
  public void prepare() {
    for (int i = 0; i < KEYS; i++) keys[i] = "user-" + i;
    limiter = library.limiter(traffic);
    // Every key is metered once, so that all keys exist and the quotas of 1 are used up.
    for (String key : keys) limiter.meter(key);
  }

  @Benchmark
  public Object meter() {
    next = next + 1 == KEYS ? 0 : next + 1;
    return limiter.meter(keys[next]);
  }
}
