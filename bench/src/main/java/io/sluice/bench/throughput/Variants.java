package io.sluice.bench.throughput;

import static io.sluice.bench.apps.SluiceApplication.onRedis;
import static io.sluice.bench.apps.SluiceApplication.onStateStore;
import static java.util.stream.Collectors.joining;

import io.sluice.bench.apps.AskedSluice;
import io.sluice.bench.apps.PlainTopology;
import io.sluice.bench.apps.SluiceApplication;
import io.sluice.bench.input.Kind;
import io.sluice.bench.report.Figures;
import io.sluice.bench.run.Application;
import io.sluice.limiter.Algorithm;
import io.sluice.rules.event.Keys;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** List of all measured variants, in the order of the table. */
final class Variants {
  private static final Algorithm FUNNEL = Algorithm.GCRA;
  private static final Algorithm LOG = Algorithm.SLIDING_WINDOW_LOG;

  static final String DECODE_ONLY = "decode only";
  static final String UNMATCHED = "Sluice, no limit matches";
  static final String ASKED = "state store, memory, funnel, 10k keys, asked";
  static final String REDIS_FUNNEL = redisName(FUNNEL);
  static final String REDIS_LOG = redisName(LOG);
  static final String WINDOWED_COUNT = "DSL windowed count, joined";
  static final String BUCKET4J = "Bucket4j on Redis";
  static final String REDISSON = "Redisson's limiter";

  private static final String MEMORY = "memory";
  private static final String ROCKSDB = "rocksdb";

  private static final int MANY = 1_000_000;
  private static final int SLOW = 20;
  private static final int RATHER_SLOW = 4;

  /**
   * Least number of events of each key in the job {@link #met}; with more than {@link #MANY} times
   * this many events, each key has more.
   */
  private static final int TIMES_MET = 5;

  /**
   * Quota with which a key is not idle when its next event comes, so that the key's row in the
   * state store still exists. The quota allows that event.
   */
  private static final String LONG_QUOTA = "10/10h";

  private static final Job ZIPF = Job.of("Zipf", Kind.ZIPF);
  private static final Job PAIRS = Job.of("two fields", Kind.PAIRS);
  private static final Job JSON = Job.of("JSON", Kind.JSON);
  private static final Job TWO_THREADS = Job.byThreads("two threads", 2);

  private final Job many;
  private final Job met;
  private final Map<String, Variant> all = new LinkedHashMap<>();

  private Variants(long events) {
    many = many(events);
    met = met(events);
  }

  /** Returns the job with one event for each key, but at most a million keys. */
  private static Job many(long events) {
    return Job.ofMany((int) Math.min(MANY, events), events);
  }

  /** Returns the job with five events for each key, but at most a million keys. */
  private static Job met(long events) {
    return Job.ofMany((int) Math.max(1, Math.min(MANY, events / TIMES_MET)), events);
  }

  static List<Variant> all(long events) {
    Variants variants = new Variants(events);
    variants.addPassThroughs();
    variants.addStateStores();
    variants.addOtherJobs();
    variants.addRedis();
    return List.copyOf(variants.all.values());
  }

  /** Returns the variants in whose names the pattern is found, and their pass-throughs. */
  static List<Variant> all(long events, Pattern only) {
    List<Variant> all = all(events);
    Set<String> wanted = new HashSet<>(Set.of(PlainTopology.PASS_THROUGH_NAME));
    for (Variant each : all) {
      if (only.matcher(each.name()).find()) wanted.addAll(List.of(each.name(), each.basis()));
    }
    return all.stream().filter(each -> wanted.contains(each.name())).toList();
  }

  /** Returns a pattern for the names of the variants that a quick run measures. */
  static Pattern headline() {
    List<String> names =
        List.of(
            PlainTopology.PASS_THROUGH_NAME,
            UNMATCHED,
            fewName(MEMORY, FUNNEL),
            REDIS_FUNNEL,
            WINDOWED_COUNT,
            BUCKET4J);
    return Pattern.compile(names.stream().map(Pattern::quote).collect(joining("|", "^(", ")$")));
  }

  static Variant passThrough() {
    return Job.PLAIN.passThrough();
  }

  /**
   * Returns the name of the variant with the state store in memory, GCRA, and five events for each
   * key.
   */
  static String metName(long events) {
    return name(met(events), MEMORY, FUNNEL);
  }

  /** Returns the name of the variant with this state store and algorithm, and ten thousand keys. */
  static String fewName(String store, Algorithm algorithm) {
    return name(Job.PLAIN, store, algorithm);
  }

  private void addPassThroughs() {
    for (Job each : List.of(Job.PLAIN, many, met, ZIPF, PAIRS, JSON, TWO_THREADS)) {
      add(each.passThrough());
    }
    for (Job each : List.of(Job.PLAIN, JSON)) {
      add(each.by(DECODE_ONLY, PlainTopology.DECODE_ONLY));
    }
    Map<String, String> unused = Map.of("match.action", "an unused action");
    add(Job.PLAIN.by(UNMATCHED, new SluiceApplication(unused, Map.of(), false)));
  }

  private void addStateStores() {
    for (String store : List.of(MEMORY, ROCKSDB)) {
      for (Job job : List.of(Job.PLAIN, many)) {
        for (Algorithm each : List.of(FUNNEL, LOG)) add(stored(job, store, each, ""));
      }
    }
    add(funnel(met, "", onFunnel().withQuota(LONG_QUOTA)));
    add(funnel(met, ", headers=one", onFunnel().withQuota(LONG_QUOTA).with(Keys.HEADERS, "one")));
    add(stored(Job.PLAIN, MEMORY, FUNNEL, "one"));
    add(stored(Job.PLAIN, MEMORY, FUNNEL, "none"));
    add(stored(Job.PLAIN, MEMORY, LOG, "one"));
    for (int limits : List.of(4, 16)) {
      add(funnel(Job.PLAIN, ", " + limits + " limits", onFunnel().withLimits(limits)));
    }
    add(funnel(Job.PLAIN, ", asked", new AskedSluice(onFunnel())));
    add(overridden(Job.PLAIN, 100_000));
    add(overridden(many, many.input().keys()));
  }

  private void addOtherJobs() {
    add(stored(ZIPF, MEMORY, FUNNEL, ""));
    SluiceApplication pairs = onFunnel().by("userId,target");
    add(PAIRS.by(name(Job.PLAIN, MEMORY, FUNNEL), pairs).exactly(FUNNEL));
    add(stored(JSON, MEMORY, FUNNEL, ""));
    add(stored(TWO_THREADS, MEMORY, FUNNEL, ""));
  }

  private void addRedis() {
    for (Algorithm each : List.of(FUNNEL, LOG)) add(redis(Job.PLAIN, each));
    add(redis(ZIPF, FUNNEL));
    for (Algorithm each : List.of(FUNNEL, LOG)) {
      String name = "Redis Cluster of three, %s, prefetched".formatted(shortName(each));
      add(Job.PLAIN.by(name, onRedis(key(each), false)).exactly(each).asking(true));
    }
    for (Algorithm each : List.of(FUNNEL, LOG)) {
      String name = "Redis, %s, one call an event".formatted(shortName(each));
      add(Job.PLAIN.by(name, onRedis(key(each), true)).exactly(each).taking(SLOW));
    }
    add(Job.PLAIN.by(WINDOWED_COUNT, PlainTopology.WINDOWED_COUNT).taking(RATHER_SLOW));
    add(Job.PLAIN.by(BUCKET4J, PlainTopology.BUCKET4J).taking(SLOW));
    add(Job.PLAIN.by(REDISSON, PlainTopology.REDISSON).taking(SLOW));
  }

  /**
   * Adds a variant, unless there is one with the same name: if there are few events, the jobs with
   * many keys have ten thousand keys, as the plain job.
   */
  private void add(Variant variant) {
    all.putIfAbsent(variant.name(), variant);
  }

  private static Variant stored(Job job, String store, Algorithm algorithm, String headers) {
    SluiceApplication application = onStateStore(key(algorithm), store);
    String name = name(job, store, algorithm);
    if (headers.isEmpty()) return job.by(name, application).exactly(algorithm);
    return job.by(name + ", headers=" + headers, application.with(Keys.HEADERS, headers))
        .exactly(algorithm);
  }

  private static Variant funnel(Job job, String how, Application application) {
    return job.by(name(job, MEMORY, FUNNEL) + how, application).exactly(FUNNEL);
  }

  private static Variant overridden(Job job, int overrides) {
    String how = ", " + Figures.round(overrides) + " overrides";
    return funnel(job, how, onFunnel().withOverrides(overrides));
  }

  private static SluiceApplication onFunnel() {
    return onStateStore(key(FUNNEL), MEMORY);
  }

  private static Variant redis(Job job, Algorithm algorithm) {
    return job.by(redisName(algorithm), onRedis(key(algorithm), false)).exactly(algorithm);
  }

  private static String redisName(Algorithm algorithm) {
    return "Redis, %s, prefetched".formatted(shortName(algorithm));
  }

  private static String name(Job job, String store, Algorithm algorithm) {
    return "state store, %s, %s, %s".formatted(store, shortName(algorithm), job.keys());
  }

  private static String shortName(Algorithm algorithm) {
    return algorithm == FUNNEL ? "funnel" : "log";
  }

  /** Returns the algorithm's name in Sluice's configuration. */
  private static String key(Algorithm algorithm) {
    return algorithm == FUNNEL ? "funnel" : "sliding-window-log";
  }
}
