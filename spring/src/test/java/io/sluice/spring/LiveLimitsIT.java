package io.sluice.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.embedded.EmbeddedKafka;
import io.sluice.live.RevisionFollower;
import io.sluice.live.change.ChangeSession;
import io.sluice.live.change.RequestedChanges;
import io.sluice.spring.live.FollowedLimits;
import io.sluice.spring.metering.CallMeter;
import io.sluice.spring.method.LimitedMethods;
import io.sluice.spring.proxy.StartCheck;
import io.sluice.spring.watch.LimitsEndpoint;
import io.sluice.topology.config.SluiceConfig;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application that follows the revisions of a stream, as commands and the HTTP API write them.
 */
@Tag("slow") // clusters stop and start, and plans take effect at their time
class LiveLimitsIT {
  private static final Duration MOST = Duration.ofMinutes(1);

  private static EmbeddedKafka kafka;

  private final String stream = "shop-" + UUID.randomUUID();

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Api.class)
  static class Application {}

  @RestController
  static class Api {
    @RateLimit(limit = "reply", key = "#author")
    @GetMapping("/reply")
    String reply(@RequestParam("author") String author) {
      return "in";
    }

    @RateLimit(quota = "5/1h", key = "#author")
    String inPlace(String author) {
      return "in";
    }
  }

  private App application(EmbeddedKafka cluster) {
    return application(cluster.bootstrapServers());
  }

  private App application(String servers) {
    return App.plain(
        Application.class,
        "sluice.bootstrap.servers=" + servers,
        "sluice.application.id=" + stream,
        "sluice.reconnect.backoff.max.ms=200", // some tests wait until a cluster is back
        "sluice.limit.reply.quota=5/1h",
        "sluice.limit.reply.algorithm=sliding-window-log");
  }

  /** Changes the limits of the stream, like {@code sluice limits}. */
  private void change(
      EmbeddedKafka cluster, String at, List<String> scope, Consumer<RequestedChanges> what) {
    SluiceConfig config =
        SluiceConfig.of(
            Map.of(
                "bootstrap.servers", cluster.bootstrapServers(),
                "application.id", stream,
                "sluice.limits", "reply,mail",
                "sluice.limit.reply.quota", "5/1h",
                "sluice.limit.reply.algorithm", "sliding-window-log",
                "sluice.limit.mail.quota", "5/1h"));
    try (ChangeSession session =
        ChangeSession.open(
            config.limitsConfig(), config.limitsTopic(), InstantSource.system(), new Silent())) {
      RequestedChanges.Asked asked = new RequestedChanges.Asked(scope, at, "", "ada", "", false);
      assertThat(ChangeSession.mistakesOf(() -> what.accept(new RequestedChanges(session, asked))))
          .isEmpty();
    }
  }

  private void set(String... settings) {
    change(kafka, "now", List.of(), changes -> changes.set("reply", List.of(settings)));
  }

  private record Silent() implements ChangeSession.Asker {
    @Override
    public String named(String field) {
      return field;
    }

    @Override
    public void says(String line) {}

    @Override
    public void warns(String line) {}

    @Override
    public void wrote(String what, List<String> ids) {}

    @Override
    public void tried() {}
  }

  /** Writes a record to the topic of revisions; single quotes stand for double ones. */
  private void write(String key, String value) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      producer
          .send(
              new ProducerRecord<>(
                  stream + "-limits",
                  0,
                  key.getBytes(UTF_8),
                  value.replace('\'', '"').getBytes(UTF_8)))
          .get();
    }
  }

  private static KafkaProducer<byte[], byte[]> producer() {
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    return new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(MOST).untilAsserted(assertion);
  }

  private static LimitsEndpoint endpoint(App app) {
    return new LimitsEndpoint(
        app.context().getBeanFactory(),
        app.bean(StartCheck.class),
        app.bean(LimitedMethods.class),
        app.bean(CallMeter.class),
        app.bean(FollowedLimits.class),
        InstantSource.system());
  }

  private static LimitsEndpoint.Overview overview(App app) {
    return endpoint(app).limits();
  }

  private static String quota(App app, String limit) {
    return overview(app).methods().stream()
        .filter(each -> each.limit().equals(limit))
        .map(LimitsEndpoint.Limited::quota)
        .findFirst()
        .orElseThrow();
  }

  private static RevisionFollower.Standing standing(App app) {
    return app.bean(FollowedLimits.class).follower().orElseThrow().standing();
  }

  private static RateLimitExceededException refused(App app, String author) {
    Api api = app.bean(Api.class);
    return catchThrowableOfType(RateLimitExceededException.class, () -> api.reply(author));
  }

  private static int admitted(App app, String author) {
    int admitted = 0;
    while (refused(app, author) == null) admitted++;
    return admitted;
  }

  @Test
  void aRevisionChangesALimitAndWhatWasUsedStaysUsed() {
    try (App app = application(kafka)) {
      assertThat(standing(app).problem()).isEqualTo("there is no topic " + stream + "-limits");
      assertThat(admitted(app, "bob")).isEqualTo(5);

      set("quota=12/1h");
      eventually(() -> assertThat(quota(app, "reply")).startsWith("12 in"));
      assertThat(standing(app).current()).isTrue();
      assertThat(admitted(app, "bob")).isEqualTo(7);
      assertThat(overview(app).methods())
          .filteredOn(each -> each.limit().equals("reply"))
          .singleElement()
          .satisfies(
              each -> assertThat(each.revisions()).singleElement().asString().contains("ada"));
      assertThat(overview(app).methods())
          .filteredOn(each -> each.limit().equals("Api.inPlace"))
          .singleElement()
          .satisfies(each -> assertThat(each.quota()).startsWith("5 in"));
    }
  }

  @Tag("full") // one of several applications that follow revisions
  @Test
  void clientsAreToldOfTheQuotaInForce() {
    set("quota=3/1h");
    String servers = kafka.bootstrapServers();
    try (App app =
        App.mvc(
            Application.class,
            "sluice.bootstrap.servers=" + servers,
            "sluice.application.id=" + stream,
            "sluice.limit.reply.quota=5/1h")) {
      HttpResponse<String> answer = Http.get(app, "/reply?author=bob");
      assertThat(Http.header(answer, "RateLimit-Policy")).isEqualTo("\"reply\";q=3;w=3600");
      assertThat(Http.header(answer, "RateLimit")).contains(";r=2;");
    }
  }

  @Test
  void whatWasPublishedBeforeHoldsFromTheFirstCallOn() {
    set("quota=3/1h");
    try (App app = application(kafka)) {
      assertThat(admitted(app, "bob")).isEqualTo(3);
    }
  }

  @Test
  void oneCallerMayHaveMoreOrNothingOrBeExempt() {
    set("quota=2/1h");
    change(kafka, "now", List.of("userId=eve"), changes -> changes.block("reply"));
    change(kafka, "now", List.of("userId=mallory"), changes -> changes.block("*"));
    change(kafka, "now", List.of("userId=ada"), changes -> changes.exempt("reply"));
    change(
        kafka,
        "now",
        List.of("userId=shop"),
        changes -> changes.set("reply", List.of("quota=9/1h")));
    try (App app = application(kafka)) {
      assertThat(admitted(app, "bob")).isEqualTo(2);
      assertThat(admitted(app, "shop")).isEqualTo(9);
      for (int i = 0; i < 50; i++) assertThat(refused(app, "ada")).isNull();
      for (String each : List.of("eve", "mallory")) {
        RateLimitExceededException denied = refused(app, each);
        assertThat(denied).hasMessage("over the limit reply: denied");
        assertThat(denied.retryAfter()).isEmpty();
        assertThat(denied.exceeded()).containsExactly("reply");
      }
      change(kafka, "now", List.of("userId=bob"), changes -> changes.reset("reply"));
      eventually(() -> assertThat(refused(app, "bob")).isNull());
    }
  }

  @Test
  void aLimitCanBeTakenAway() {
    set("enabled=false");
    try (App app = application(kafka)) {
      for (int i = 0; i < 50; i++) assertThat(refused(app, "bob")).isNull();
      assertThat(quota(app, "reply")).isEqualTo("off");
      assertThat(endpoint(app).left("reply", "bob")).isNull();
      set("enabled=true");
      eventually(() -> assertThat(quota(app, "reply")).startsWith("5 in"));
      assertThat(admitted(app, "bob")).isEqualTo(5);
    }
  }

  @Tag("full") // waits for the instant of a plan
  @Test
  void aPlannedOneHoldsFromItsInstantOn() {
    long atMs = System.currentTimeMillis() + 5_000;
    change(
        kafka,
        Instant.ofEpochMilli(atMs).toString(),
        List.of(),
        changes -> changes.set("reply", List.of("quota=9/1h")));
    try (App app = application(kafka)) {
      FollowedLimits limits = app.bean(FollowedLimits.class);
      assertThat(limits.now().size()).isOne();
      assertThat(limits.now().at(atMs - 1).all().get(0).rule().quota().permits()).isEqualTo(5);
      eventually(
          () -> {
            boolean isMore = quota(app, "reply").startsWith("9 in");
            assertThat(isMore).isTrue();
            assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(atMs);
          });
      assertThat(admitted(app, "bob")).isEqualTo(9);
    }
  }

  @Tag("full") // one of several applications that follow revisions
  @Test
  void oneThatCannotBeIsPassedOverAndTold() throws Exception {
    set("quota=3/1h");
    write("garbage", "{{{");
    write("newer", "{'limit':'reply','set':{'algorithm':'leaky-boat'}}");
    write(
        "filter",
        "{'limit':'reply','set':{'algorithm':'bloom','bloom.capacity':'99','quota':'1/30d'}}");
    write("moved", "{'limit':'reply','set':{'backend':'redis'}}");
    write("wider", "{'limit':'reply','for':{'target':'x'},'set':{'quota':'1/1h'}}");
    write("mail", "{'limit':'mail','set':{'quota':'1/1h'}}");
    write(
        "waits",
        "{'limit':'reply','set':{'exceeded':'delay','delay.max':'5s','match.action':'x','quota':'4/1h'}}");
    try (App app = application(kafka)) {
      assertThat(standing(app).current()).isTrue();
      assertThat(quota(app, "reply")).startsWith("4 in");
      assertThat(overview(app).live())
          .singleElement()
          .asString()
          .contains("id=newer", "id=filter", "id=moved", "id=wider")
          .contains("counts calls; distinct and algorithm=bloom are only for a stream")
          .doesNotContain("id=mail", "id=waits");
      assertThat(admitted(app, "bob")).isEqualTo(4);
      write("last", "{'limit':'reply','set':{'quota':'6/1h'}}");
      eventually(() -> assertThat(quota(app, "reply")).startsWith("6 in"));
    }
  }

  @Test
  void anApplicationLeavesNoTrace() throws Exception {
    set("quota=3/1h");
    try (App app = application(kafka);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      assertThat(standing(app).current()).isTrue();
      TopicPartition topic = new TopicPartition(stream + "-limits", 0);
      long end =
          admin.listOffsets(Map.of(topic, OffsetSpec.latest())).all().get().get(topic).offset();
      assertThat(end).isOne();
      assertThat(admin.listGroups().all().get()).isEmpty();
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("sluice-limits");
  }

  @Test
  void nothingOfAStreamIsNeeded() throws Exception {
    set("quota=3/1h");
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      byte[] avro = {(byte) 0xC3, 1, 2, 3, 4, 5, 6, 7, 8, 9};
      producer
          .send(new ProducerRecord<>(stream + "-limits", 0, "avro".getBytes(UTF_8), avro))
          .get();
    }
    try (URLClassLoader alone = withoutStreams()) {
      assertThat(catchThrowable(() -> alone.loadClass("org.apache.kafka.streams.StreamsConfig")))
          .isInstanceOf(ClassNotFoundException.class);
      assertThat(catchThrowable(() -> alone.loadClass("org.apache.avro.Schema")))
          .isInstanceOf(ClassNotFoundException.class);
      ClassLoader own = Thread.currentThread().getContextClassLoader();
      Method permits =
          alone.loadClass(Alone.class.getName()).getMethod("permits", String.class, String.class);
      try {
        // On a busy machine, the first attempt to read the topic may run out of time.
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(
                () ->
                    assertThat(permits.invoke(null, kafka.bootstrapServers(), stream))
                        .isEqualTo(3L));
      } finally {
        Thread.currentThread().setContextClassLoader(own);
      }
    }
  }

  /** Creates a class loader with little more than the dependencies of the starter. */
  private static URLClassLoader withoutStreams() throws Exception {
    List<URL> path = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      boolean ofStream =
          Stream.of(
                  "kafka-streams",
                  "rocksdb",
                  "/avro",
                  "sluice-schemas",
                  "/schemas/target",
                  "sluice-streams",
                  "/streams/target",
                  "jackson-databind",
                  "micrometer")
              .anyMatch(each::contains);
      if (!ofStream) path.add(new File(each).toURI().toURL());
    }
    return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  @Tag("full") // a cluster stops and starts again
  @Test
  void whileTheClusterIsGoneLimitsStayAndThenGoOn(@TempDir Path data) {
    EmbeddedKafka cluster = EmbeddedKafka.builder().data(data).start();
    int port = cluster.port();
    change(cluster, "now", List.of(), changes -> changes.set("reply", List.of("quota=3/1h")));
    try (App app = application(cluster)) {
      assertThat(admitted(app, "bob")).isEqualTo(3);
      cluster.close();
      eventually(() -> assertThat(standing(app).current()).isFalse());
      assertThat(quota(app, "reply")).startsWith("3 in");
      assertThat(admitted(app, "ada")).isEqualTo(3);
      FollowedLimits limits = app.bean(FollowedLimits.class);
      limits.stop();
      limits.start();
      assertThat(quota(app, "reply")).startsWith("3 in");

      try (EmbeddedKafka again = EmbeddedKafka.builder().data(data).port(port).start()) {
        change(again, "now", List.of(), changes -> changes.set("reply", List.of("quota=8/1h")));
        eventually(() -> assertThat(quota(app, "reply")).startsWith("8 in"));
        assertThat(standing(app).current()).isTrue();
        assertThat(admitted(app, "ada")).isEqualTo(5);
      }
    }
  }

  @Tag("full") // a cluster that comes later
  @Test
  void anApplicationStartsWithoutTheClusterAndFollowsWhenItComes() {
    EmbeddedKafka gone = EmbeddedKafka.start();
    int port = gone.port();
    gone.close();
    try (App app = application("127.0.0.1:" + port)) {
      assertThat(admitted(app, "bob")).isEqualTo(5);
      assertThat(standing(app).current()).isFalse();
      eventually(() -> assertThat(standing(app).problem()).startsWith("no broker answers at"));
      try (EmbeddedKafka come = EmbeddedKafka.builder().port(port).start()) {
        change(come, "now", List.of(), changes -> changes.set("reply", List.of("quota=8/1h")));
        eventually(() -> assertThat(quota(app, "reply")).startsWith("8 in"));
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Listener.class)
  static class Listening {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }

    /** Spring's error handler, configured as the README recommends, that records its calls. */
    @Bean
    DefaultErrorHandler errorHandler(Listener listener, Environment environment) {
      DefaultErrorHandler handler =
          new DefaultErrorHandler((record, thrown) -> listener.failures().add("recovered"));
      handler.setRetryListeners((record, thrown, attempt) -> listener.failures().add("failed"));
      if (environment.getProperty("once", Boolean.class, false)) {
        handler.addNotRetryableExceptions(RateLimitExceededException.class);
      }
      return handler;
    }
  }

  static class Listener {
    private final List<String> processed = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();

    @KafkaListener(topics = "${topic}", groupId = "${topic}")
    @RateLimit(limit = "reply", key = "'bob'")
    void listen(String value) {
      processed.add(value);
    }

    List<String> processed() {
      return processed;
    }

    List<String> failures() {
      return failures;
    }
  }

  /** Without the change, the record would wait for an hour. */
  @Tag("full") // records wait for turns of seconds
  @Test
  void aRecordThatWaitsIsAskedAboutAgainWhenItsLimitChanges() {
    set("quota=1/1h");
    publish(6);
    try (App app = listening()) {
      awaitProcessed(app, 1);
      set("quota=2/1h");
      awaitProcessed(app, 2);
      change(kafka, "now", List.of("userId=bob"), changes -> changes.reset("reply"));
      awaitProcessed(app, 4);
      String soon = Instant.now().plusSeconds(2).toString();
      change(kafka, soon, List.of(), changes -> changes.set("reply", List.of("quota=3/1h")));
      awaitProcessed(app, 5);
      set("enabled=false");
      eventually(() -> assertThat(app.bean(Listener.class).processed()).hasSize(6));
      assertThat(app.bean(Listener.class).processed())
          .isEqualTo(List.of("1", "2", "3", "4", "5", "6"));
    }
  }

  private void publish(int records) {
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      for (int i = 1; i <= records; i++) {
        producer.send(
            new ProducerRecord<>(stream + "-records", Integer.toString(i).getBytes(UTF_8)));
      }
    }
  }

  private App listening(String... more) {
    String servers = kafka.bootstrapServers();
    List<String> settings =
        new ArrayList<>(
            List.of(
                "topic=" + stream + "-records",
                "spring.kafka.bootstrap-servers=" + servers,
                "spring.kafka.consumer.auto-offset-reset=earliest",
                "sluice.bootstrap.servers=" + servers,
                "sluice.application.id=" + stream,
                "sluice.limit.reply.quota=5/1h",
                "sluice.limit.reply.algorithm=sliding-window-log"));
    settings.addAll(List.of(more));
    return App.plain(Listening.class, settings.toArray(String[]::new));
  }

  @Tag("full") // records wait for turns of seconds
  @Test
  void aRecordThatWaitsIsNoneAnyMoreOnceItIsDenied() {
    denied(Collections.nCopies(10, "failed"));
  }

  @Test
  void aRecordThatIsDeniedNeedNotBeTriedAgain() {
    denied(List.of("failed"), "once=true");
  }

  private void denied(List<String> failures, String... settings) {
    set("quota=1/1h");
    publish(2);
    try (App app = listening(settings)) {
      awaitProcessed(app, 1);
      Listener listener = app.bean(Listener.class);
      assertThat(listener.failures()).isEmpty();
      change(kafka, "now", List.of("userId=bob"), changes -> changes.block("reply"));
      eventually(() -> assertThat(listener.failures()).contains("recovered"));
      List<String> all = new ArrayList<>(failures);
      all.add("recovered");
      assertThat(listener.failures()).isEqualTo(all);
      assertThat(listener.processed()).hasSize(1);
    }
  }

  /** Waits until this many records are processed and the next one waits. */
  private static void awaitProcessed(App app, int records) {
    double before = rejected(app);
    eventually(
        () -> {
          assertThat(app.bean(Listener.class).processed()).hasSize(records);
          assertThat(rejected(app)).isGreaterThan(before);
        });
  }

  private static double rejected(App app) {
    Counter counter =
        app.bean(MeterRegistry.class).find("sluice.events").tag("verdict", "rejected").counter();
    return counter == null ? 0 : counter.count();
  }
}
