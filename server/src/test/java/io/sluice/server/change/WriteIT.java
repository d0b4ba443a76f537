package io.sluice.server.change;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.live.RevisionTopic;
import io.sluice.rules.event.Field;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.Scope;
import io.sluice.server.Sluice;
import io.sluice.testing.Asks;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of changes over HTTP on a real instance: verdicts follow them, or nothing is written. */
@Tag("slow") // an instance of its own after each test that changes limits
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WriteIT {
  private static final String[] LIMITS = {
    "sluice.limits=reply,sms",
    "sluice.limit.reply.match.action=reply",
    "sluice.limit.reply.quota=5/60s",
    "sluice.limit.reply.algorithm=sliding-window-log",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=100/1h",
    "sluice.http.port=0",
    "sluice.http.write=true"
  };
  private static final String HISTORY = "/api/history";

  private final Servers servers = Servers.shared();
  private Map<String, String> settings;
  private Sluice sluice;
  private Asks http;
  private boolean changed;

  @BeforeEach
  void start() throws Exception {
    if (sluice == null) start(Map.of());
  }

  private void start(Map<String, String> more) throws Exception {
    stop();
    settings = new TreeMap<>(servers.settings(LIMITS));
    settings.putAll(more);
    sluice = Sluice.start(SluiceConfig.of(settings));
    assertThat(sluice.awaitRunning()).isTrue();
    http = new Asks(sluice.httpAddress().orElseThrow());
    changed = !more.isEmpty();
  }

  /** Ends the instance unless all changes of the test were refused; then the next test uses it. */
  @AfterEach
  void stopIfChanged() {
    if (changed) stop();
  }

  @AfterAll
  void stop() {
    if (sluice != null) sluice.close();
    sluice = null;
  }

  private Asks.Answer done(Asks.Answer answer) {
    changed = true;
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  private void awaitKey(String user, String part) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(http.get("/api/limits/reply/key?userId=" + user).body()).contains(part));
  }

  private void publish(String user, int times) throws Exception {
    changed = true;
    byte[] event = "{\"userId\":\"%s\",\"action\":\"reply\"}".formatted(user).getBytes(UTF_8);
    servers.publish(
        settings.get("sluice.topics.input"),
        Collections.nCopies(times, user.getBytes(UTF_8)),
        Collections.nCopies(times, event));
  }

  private List<RevisionTopic.Written> written() {
    try (RevisionTopic topic = RevisionTopic.open(SluiceConfig.of(settings).limitsTopic())) {
      return topic.readIfThere().revisions();
    }
  }

  @Tag("full") // follows a stream through three revisions
  @Test
  void theStreamObeysWhatIsRaisedBlockedAndUndone() throws Exception {
    Asks.Answer raised =
        done(
            http.put(
                "/api/limits/reply",
                "{\"set\":{\"quota\":\"8/60s\"},\"at\":\"now\",\"by\":\"ada\",\"note\":\"launch\"}"));
    assertThat(raised.body()).contains("\"dryRun\":false");
    assertThat(raised.texts("said"))
        .singleElement()
        .asString()
        .startsWith("reply: at most 5 in any 60 s per userId -> at most 8 in any 60 s per userId");
    String id = raised.texts("published").get(0);
    awaitKey("ada", "\"permits\":8");
    publish("ada", 10);
    awaitKey("ada", "\"used\":8,\"remaining\":0");

    done(
        http.post(
            "/api/limits/*/block",
            "{\"for\":{\"userId\":\"eve\"},\"at\":\"now\",\"until\":\"+6s\"}"));
    awaitKey("eve", "\"verdict\":\"denied\"");
    publish("eve", 3);
    awaitKey("eve", "\"verdict\":\"allowed\"");
    publish("eve", 1);
    awaitKey("eve", "\"used\":1");

    assertThat(
            done(http.post("/api/revisions/" + id.substring(0, 8) + "/undo", "{\"by\":\"bob\"}")))
        .satisfies(undone -> assertThat(undone.texts("published")).containsExactly(id));
    awaitKey("bob", "\"permits\":5");
    assertThat(http.get(HISTORY).body()).contains("launch; undone by bob");
  }

  @Test
  void eventsOfAPausedLimitWaitUntilItIsResumed() throws Exception {
    start(Map.of("sluice.limit.reply.exceeded", "queue"));
    assertThat(
            done(http.post("/api/limits/reply/pause", "{\"at\":\"now\",\"until\":\"+1h\"}"))
                .texts("said"))
        .singleElement()
        .asString()
        .startsWith("reply: metered -> paused, from ");
    awaitKey("ada", "\"pauses\":[{\"limit\":\"reply\",\"for\":\"\",\"untilMs\":");
    assertThat(http.get("/api/limits").body()).contains("\"pauses\":[{\"limit\":\"reply\"");
    publish("ada", 2);
    awaitKey("ada", "\"waiting\":{\"count\":2");
    awaitKey("ada", "\"verdict\":\"delayed\"");

    done(http.post("/api/limits/reply/resume", "{\"at\":\"now\"}"));
    awaitKey("ada", "\"used\":2");
    assertThat(http.get("/api/limits/reply/key?userId=ada").body()).doesNotContain("pauses");
    Asks.Answer nothing = http.post("/api/limits/reply/resume", "{}");
    assertThat(nothing.status()).isEqualTo(400);
    assertThat(nothing.body()).contains("nothing to resume");
    Asks.Answer refused = http.post("/api/limits/sms/pause", "{}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("accepted with exceeded=queue");
  }

  private void write(LimitRevision... revisions) {
    changed = true;
    try (RevisionTopic topic = RevisionTopic.open(SluiceConfig.of(settings).limitsTopic())) {
      topic.publish(List.of(revisions));
    }
  }

  private static LimitRevision revision(String id, long effectiveAtMs, String note) {
    LimitRevision.Settings set = new LimitRevision.Settings(Map.of("quota", "9/60s"), Set.of());
    return new LimitRevision(
        id, "reply", Scope.WHOLE, set, effectiveAtMs, LimitRevision.FOR_GOOD, "ada", note);
  }

  @ParameterizedTest
  @ValueSource(strings = {"team/friday", "..", "50%25 é;a=b\\c?d#e+f", "a//b/undo"})
  void anIdWithAnyCharacterIsUndone(String id) throws Exception {
    write(revision(id, System.currentTimeMillis() + 3_600_000, ""));
    String encoded = URLEncoder.encode(id, UTF_8).replace("+", "%20").replace(".", "%2E");
    assertThat(http.get("/api/limits/" + encoded + "/key?userId=ada").status()).isEqualTo(404);
    done(http.post("/api/revisions/" + encoded + "/undo", "{}"));
    assertThat(written()).isEmpty();
  }

  @Test
  void revisionsAreUndoneTogetherOrNotAtAll() throws Exception {
    write(
        revision("short", 1_000, ""),
        revision("long", 1_000, "x".repeat(900)),
        revision("planned", System.currentTimeMillis() + 3_600_000, ""));
    String all = "{\"ids\":[\"planned\",\"short\",\"long\",\"sho\"]}";
    limitRecordsTo("600");
    Asks.Answer refused = http.post("/api/revisions/undo", all);
    assertThat(refused.body()).contains("none of 3 records is written; ");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(written()).hasSize(3).noneMatch(each -> each.revision().untilMs() < Long.MAX_VALUE);
    limitRecordsTo("1000000");
    assertThat(http.post("/api/revisions/undo", "{\"ids\":[\"planned\",\"none\"]}").body())
        .contains("no revision has an id that begins with none");
    assertThat(http.post("/api/revisions/undo", "{}").body()).contains("ids: is missing");
    assertThat(done(http.post("/api/revisions/undo", all)).texts("published"))
        .containsExactlyInAnyOrder("short", "long", "planned");
    assertThat(written()).hasSize(2).allMatch(each -> each.revision().untilMs() < Long.MAX_VALUE);
  }

  private void limitRecordsTo(String bytes) throws Exception {
    ConfigResource topic =
        new ConfigResource(ConfigResource.Type.TOPIC, SluiceConfig.of(settings).topics().limits());
    AlterConfigOp op =
        new AlterConfigOp(new ConfigEntry("max.message.bytes", bytes), AlterConfigOp.OpType.SET);
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()))) {
      admin.incrementalAlterConfigs(Map.of(topic, List.of(op))).all().get();
      await()
          .until(
              () -> {
                Config config = admin.describeConfigs(List.of(topic)).all().get().get(topic);
                return config.get("max.message.bytes").value().equals(bytes);
              });
    }
  }

  @Test
  void eachActionIsWhatTheCommandIs() throws Exception {
    String eve = "{\"for\":{\"userId\":\"eve\"},\"at\":\"now\"}";
    assertThat(said("/api/limits/reply/exempt", eve)).contains("metered -> exempt");
    awaitKey("eve", "exempt");
    String hour = eve.replace("\"at\"", "\"dryRun\":true,\"until\":\"+1h\",\"at\"");
    assertThat(said("/api/limits/reply/clear", hour)).contains("exempt -> metered", ", until 2");
    assertThat(said("/api/limits/reply/clear", eve)).contains("exempt -> metered");
    assertThat(said("/api/limits/reply/reset", eve)).contains("usage is reset");
    String ramp =
        "{\"from\":\"100/1h\",\"to\":\"400/1h\",\"over\":\"3d\",\"steps\":3,\"at\":\"+1h\"}";
    Asks.Answer ramped = done(http.post("/api/limits/sms/ramp", ramp));
    assertThat(ramped.texts("published")).hasSize(3);
    assertThat(ramped.body()).contains("200/1h");
    String dm =
        "{\"add\":true,\"set\":{\"match.action\":\"dm\",\"quota\":\"3/60s\"},\"at\":\"now\"}";
    done(http.put("/api/limits/dm", dm));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> http.get("/api/limits").body().contains("\"limit\":\"dm\""));
    assertThat(http.put("/api/limits/dm", dm).body()).contains("limit=dm: exists already");
    assertThat(done(http.put("/api/limits/dm", "{\"set\":{\"quota\":\"4/60s\"}}")).body())
        .contains("in 60 s");
  }

  private String said(String path, String body) throws Exception {
    return String.join("\n", done(http.post(path, body)).texts("said"));
  }

  @Test
  void aDryRunExplainsAndPublishesNothing() throws Exception {
    Asks.Answer tried =
        done(http.put("/api/limits/reply", "{\"set\":{\"quota\":\"8/60s\"},\"dryRun\":true}"));
    assertThat(tried.body()).startsWith("{\"published\":[],\"dryRun\":true,\"said\":[\"reply: at ");
    assertThat(written()).isEmpty();
  }

  @Test
  void whateverIsWrongIsToldAndPublishesNothing() throws Exception {
    String quota = "\"set\":{\"quota\":\"8/60s\"}";
    Map<String, String> wrong = new TreeMap<>();
    wrong.put("", "the body must be a JSON object");
    wrong.put("[1]", "the body must be a JSON object");
    wrong.put("{\"set\":", "bad JSON: ");
    wrong.put("{" + quota + "}{}", "bad JSON: more than one object");
    wrong.put("{" + quota + ",\"colour\":1}", "colour: unknown; accepted are add, at, by, ");
    wrong.put("{" + quota + "," + quota + "}", "set: is there twice");
    wrong.put("{\"set\":{\"quota\":\"1/1s\",\"quota\":\"2/1s\"}}", "set.quota: is there twice");
    wrong.put("{}", "set: is missing");
    wrong.put("{\"set\":{}}", "set: is missing");
    wrong.put("{\"set\":\"quota\"}", "set: must be an object");
    wrong.put("{\"set\":{\"quota\":{}}}", "set.quota: must be a text");
    wrong.put("{\"set\":{\"quota\":null}}", "set.quota: must be a text");
    wrong.put("{" + quota + ",\"dryRun\":\"true\"}", "dryRun: must be true or false");
    wrong.put("{" + quota + ",\"at\":17}", "at 17: a time is ISO-8601");
    wrong.put("{" + quota + ",\"at\":\"soon\"}", "at soon: a time is ISO-8601");
    wrong.put("{" + quota + ",\"at\":\"+5m\",\"until\":\"+1m\"}", "until");
    wrong.put("{" + quota + ",\"for\":{\"user\":\"eve\"}}", "for user=eve: must be a field");
    wrong.put("{" + quota + ",\"for\":{\"userId\":\"\"}}", "for userId=: must be a field");
    wrong.put("{" + quota + ",\"for\":{\"attributes.a=b\":\"c\"}}", "for.attributes.a=b: the name");
    wrong.put("{" + quota + ",\"for\":{\"target\":\"bob\"}}", "target");
    wrong.put("{" + quota + ",\"for\":{\"userId\":\"" + "x".repeat(1_001) + "\"}}", "at most 1000");
    wrong.put("{" + quota + ",\"by\":\"a\\nb\"}", "no control characters");
    wrong.put("{" + quota + ",\"note\":\"" + "x".repeat(1_001) + "\"}", "at most 1000");
    wrong.put("{\"set\":{\"quota\":\"many\"}}", "sluice.limit.reply.quota=many");
    wrong.put("{\"set\":{\"quotas\":\"8/60s\"}}", "did you mean");
    wrong.put("{\"set\":" + "[".repeat(30_000), "bad JSON: Document nesting depth");
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      Asks.Answer answer = http.put("/api/limits/reply", each.getKey());
      assertThat(answer.status()).as(each.getKey() + answer.body()).isEqualTo(400);
      assertThat(answer.body())
          .startsWith("{\"error\":\"")
          .contains(each.getValue(), "\"mistakes\":");
    }
    assertThat(
            http.put("/api/limits/reply", "{\"colour\":1,\"set\":{\"quota\":\"8/60s\"},\"by\":[]}")
                .texts("mistakes"))
        .hasSize(2);
    byte[] noText = ("{" + quota + ",\"by\":\"\u00ff\"}").getBytes(ISO_8859_1);
    assertThat(http.send("PUT", "/api/limits/reply", BodyPublishers.ofByteArray(noText)).status())
        .isEqualTo(400);
    assertThat(written()).isEmpty();
  }

  @Test
  void pathsAndMethodsThatAreNoneSayWhatThereIs() throws Exception {
    Map<String, String> wrong = new TreeMap<>();
    wrong.put("PUT /api/limits/none", "404 no such limit; known limits: reply, sms");
    wrong.put("POST /api/limits/none/block", "404 no such limit; known limits: reply, sms");
    wrong.put("PUT /api/limits/%22%3C", "404 no such limit; known limits: reply, sms");
    wrong.put("GET /api/limits/reply", "405 only PUT");
    wrong.put("DELETE /api/limits/reply", "405 only PUT");
    wrong.put("GET /api/limits/reply/block", "405 only POST");
    wrong.put("PUT /api/limits", "405 only GET");
    wrong.put("POST /api/limits/reply/key", "405 only GET");
    wrong.put("POST /api/limits/reply/burn", "404 unknown path; use /api/limits");
    wrong.put("POST /api/history", "405 only GET");
    wrong.put("GET /api/history/1", "404 unknown path; use /api/history");
    wrong.put(
        "GET /api/history?from=1",
        "400 unknown parameter or empty value; accepted are limit, before");
    wrong.put("GET /api/history?before=x", "400 before must be the value of next");
    wrong.put("GET /api/revisions/a/undo", "405 only POST");
    wrong.put("GET /api/revisions/undo", "405 only POST");
    wrong.put(
        "POST /api/revisions/a",
        "404 unknown path; use /api/revisions/{id}/undo or /api/revisions/undo");
    wrong.put("POST /api/revisions//undo", "400 ");
    wrong.put("POST /api/limits/*/block", "400 for is missing: a change of every limit needs it");
    wrong.put("POST /api/limits/reply/clear", "400 nothing to clear");
    wrong.put(
        "PUT /api/limits/reply?dryRun=true", "400 parameters are not accepted: send all fields");
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      String[] line = each.getKey().split(" ");
      String body = line[0].equals("PUT") ? "{\"set\":{\"quota\":\"8/60s\"}}" : "{}";
      Asks.Answer answer = http.send(line[0], line[1], line[0].equals("GET") ? "" : body);
      assertThat(answer.status() + " " + answer.body().replace("{\"error\":\"", ""))
          .as(each.getKey())
          .startsWith(each.getValue());
      String only = each.getValue().replaceFirst("^(405 only |[^4].*|40[^5].*)", "");
      assertThat(answer.allow()).as(each.getKey()).isEqualTo(only.replace("GET", "GET, HEAD"));
    }
    String unknown = http.post("/api/revisions/nobody/undo", "{}").body();
    assertThat(unknown).contains("no revision has an id that begins with nobody");
    assertThat(http.post("/api/limits/reply/reset", "{\"until\":\"+1h\"}").body())
        .contains("until: unknown; accepted are at, by, dryRun, for, note");
    assertThat(written()).isEmpty();
  }

  @Test
  void pagesFromElsewhereAndWhoeverHasNoTokenWriteNothing() throws Exception {
    String body = "{\"set\":{\"quota\":\"8/60s\"}}";
    String path = "/api/limits/reply";
    assertThat(http.send("PUT", path, body, "Origin", "http://evil.example").status())
        .isEqualTo(403);
    assertThat(raw("PUT " + path, "evil.example", body)).startsWith("HTTP/1.1 403 ");
    assertThat(http.send("PUT", path, body, "Sec-Fetch-Site", "cross-site").status())
        .isEqualTo(403);
    assertThat(http.send("PUT", path, body, "Content-Type", "text/plain").status()).isEqualTo(415);
    String large = "{\"note\":\"" + "x".repeat(70_000) + "\"}";
    assertThat(http.put(path, large).status()).isEqualTo(413);
    assertThat(written()).isEmpty();
    start(Map.of("sluice.http.token", "a-token-that-is-long-enough"));
    assertThat(http.put(path, body).status()).isEqualTo(401);
    assertThat(http.send("PUT", path, body, "Authorization", "Bearer wrong").status())
        .isEqualTo(401);
    assertThat(written()).isEmpty();
    String right = "Bearer a-token-that-is-long-enough";
    done(http.send("PUT", path, body, "Authorization", right));
    assertThat(written()).hasSize(1);
  }

  /** Sends a request as a browser does if another site's name resolves to this address. */
  private String raw(String request, String host, String body) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", http.base().getPort())) {
      String lines = "%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n";
      String length = "Content-Length: " + body.length() + "\r\nConnection: close\r\n\r\n";
      socket
          .getOutputStream()
          .write((lines.formatted(request, host) + length + body).getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  @Test
  void withoutTheSettingItOnlyShows() throws Exception {
    start(Map.of("sluice.http.write", "false"));
    Asks.Answer refused = http.put("/api/limits/reply", "{\"set\":{\"quota\":\"8/60s\"}}");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body()).contains("sluice.http.write=true");
    assertThat(http.get("/api/limits").body()).contains("\"writes\":false");
    assertThat(done(http.get(HISTORY)).body()).contains("\"revisions\":[],\"more\":false");
    start(Map.of("sluice.limits.live", "false"));
    assertThat(http.put("/api/limits/reply", "{\"set\":{\"quota\":\"8/60s\"}}"))
        .isEqualTo(
            new Asks.Answer(
                503,
                "{\"error\":\"sluice.limits.live=false: instances would not read a change\"}\n"));
  }

  @Test
  void theHistoryHasTheNewestFirstAndWhatWasMeteredIsCounted() throws Exception {
    publish("ada", 7);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(http.get("/api/limits").body())
                    .contains(
                        "\"writes\":true",
                        "\"lastMinute\":{\"allowed\":5,\"rejected\":2,\"delayed\":0}"));
    String first = done(http.put("/api/limits/reply", "{\"set\":{\"quota\":\"6/60s\"}}")).body();
    String later = "{\"set\":{\"quota\":\"7/60s\"},\"at\":\"+1h\"}";
    done(http.put("/api/limits/reply", later));
    done(http.put("/api/limits/sms", "{\"set\":{\"quota\":\"9/1h\"}}"));
    assertThat(first).contains("published");
    String reply = done(http.get(HISTORY + "?limit=reply")).body();
    assertThat(reply).containsSubsequence("7/60s", "planned", "6/60s").doesNotContain("9/1h");
    assertThat(reply).containsOnlyOnce("\"more\":false").contains("\"writtenAt\":", "\"lateMs\":0");
    assertThat(done(http.get(HISTORY)).body()).contains("9/1h");
  }

  @Test
  void ofManyRevisionsTheHistoryHasTheLastThousand() throws Exception {
    int all = 1_200;
    List<LimitRevision> many = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      Scope scope = Scope.of(Map.of(Field.parse("userId"), "u" + i));
      LimitRevision.Settings set = new LimitRevision.Settings(Map.of("quota", "9/60s"), Set.of());
      many.add(
          new LimitRevision(
              "r" + i, "reply", scope, set, 1_000L + i, LimitRevision.FOR_GOOD, "ada", ""));
    }
    try (RevisionTopic topic = RevisionTopic.open(SluiceConfig.of(settings).limitsTopic())) {
      topic.publish(many);
      changed = true;
    }
    String history = done(http.get(HISTORY)).body();
    assertThat(history.split("\"standing\":", -1)).hasSize(1_001);
    assertThat(history)
        .contains(
            "\"more\":true", "\"id\":\"r" + (all - 1) + "\"", "\"id\":\"r" + (all - 1_000) + "\"")
        .doesNotContain("\"id\":\"r" + (all - 1_001) + "\"");
    String next = history.replaceAll("(?s).*\"next\":\"([^\"]*)\".*", "$1");
    assertThat(done(http.get(HISTORY + "?before=" + next)).body())
        .contains("\"id\":\"r" + (all - 1_001) + "\"", "\"id\":\"r0\"")
        .contains("\"more\":false,\"next\":null")
        .doesNotContain("\"id\":\"r" + (all - 1_000) + "\"");
    assertThat(done(http.get(HISTORY + "?userId=u7")).body())
        .containsOnlyOnce("\"standing\":")
        .contains("\"id\":\"r7\"");
    assertThat(done(http.get(HISTORY + "?limit=sms")).body())
        .contains("\"revisions\":[],\"more\":false");
  }

  @Test
  void ofWhatIsPlannedTheLimitsHaveTheFirstAndTheNumber() throws Exception {
    long atMs = System.currentTimeMillis() + 3_600_000;
    LimitRevision[] many = new LimitRevision[300];
    for (int i = 0; i < many.length; i++) {
      Scope scope = Scope.of(Map.of(Field.parse("userId"), "u" + i));
      LimitRevision.Settings set =
          new LimitRevision.Settings(Map.of("verdict", "reject"), Set.of());
      String id = "p%03d".formatted(i);
      many[i] = new LimitRevision(id, "*", scope, set, atMs + i, LimitRevision.FOR_GOOD, "ada", "");
    }
    write(many);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> http.get("/api/limits").body().contains("\"plannedCount\":300"));
    String limits = http.get("/api/limits").body();
    assertThat(limits).contains("\"p000\"", "\"p019\"").doesNotContain("\"p020\"");
    assertThat(limits.split("\"sinceMs\"", -1)).hasSize(1 + 2 * 20);
  }

  @Test
  void changesAtTheSameTimeAreAllWrittenOneAfterAnother() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Callable<Asks.Answer>> calls =
          List.of(
              () -> http.put("/api/limits/reply", "{\"set\":{\"quota\":\"6/60s\"}}"),
              () -> http.put("/api/limits/sms", "{\"set\":{\"quota\":\"6/1h\"}}"),
              () -> http.post("/api/limits/*/block", "{\"for\":{\"userId\":\"eve\"}}"));
      for (Future<Asks.Answer> each : threads.invokeAll(calls)) {
        assertThat(done(each.get()).body()).doesNotContain("another change was published");
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(written()).hasSize(3);
  }
}
