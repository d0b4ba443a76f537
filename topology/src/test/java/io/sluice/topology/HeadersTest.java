package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Harness.Out;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the styles of verdict headers: {@code sluice.headers}. */
class HeadersTest {
  private static final List<String> NAMES =
      List.of(
          "limit",
          "remaining",
          "retry-after-ms",
          "reset-after-ms",
          "reason",
          "release-at-ms",
          "attempt");

  private static Harness with(String style) {
    return new Harness(
        "sluice.headers=" + style,
        "sluice.limits=post,sms,call,watch",
        "sluice.limit.post.match.action=post",
        "sluice.limit.post.quota=2/60s",
        "sluice.limit.sms.match.action=sms",
        "sluice.limit.sms.quota=1/1s",
        "sluice.limit.sms.exceeded=delay",
        "sluice.limit.call.match.action=call",
        "sluice.limit.call.quota=1/1s",
        "sluice.limit.call.exceeded=retry",
        "sluice.limit.watch.match.action=watch",
        "sluice.limit.watch.quota=1/60s",
        "sluice.limit.watch.mode=shadow");
  }

  /** Sends events for every kind of result except dead letters. */
  private static void sendAll(Harness harness) {
    for (int i = 0; i < 4; i++) {
      for (String action : List.of("post", "sms", "call", "watch", "look")) {
        harness.send("ada", action, i, "\"cost\":" + (i == 3 ? 2 : 1));
      }
    }
    harness.runTo(60_000);
  }

  private static Map<String, String> said(Out out) {
    Map<String, String> said = new TreeMap<>(out.headers());
    said.keySet().removeIf(name -> !name.startsWith("sluice-"));
    return said;
  }

  /** Joins the separate headers to one, in the order of the manual. */
  private static Map<String, String> folded(Out out) {
    Map<String, String> each = said(out);
    StringBuilder text = new StringBuilder(each.remove("sluice-verdict"));
    for (String name : NAMES) {
      String value = each.remove("sluice-" + name);
      if (value == null || (name.equals("attempt") && value.equals("1"))) continue;
      text.append(';').append(name).append('=').append(value);
    }
    each.put("sluice-verdict", text.toString());
    return each;
  }

  @Test
  void oneHeaderSaysAllThatSeveralSay() {
    try (Harness several = with("each");
        Harness one = with("one")) {
      sendAll(several);
      sendAll(one);
      List<Out> allowed = several.allowed();
      List<Out> rejected = several.rejected();
      assertThat(allowed).hasSizeGreaterThan(8);
      assertThat(rejected).hasSizeGreaterThan(2);
      assertThat(one.allowed().stream().map(HeadersTest::said))
          .containsExactlyElementsOf(allowed.stream().map(HeadersTest::folded).toList());
      assertThat(one.rejected().stream().map(HeadersTest::said))
          .containsExactlyElementsOf(rejected.stream().map(HeadersTest::folded).toList());
    }
  }

  @Test
  void theHeaderReadsAsTheManualSays() {
    try (Harness one = with("one")) {
      for (int i = 0; i < 3; i++) one.send("ada", "post", 0);
      one.send("ada", "look", 0);
      assertThat(Stream.concat(one.allowed().stream(), one.rejected().stream()))
          .extracting(out -> out.header("sluice-verdict"))
          .containsExactly(
              "allowed;limit=post;remaining=1;reset-after-ms=30000",
              "allowed;limit=post;remaining=0;reset-after-ms=60000",
              "allowed",
              "rejected;limit=post;remaining=0;retry-after-ms=30000;reset-after-ms=60000;reason=over-limit");
    }
  }

  @Test
  void nothingIsWrittenOnAllowedEventsIfSoWanted() {
    try (Harness none = with("none");
        Harness one = with("one")) {
      sendAll(none);
      sendAll(one);
      assertThat(none.allowed().stream().map(HeadersTest::said))
          .hasSizeGreaterThan(8)
          .allSatisfy(said -> assertThat(said.keySet()).isSubsetOf("sluice-shadow"));
      assertThat(none.rejected().stream().map(HeadersTest::said))
          .hasSizeGreaterThan(2)
          .containsExactlyElementsOf(one.rejected().stream().map(HeadersTest::said).toList());
    }
  }

  /**
   * Delayed events keep separate headers, since an instance with another style may release them.
   */
  @ParameterizedTest
  @ValueSource(strings = {"one", "none"})
  void whatWaitsHasAHeaderForEachThing(String style) {
    try (Harness several = with("each");
        Harness other = with(style)) {
      for (Harness harness : List.of(several, other)) {
        for (int i = 0; i < 3; i++) harness.send("ada", "sms", i);
        for (int i = 0; i < 3; i++) harness.send("ada", "call", i);
      }
      assertThat(other.delayed().stream().map(Out::headers))
          .hasSizeGreaterThan(3)
          .containsExactlyElementsOf(several.delayed().stream().map(Out::headers).toList());
    }
  }

  /** Any client may write to the topic of delayed events. */
  @Test
  void aForgedValueDoesNotSpeakForOthers() {
    try (Harness one = with("one")) {
      one.send("ada", "sms", 0);
      Out sent = one.allowed().get(0);
      RecordHeaders forged = new RecordHeaders();
      forged.add("sluice-verdict", "delayed".getBytes(UTF_8));
      forged.add("sluice-release-at-ms", Long.toString(Harness.NOON_MS + 1_000).getBytes(UTF_8));
      forged.add("sluice-limit", "sms;remaining=99".getBytes(UTF_8));
      forged.add("sluice-remaining", null);
      forged.add("sluice-reset-after-ms", "5".getBytes(UTF_8));
      one.delay(sent.key(), sent.value(), forged);
      one.runTo(2_000);
      assertThat(one.allowed())
          .singleElement()
          .extracting(HeadersTest::said)
          .isEqualTo(
              Map.of(
                  "sluice-verdict",
                  "allowed;reset-after-ms=5;release-at-ms=" + (Harness.NOON_MS + 1_000)));
    }
  }
}
