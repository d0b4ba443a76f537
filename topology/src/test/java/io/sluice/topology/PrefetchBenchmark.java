package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.embedded.Forwarder;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import io.sluice.topology.Sluice.Intake;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What asking Redis for a whole poll at once is worth: the same topology with and without it, side
 * by side, against a broker and a Redis in processes of their own. See the README of this module
 * for how to run it, and what came out.
 */
final class PrefetchBenchmark {
  private static final int ROUNDS = 5;
  private static final int USERS = 6_000;
  private static final int PARTITIONS = 4;
  private static final int MANY = 240_000;
  private static final int FEW = 12_000;
  private static final List<Long> LATENCIES_NANOS = List.of(0L, 300_000L);
  private static final List<String> ALGORITHMS = List.of("sliding-window-log", "funnel");

  private final String bootstrap;
  private final EmbeddedRedis redis;
  private final Forwarder slowRedis;
  private int applications;

  private record Case(String algorithm, long latencyNanos, Intake intake) {}

  private PrefetchBenchmark(String bootstrap, EmbeddedRedis redis) {
    this.bootstrap = bootstrap;
    this.redis = redis;
    slowRedis = new Forwarder(redis.port());
  }

  public static void main(String[] args) throws Exception {
    if (args.length == 1 && args[0].equals("broker")) {
      runBroker();
      return;
    }
    Process broker = startBroker();
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        BufferedReader out =
            new BufferedReader(new InputStreamReader(broker.getInputStream(), UTF_8))) {
      new PrefetchBenchmark(out.readLine(), redis).run();
    } finally {
      broker.destroy();
      broker.waitFor();
    }
    System.exit(0);
  }

  /** Until the other end closes the standard input, as it does at the latest when it ends. */
  private static void runBroker() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      System.out.println(kafka.bootstrapServers());
      while (System.in.read() >= 0) {}
    }
  }

  private static Process startBroker() throws Exception {
    String java =
        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    return new ProcessBuilder(
            java,
            "-Xmx1g",
            "-cp",
            System.getProperty("java.class.path"),
            PrefetchBenchmark.class.getName(),
            "broker")
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private void run() throws Exception {
    slowRedis.addLatency(LATENCIES_NANOS.get(1));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("many", PARTITIONS, (short) 1),
                  new NewTopic("few", PARTITIONS, (short) 1)))
          .all()
          .get();
    }
    publish("many", MANY);
    publish("few", FEW);
    Map<String, List<Double>> rates = new TreeMap<>();
    for (int round = 0; round <= ROUNDS; round++) {
      for (String algorithm : ALGORITHMS) {
        for (long latency : LATENCIES_NANOS) {
          for (Intake intake : Intake.values()) {
            Case each = new Case(algorithm, latency, intake);
            double rate = eventsPerSecond(each);
            System.out.printf("round %d  %s  %,.0f events a second%n", round, each, rate);
            if (round > 0) { // the first is for the compiler
              rates.computeIfAbsent(each.toString(), absent -> new ArrayList<>()).add(rate);
            }
          }
        }
      }
    }
    print(rates);
  }

  private void print(Map<String, List<Double>> rates) {
    System.out.println();
    System.out.println("| Redis limit | latency added | one call an event | prefetched | times |");
    System.out.println("|---|---|---|---|---|");
    for (String algorithm : ALGORITHMS) {
      for (long latency : LATENCIES_NANOS) {
        double single = median(rates, new Case(algorithm, latency, Intake.ONE_BY_ONE));
        double prefetched = median(rates, new Case(algorithm, latency, Intake.PREFETCHED));
        System.out.printf(
            "| %s | %d µs | %,.0f/s | %,.0f/s | %.1f |%n",
            algorithm, latency / 1_000, single, prefetched, prefetched / single);
      }
    }
  }

  private static double median(Map<String, List<Double>> rates, Case of) {
    return rates.get(of.toString()).stream().sorted().toList().get(ROUNDS / 2);
  }

  /** Of all but the first fifth of the events, by what Streams says it has processed. */
  private double eventsPerSecond(Case of) throws Exception {
    int events = of.intake == Intake.PREFETCHED ? MANY : FEW;
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings(of)), of.intake)) {
      double from = awaitProcessed(sluice, events / 5);
      long fromNanos = System.nanoTime();
      double to = awaitProcessed(sluice, events);
      return (to - from) * 1e9 / (System.nanoTime() - fromNanos);
    }
  }

  private static double awaitProcessed(Sluice sluice, int events) {
    while (true) {
      double processed =
          sluice.metrics().entrySet().stream()
              .filter(each -> each.getKey().name().equals("process-total"))
              .filter(each -> each.getKey().group().equals("stream-thread-metrics"))
              .mapToDouble(each -> (Double) each.getValue().metricValue())
              .sum();
      if (processed >= events) return processed;
      LockSupport.parkNanos(5_000_000);
    }
  }

  private Map<String, String> settings(Case of) {
    String name = "app" + ++applications;
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("application.id", name);
    settings.put("state.dir", Servers.folder().toString());
    settings.put("sluice.redis.uri", of.latencyNanos == 0 ? redis.uri() : slowRedis.uri());
    settings.put("sluice.redis.timeout", "1s");
    settings.put("sluice.redis.key.prefix", name);
    settings.put("sluice.topics.input", of.intake == Intake.PREFETCHED ? "many" : "few");
    settings.put("sluice.topics.partitions", "" + PARTITIONS);
    settings.put("sluice.limits", "measured");
    settings.put("sluice.limit.measured.quota", "5/60s");
    settings.put("sluice.limit.measured.algorithm", of.algorithm);
    settings.put("sluice.limit.measured.backend", "redis");
    return settings;
  }

  /** A millisecond apart, so that of what each user does in a minute half is allowed. */
  private void publish(String topic, int events) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap, "linger.ms", 20);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < events; i++) {
        String user = "user-" + i % USERS;
        UserAction action =
            UserAction.newBuilder()
                .setEventId("event-" + i)
                .setUserId(user)
                .setAction("post")
                .setOccurredAt(Instant.ofEpochMilli(1_790_000_000_000L + i))
                .build();
        sent.add(
            producer.send(
                new ProducerRecord<>(topic, user.getBytes(UTF_8), UserActionCodec.encode(action))));
      }
      for (Future<RecordMetadata> each : sent) each.get();
    }
  }
}
