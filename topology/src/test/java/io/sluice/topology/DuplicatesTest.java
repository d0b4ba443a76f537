package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of records with the identity of an admitted event. */
class DuplicatesTest {
  private static final String FUNNEL = "funnel";
  private static final String LOG = "sliding-window-log";
  private static final String COUNTER = "sliding-window-counter";

  private static Harness sluice(String algorithm, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "sluice.limits=reply",
                "sluice.limit.reply.match.action=reply",
                "sluice.limit.reply.quota=5/60s",
                "sluice.limit.reply.algorithm=" + algorithm));
    settings.addAll(Arrays.asList(more));
    return new Harness(settings.toArray(new String[0]));
  }

  private static void reply(Harness sluice, String user, String id, long atMs, String... more) {
    List<String> fields = new ArrayList<>(List.of("\"eventId\":\"" + id + "\""));
    fields.addAll(Arrays.asList(more));
    sluice.send(user, "reply", atMs, fields.toArray(new String[0]));
  }

  private static List<String> reasons(Harness sluice) {
    return sluice.rejected().stream().map(out -> out.header("sluice-reason")).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {FUNNEL, LOG, COUNTER})
  void fiftyDifferentRepliesWithOneIdAreOne(String algorithm) {
    try (Harness sluice = sluice(algorithm)) {
      for (int i = 0; i < 50; i++) reply(sluice, "ann", "same", i, "\"target\":\"" + i + "\"");
      assertThat(sluice.allowed()).hasSize(1);
      assertThat(reasons(sluice)).hasSize(49).containsOnly("duplicate");
      for (int i = 0; i < 9; i++) reply(sluice, "ann", "other-" + i, 50 + i);
      assertThat(sluice.allowed()).as("duplicates use nothing up").hasSize(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {FUNNEL, LOG, COUNTER})
  void aDuplicateThatCostsMoreIsStillADuplicate(String algorithm) {
    try (Harness sluice = sluice(algorithm)) {
      reply(sluice, "ann", "x", 0);
      reply(sluice, "ann", "x", 1, "\"cost\":1000000000");
      assertThat(sluice.allowed()).hasSize(1);
      assertThat(reasons(sluice)).containsExactly("duplicate");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {FUNNEL, LOG, COUNTER})
  void idsSayNothingIfTheyAreCharged(String algorithm) {
    try (Harness sluice = sluice(algorithm, "sluice.duplicates=charge")) {
      for (int i = 0; i < 50; i++) reply(sluice, "ann", "same", i);
      assertThat(sluice.allowed()).hasSize(5);
      assertThat(reasons(sluice)).hasSize(45).containsOnly("over-limit");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {FUNNEL, LOG, COUNTER})
  void theVerdictIsRepeatedAndNothingCharged(String algorithm) {
    try (Harness sluice = sluice(algorithm, "sluice.duplicates=repeat")) {
      for (int i = 0; i < 10; i++) reply(sluice, "ann", "same", i);
      assertThat(sluice.allowed()).hasSize(10);
      for (int i = 0; i < 10; i++) reply(sluice, "ann", "other-" + i, 10 + i);
      assertThat(sluice.allowed()).hasSize(4);
    }
  }

  @Test
  void aRepeatedVerdictIsNotThatOfAnotherCost() {
    try (Harness sluice = sluice(LOG, "sluice.duplicates=repeat")) {
      reply(sluice, "ann", "x", 0);
      reply(sluice, "ann", "x", 1, "\"cost\":5");
      assertThat(sluice.allowed()).hasSize(1);
      assertThat(reasons(sluice)).containsExactly("over-limit");
      reply(sluice, "ann", "x", 2, "\"cost\":4");
      assertThat(sluice.allowed().get(0).header("sluice-remaining")).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {FUNNEL, LOG, COUNTER})
  void twoUsersDoNotExcuseEachOther(String algorithm) {
    try (Harness sluice = sluice(algorithm, "sluice.limit.reply.key=target")) {
      for (int i = 0; i < 9; i++) reply(sluice, "user" + i, "same", i, "\"target\":\"ann\"");
      assertThat(sluice.allowed()).hasSize(5);
      assertThat(reasons(sluice)).hasSize(4).containsOnly("over-limit");
    }
  }

  /** The user's limit knows the event, the target's does not, so both are charged. */
  @Test
  void oneLimitThatKnowsTheIdExcusesNobody() {
    try (Harness sluice =
        sluice(
            LOG,
            "sluice.limits=reply,target",
            "sluice.limit.target.match.action=reply",
            "sluice.limit.target.key=userId,target",
            "sluice.limit.target.quota=1/60s")) {
      for (String target : List.of("bea", "cec", "dan", "bea")) {
        reply(sluice, "ann", "same", 0, "\"target\":\"" + target + "\"");
      }
      assertThat(sluice.allowed())
          .extracting(out -> out.header("sluice-remaining"))
          .containsExactly("0", "0", "0");
      assertThat(reasons(sluice)).containsExactly("duplicate");
      for (int i = 0; i < 5; i++) {
        reply(sluice, "ann", "other-" + i, 1, "\"target\":\"other-" + i + "\"");
      }
      assertThat(sluice.allowed()).as("of five, three are used").hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {FUNNEL, COUNTER})
  void beyondTheLastFourItIsChargedAsNew(String algorithm) {
    try (Harness sluice = sluice(algorithm, "sluice.limit.reply.quota=50/60s")) {
      reply(sluice, "ann", "first", 0);
      for (int i = 0; i < 3; i++) reply(sluice, "ann", "e" + i, 1);
      reply(sluice, "ann", "first", 2);
      assertThat(reasons(sluice)).containsExactly("duplicate");
      reply(sluice, "ann", "e3", 3);
      reply(sluice, "ann", "first", 4);
      assertThat(reasons(sluice)).isEmpty();
      assertThat(sluice.allowed())
          .last()
          .extracting(out -> out.header("sluice-remaining"))
          .isEqualTo("44");
    }
  }

  @Test
  void anEventWithoutAnIdIsItsRecord() {
    try (Harness sluice = sluice(LOG)) {
      for (int i = 0; i < 9; i++) sluice.send("ann", "reply", 0);
      assertThat(sluice.allowed()).hasSize(5);
      assertThat(reasons(sluice)).containsOnly("over-limit");
    }
  }

  /** A refused event was not admitted, so it may come again. */
  @Test
  void whatWasRefusedIsNoDuplicate() {
    try (Harness sluice = sluice(LOG, "sluice.limit.reply.quota=1/60s")) {
      reply(sluice, "ann", "first", 0);
      reply(sluice, "ann", "again", 1);
      assertThat(reasons(sluice)).containsExactly("over-limit");
      reply(sluice, "ann", "again", 60_000);
      assertThat(sluice.allowed()).hasSize(2);
    }
  }
}
