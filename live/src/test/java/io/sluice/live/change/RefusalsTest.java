package io.sluice.live.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.live.LimitLines;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.Scope;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  private final LimitsInForce limits =
      LimitsInForce.of(
          LimitLines.of(
              "sluice.limits=reply,vip",
              "sluice.limit.reply.quota=5/60s",
              "sluice.limit.vip.quota=50/60s",
              "sluice.limit.vip.unless=reply"));

  private static LimitRevision set(String limit, Map<String, String> texts) {
    return set(limit, texts, NOW_MS);
  }

  private static LimitRevision set(String limit, Map<String, String> texts, long atMs) {
    Settings settings = new Settings(texts, Set.of());
    return new LimitRevision(
        limit, limit, Scope.WHOLE, settings, atMs, LimitRevision.FOR_GOOD, "", "");
  }

  private static List<String> of(LimitsInForce before, LimitRevision draft) {
    return new Refusals(before, before.with(draft), NOW_MS).of(draft);
  }

  @Test
  void aLimitCanLeaveEventsOnlyToLimitsThatThereAre() {
    Map<String, String> texts = Map.of("enabled", "true", "quota", "1/1s", "unless", "reply");
    LimitRevision added = set("new", texts, NOW_MS + 60_000);
    assertThat(of(limits, added)).isEmpty();
    assertThat(of(limits, set("reply", Map.of("unless", "new"))))
        .containsExactly("sluice.limit.reply.unless=new: names other limits; accepted are vip");
    assertThat(of(limits.with(added), set("vip", Map.of("unless", "new")))).isEmpty();
  }

  @Test
  void aCircleIsRefused() {
    assertThat(of(limits, set("reply", Map.of("unless", "vip"))))
        .containsExactly(
            "sluice.limit.reply.unless=vip: these limits form a circle, so none would apply to an"
                + " event that all match: reply unless vip unless reply");
  }

  @Test
  void aQueueIsRefusedForALimitThatDelays() {
    LimitsInForce delaying = limits.with(set("vip", Map.of("exceeded", "delay", "unless", "")));
    String rest =
        ", and no event can both wait in line and be delayed or retried; accepted are"
            + " exceeded=reject and queue on all limits of such an event, or matches that exclude"
            + " each other";

    assertThat(of(delaying, set("reply", Map.of("exceeded", "queue"), NOW_MS + 1)))
        .containsExactly(
            "sluice.limit.reply.exceeded=queue: an event can also match vip (exceeded=delay)"
                + rest);
    assertThat(of(limits, set("reply", Map.of("exceeded", "queue")))).isEmpty();
    assertThat(of(limits, set("reply", Map.of("exceeded", "queue", "count", "attempts"))))
        .anyMatch(line -> line.startsWith("sluice.limit.reply.count=attempts: "));
    LimitsInForce planned =
        limits.with(set("vip", Map.of("exceeded", "delay", "unless", ""), NOW_MS + 60_000));
    assertThat(of(planned, set("reply", Map.of("exceeded", "queue"))))
        .as("a planned revision must not be refused because of a later draft")
        .containsExactly(
            "with this change, revision vip is refused: sluice.limit.vip.exceeded=delay: an event"
                + " can also match reply (exceeded=queue)"
                + rest);
  }

  @Test
  void whatSaysNothingOfOthersIsNotRefusedForThem() {
    assertThat(of(limits, set("vip", Map.of("quota", "60/60s")))).isEmpty();
  }
}
