package io.sluice.bench;

import static io.sluice.bench.SluiceApplication.onRedis;
import static io.sluice.bench.SluiceApplication.onStateStore;

import io.sluice.limiter.Algorithm;
import io.sluice.topology.event.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/** Everything that is measured, in the order of the table. */
final class Variants {
  static final int FEW = 10_000;
  private static final int MANY = 1_000_000;

  static final String PASS_THROUGH = "pass-through";
  static final String ASKED = "state store, memory, funnel, 10k keys, asked";

  private static final String FUNNEL = "funnel";
  private static final String LOG = "sliding-window-log";
  private static final int SLOW = 20;
  private static final int RATHER_SLOW = 4;

  /** How often the events meet each key, where there are many. */
  private static final int TIMES_MET = 5;

  private Variants() {}

  /** With no more keys than there are events. */
  static List<Variant> all(long events) {
    int many = (int) Math.min(MANY, events);
    List<Variant> all = new ArrayList<>();
    all.add(passThrough());
    all.add(Variant.of("decode only", FEW, new PlainTopology(DecodeOnly::topology)));
    all.add(Variant.of("Sluice, no limit matches", FEW, unmatched()));
    for (String store : List.of("memory", "rocksdb")) {
      for (int users : List.of(FEW, many)) {
        all.add(stored(FUNNEL, store, users).exactly(Algorithm.GCRA));
        all.add(stored(LOG, store, users).exactly(Algorithm.SLIDING_WINDOW_LOG));
      }
    }
    all.add(stored(FUNNEL, "memory", many / TIMES_MET).exactly(Algorithm.GCRA));
    for (String headers : List.of("one", "none")) {
      all.add(funnel("headers=" + headers, onFunnel().with(Keys.HEADERS, headers)));
    }
    for (int limits : List.of(4, 16)) {
      all.add(funnel(limits + " limits", onFunnel().withLimits(limits)));
    }
    all.add(asked().exactly(Algorithm.GCRA));
    all.add(overridden(FEW, 100_000));
    all.add(overridden(many, many));
    all.add(redis(FUNNEL, false).exactly(Algorithm.GCRA));
    all.add(redis(LOG, false).exactly(Algorithm.SLIDING_WINDOW_LOG));
    all.add(redis(FUNNEL, true).exactly(Algorithm.GCRA).taking(SLOW));
    all.add(redis(LOG, true).exactly(Algorithm.SLIDING_WINDOW_LOG).taking(SLOW));
    all.add(
        Variant.of("DSL windowed count, joined", FEW, new PlainTopology(WindowedCount::topology))
            .taking(RATHER_SLOW));
    all.add(
        Variant.of("Bucket4j on Redis", FEW, new PlainTopology(Bucket4jProcessor::topology))
            .taking(SLOW));
    return all;
  }

  static Variant passThrough() {
    return Variant.of(PASS_THROUGH, FEW, new PlainTopology(Variants::passThrough));
  }

  private static Topology passThrough(Workplace at) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(at.input(), Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .to(at.allowed(), Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
    return builder.build();
  }

  private static Application unmatched() {
    return new SluiceApplication(Map.of("match.action", "nobody does this"), Map.of(), false);
  }

  private static Variant stored(String algorithm, String store, int users) {
    String name =
        "state store, %s, %s, %s keys".formatted(store, shortName(algorithm), keys(users));
    return Variant.of(name, users, onStateStore(algorithm, store));
  }

  /** The funnel in memory, with something added to its name. */
  private static Variant funnel(String how, Application application) {
    return Variant.of("state store, memory, funnel, 10k keys, " + how, FEW, application)
        .exactly(Algorithm.GCRA);
  }

  private static SluiceApplication onFunnel() {
    return onStateStore(FUNNEL, "memory");
  }

  private static Variant asked() {
    return Variant.of(ASKED, FEW, new AskedSluice(onFunnel()));
  }

  private static Variant overridden(int users, int overrides) {
    String name =
        "state store, memory, funnel, %s keys, %s overrides"
            .formatted(keys(users), keys(overrides));
    SluiceApplication application = onFunnel().withOverrides(overrides);
    return Variant.of(name, users, application).exactly(Algorithm.GCRA);
  }

  private static Variant redis(String algorithm, boolean oneByOne) {
    String how = oneByOne ? "one call an event" : "prefetched";
    String name = "Redis, %s, %s".formatted(shortName(algorithm), how);
    return Variant.of(name, FEW, onRedis(algorithm, oneByOne));
  }

  private static String shortName(String algorithm) {
    return algorithm.equals(LOG) ? "log" : algorithm;
  }

  private static String keys(int users) {
    return users % 1_000_000 == 0 ? users / 1_000_000 + "M" : users / 1_000 + "k";
  }
}
