package io.sluice.server.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.sluice.rules.limit.Verdict;
import io.sluice.server.ask.Report.Unanswered;
import io.sluice.server.web.JsonText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.watch.Watch;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the summed counts of instances that start, end, freeze, or have other clocks. */
@Tag("slow") // waits for a frozen instance until its timeout
class CountsOfAllTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String ALL = "steps=91&local=true";
  private static final String LAST = "steps=3&local=true";
  private static final long STEP_MS = Watch.STEP_MS;
  private static final InstanceClient PEERS =
      new InstanceClient(SluiceConfig.example(Map.of()).http());

  private final List<Other> instances = new ArrayList<>();
  private final List<String> addresses = new ArrayList<>();
  private long nowMs = 1_700_000_000_000L;
  private final CountsOfAll all =
      new CountsOfAll(
          "own",
          new Watch(),
          new OtherInstances("here:1", PEERS, () -> List.copyOf(addresses)),
          () -> Instant.ofEpochMilli(nowMs));

  /** Fake instance that answers with given numbers of rejected events for each step. */
  private final class Other implements AutoCloseable {
    private final HttpServer server;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile String run;
    private volatile long apartMs;
    private final Map<Long, Long> events = new ConcurrentHashMap<>();

    Other(String run) throws Exception {
      this.run = run;
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            String query = exchange.getRequestURI().getQuery();
            asked.add(query);
            byte[] text = text(Integer.parseInt(query.replaceAll("\\D", ""))).getBytes(UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
          });
      server.start();
      instances.add(this);
      addresses.add(at());
    }

    void counts(long times) {
      events.merge(step(), times, Long::sum);
    }

    private long step() {
      return (nowMs + apartMs) / STEP_MS;
    }

    private String text(int steps) {
      List<String> numbers = new ArrayList<>();
      for (long step = step() - steps + 1; step <= step(); step++) {
        numbers.add("" + events.getOrDefault(step, 0L));
      }
      return answer(run, nowMs + apartMs, (step() - steps + 1) * STEP_MS, numbers);
    }

    String at() {
      return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private static String answer(String run, long nowMs, long fromMs, List<String> numbers) {
    return "{\"run\":\"%s\",\"nowMs\":%d,\"stepMs\":10000,\"fromMs\":%d,\"new\":[{}],\"lines\":[%s]}"
        .formatted(
            run,
            nowMs,
            fromMs,
            "{\"limit\":\"reply\",\"shadow\":false,\"new\":{},\"rejected\":" + numbers + "}");
  }

  /** Avoids a delay of 40 ms in each response. It works only before the JVM's first such server. */
  @BeforeAll
  static void answersAtOnce() {
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  @AfterEach
  void stop() {
    instances.forEach(Other::close);
  }

  /**
   * Asks until each existing instance has answered, since a busy machine may exceed the timeout.
   */
  private void ask() {
    await().atMost(LONG).pollDelay(Duration.ZERO).until(() -> isAnswered(all.ask()));
  }

  private boolean isAnswered(CompletableFuture<Void> asked) {
    assertThat(asked).succeedsWithin(LONG);
    List<String> unanswered =
        all.sum(nowMs).unanswered().stream().map(Unanswered::instance).toList();
    return instances.stream().noneMatch(each -> unanswered.contains(each.at()));
  }

  /** Number of rejected events over the whole quarter of an hour. */
  private long rejected() {
    return Arrays.stream(steps()).sum();
  }

  private long[] steps() {
    List<Watch.Line> lines = all.sum(nowMs).history().lines();
    if (lines.isEmpty()) return new long[Watch.STEPS];
    assertThat(lines).extracting(Watch.Line::limit).containsExactly("reply");
    return lines.get(0).counts().getOrDefault(Verdict.Kind.REJECTED, new long[Watch.STEPS]);
  }

  @Test
  void instancesAreAddedUpStepByStepHoweverOftenTheyAreAsked() throws Exception {
    Other one = new Other("one");
    Other two = new Other("two");
    one.counts(3);
    nowMs += STEP_MS;
    one.counts(1);
    two.counts(2);
    for (int i = 0; i < 3; i++) ask();
    assertThat(steps()).hasSize(Watch.STEPS).endsWith(0, 3, 3);
    assertThat(one.asked).startsWith(ALL).endsWith(LAST, LAST);
    two.counts(5);
    ask();
    assertThat(steps()).endsWith(0, 3, 8);
    List<String> others = Stream.of(one.at(), two.at()).sorted().toList();
    assertThat(all.sum(nowMs).answered()).containsExactly("here:1", others.get(0), others.get(1));
    assertThat(all.sum(nowMs).unanswered()).isEmpty();
  }

  @Test
  void whatAnInstanceHasCountedThatIsGoneStaysUntilItIsOld() throws Exception {
    Other one = new Other("one");
    one.counts(7);
    ask();
    instances.remove(one);
    one.close();
    nowMs += 5 * STEP_MS;
    ask();
    assertThat(steps()).endsWith(7, 0, 0, 0, 0, 0);
    assertThat(all.sum(nowMs).unanswered())
        .extracting(Unanswered::instance)
        .containsExactly(one.at());
    addresses.clear();
    ask();
    assertThat(all.sum(nowMs).unanswered()).isEmpty();
    assertThat(rejected()).isEqualTo(7);
    nowMs += (Watch.STEPS - 5) * STEP_MS;
    all.forget();
    assertThat(rejected()).isZero();
  }

  @Test
  void anInstanceThatComesBackAddsToWhatItHadCountedBefore() throws Exception {
    Other one = new Other("before");
    one.counts(7);
    ask();
    one.run = "after";
    one.events.clear();
    one.counts(2);
    ask(); // of an unknown process, the last steps are not enough
    ask();
    assertThat(one.asked).contains(LAST).endsWith(ALL);
    assertThat(rejected()).isEqualTo(9);
  }

  @Test
  void anInstanceThatWasSilentForLongIsAskedForAllOfIt() throws Exception {
    Other one = new Other("one");
    ask();
    assertThat(all.takeMorePast()).isTrue();
    one.counts(4);
    nowMs += 5 * STEP_MS;
    ask();
    assertThat(all.takeMorePast()).isFalse();
    ask();
    assertThat(one.asked).contains(LAST).endsWith(ALL);
    assertThat(all.takeMorePast()).isTrue();
    assertThat(all.takeMorePast()).isFalse();
    assertThat(steps()).endsWith(4, 0, 0, 0, 0, 0);
  }

  @Test
  void oneThatIsFrozenIsNamedAndKeepsNobodyUp() throws Exception {
    Other one = new Other("one");
    one.counts(40);
    try (ServerSocket frozen = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String mute = "127.0.0.1:" + frozen.getLocalPort();
      addresses.add(mute);
      CompletableFuture<Void> first = all.ask();
      assertThat(all.sum(nowMs).unanswered())
          .contains(new Unanswered(mute, "it has not answered yet"));
      await()
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(10))
          .until(
              () -> {
                boolean over = first.isDone();
                all.ask();
                return over;
              });
      assertThat(one.asked).hasSizeGreaterThan(3);
      assertThat(rejected()).isEqualTo(40);
      assertThat(all.sum(nowMs).unanswered()).contains(new Unanswered(mute, "request timed out"));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, -120_000, -9_000, 0, 9_000, 120_000, 3_600_000})
  void aClockThatIsWrongShowsWhatHappensNow(long apartMs) throws Exception {
    Other one = new Other("one");
    one.apartMs = apartMs;
    for (int i = 0; i < 40; i++) {
      one.counts(1);
      nowMs += 1_000;
      ask();
    }
    nowMs += STEP_MS;
    assertThat(Arrays.stream(steps()).skip(Watch.STEPS - 7).sum()).isEqualTo(40);
  }

  @Test
  void aClockThatIsSetBackShowsWhatIsCountedFromThenOn() throws Exception {
    Other one = new Other("one");
    one.counts(3);
    ask();
    one.apartMs = -3_600_000;
    one.counts(2);
    ask();
    ask();
    assertThat(steps()).endsWith(0, 2);
  }

  @Test
  void thisOneUnderAnotherAddressIsNotCountedAgain() throws Exception {
    new Other("own").counts(3);
    ask();
    assertThat(rejected()).isZero();
  }

  @Test
  void processesThatComeAndGoWithoutEndAreNotKept() throws Exception {
    Other one = new Other("run0");
    one.counts(1);
    for (int i = 0; i < 600; i++) {
      one.run = "run" + i / 2; // an unknown process is asked twice
      ask();
    }
    assertThat(rejected()).isBetween(200L, 256L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"run\":\"a\",\"nowMs\":20000,\"stepMs\":5000,\"fromMs\":20000,\"lines\":[]}",
        "{\"run\":\"a\",\"nowMs\":20000,\"stepMs\":10000,\"fromMs\":20001,\"lines\":[]}",
        "{\"run\":\"a\",\"nowMs\":20000,\"stepMs\":10000,\"fromMs\":30000,\"lines\":[]}",
        "{\"run\":\"a\",\"nowMs\":930000,\"stepMs\":10000,\"fromMs\":20000,\"lines\":[]}",
        "{\"run\":\"<b>\",\"nowMs\":20000,\"stepMs\":10000,\"fromMs\":20000,\"lines\":[]}",
        "{\"run\":\"a\",\"nowMs\":20000,\"stepMs\":10000,\"fromMs\":20000,\"lines\":[]} {}"
      })
  void whatIsNoAnswerIsRefused(String text) {
    assertRefused(text);
  }

  private static Watch.History read(String text) {
    return JsonText.read(text, CountsResponse.OfProcess.class).history();
  }

  private static void assertRefused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("it does not answer as Sluice does");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[]", "[1,2]", "[-1]", "[1.5]", "[9223372036854775807]", "[1],\"allowed\":[1,2]"})
  void numbersThatAreNoneAreRefused(String numbers) {
    String one = answer("a", 20_000, 20_000, List.of("7"));
    assertThat(read(one).lines()).hasSize(1);
    assertRefused(one.replace("[7]", numbers));
    String line = one.substring(one.indexOf("{\"limit\""), one.lastIndexOf("]"));
    assertRefused(one.replace(line, line + "," + line));
  }
}
