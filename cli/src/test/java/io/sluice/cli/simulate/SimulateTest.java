package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.SimulateCli;
import io.sluice.schemas.UserAction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulateTest {
  private static final String[] TWO_POSTS_A_MINUTE = {
    "sluice.limits=post",
    "sluice.limit.post.match.action=post",
    "sluice.limit.post.quota=2/60s",
    "sluice.limit.post.algorithm=sliding-window-log"
  };

  @TempDir private Path folder;

  private SimulateCli simulate(String... settings) {
    return new SimulateCli(folder, settings);
  }

  /** Returns a post of this user, this many milliseconds after the start. */
  private static String post(String id, String user, long atMs) {
    return "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"post\",\"occurredAt\":%d}"
        .formatted(id, user, 1_790_000_000_000L + atMs);
  }

  /** Returns the ids of the allowed events. */
  private static List<String> allowed(SimulateCli.Result result) {
    List<String> ids = new ArrayList<>();
    for (String line : result.out()) {
      if (line.contains("\"verdict\":\"allowed\"")) ids.add(line.split("\"")[3]);
    }
    return ids;
  }

  /** The simulation's own output topics never clash with an input topic. */
  @ParameterizedTest
  @ValueSource(strings = {"user-actions-verdicts", "user-actions-delayed"})
  void anInputMayHaveAnyName(String other) {
    List<String> settings = new ArrayList<>(List.of(TWO_POSTS_A_MINUTE));
    settings.add("sluice.topics.input=user-actions," + other);
    SimulateCli.Result result =
        simulate(settings.toArray(new String[0]))
            .quietly(post("a", "ann", 0), post("b", "ann", 1), post("c", "ann", 2));
    assertThat(result.out()).hasSize(3);
    assertThat(allowed(result)).containsExactly("a", "b");
  }

  @Test
  void byTheWallClockNothingIsLate() {
    List<String> settings = new ArrayList<>(List.of(TWO_POSTS_A_MINUTE));
    settings.add("sluice.time=wall");
    SimulateCli.Result result =
        simulate(settings.toArray(new String[0]))
            .quietly(post("a", "ann", 900_000), post("b", "ann", 0));
    assertThat(result.err()).isEmpty();
    assertThat(allowed(result)).containsExactly("a", "b");
  }

  @Test
  void everyEventGetsALineThatExplainsItsVerdict() {
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .quietly(
                post("a", "ann", 0),
                post("b", "ann", 1_000),
                post("c", "ann", 2_000),
                "{\"userId\":\"ann\",\"action\":\"like\"}",
                "{\"userId\":7,\"action\":\"post\",\"cost\":3}",
                post("f", "ann", 60_000));
    assertThat(result.out())
        .containsExactly(
            "{\"eventId\":\"a\",\"userId\":\"ann\",\"action\":\"post\",\"verdict\":\"allowed\","
                + "\"limit\":\"post\",\"remaining\":1,\"resetAfterMs\":60000,\"attempt\":1}",
            "{\"eventId\":\"b\",\"userId\":\"ann\",\"action\":\"post\",\"verdict\":\"allowed\","
                + "\"limit\":\"post\",\"remaining\":0,\"resetAfterMs\":60000,\"attempt\":1}",
            "{\"eventId\":\"c\",\"userId\":\"ann\",\"action\":\"post\",\"verdict\":\"rejected\","
                + "\"limit\":\"post\",\"remaining\":0,\"retryAfterMs\":58000,\"resetAfterMs\":59000,"
                + "\"reason\":\"over-limit\",\"attempt\":1}",
            "{\"eventId\":\"user-actions-0-3\",\"userId\":\"ann\",\"action\":\"like\","
                + "\"verdict\":\"allowed\",\"attempt\":1}",
            "{\"eventId\":\"user-actions-0-4\",\"userId\":\"7\",\"action\":\"post\","
                + "\"verdict\":\"rejected\",\"limit\":\"post\",\"remaining\":2,\"resetAfterMs\":0,"
                + "\"reason\":\"oversized\",\"attempt\":1}",
            "{\"eventId\":\"f\",\"userId\":\"ann\",\"action\":\"post\",\"verdict\":\"allowed\","
                + "\"limit\":\"post\",\"remaining\":0,\"resetAfterMs\":60000,\"attempt\":1}");
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void whatIsDelayedIsLetGoWhenItIsDueAndTheClockRunsOnUntilNothingIs() {
    SimulateCli.Result result =
        simulate(
                "sluice.limits=post",
                "sluice.limit.post.quota=1/2s",
                "sluice.limit.post.exceeded=delay")
            .quietly(
                post("a", "ann", 0),
                post("b", "ann", 0),
                post("c", "bea", 2_000),
                post("d", "ann", 2_000));
    assertThat(result.out())
        .extracting(
            line -> line.replaceAll(".*eventId\":\"(.*?)\".*verdict\":\"(.*?)\".*", "$1 $2"))
        .containsExactly(
            "a allowed", "b delayed", "b allowed", "c allowed", "d delayed", "d allowed");
    assertThat(result.out().get(1))
        .contains("\"retryAfterMs\":2000", "\"releaseAtMs\":1790000002000", "\"attempt\":1");
    assertThat(result.out().get(5)).contains("\"releaseAtMs\":1790000004000");
  }

  @Test
  void theSameInputGivesTheSameOutput() {
    Random random = new Random(4);
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      events.add(post("", "user" + random.nextInt(9), random.nextInt(300_000)));
    }
    String input = String.join("\n", events);
    SimulateCli simulate = simulate(TWO_POSTS_A_MINUTE);
    SimulateCli.Result first = simulate.run(input, "--quiet");
    assertThat(first.out()).hasSize(500).anyMatch(line -> line.contains("over-limit"));
    assertThat(simulate.run(input, "--quiet")).isEqualTo(first);
  }

  @Test
  void whatIsNoEventIsReportedWithItsLineAndPassedOver() {
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .quietly(
                "hello",
                "",
                "  \t ",
                post("a", "ann", 0),
                "{\"action\":\"post\"}",
                "[1,2]",
                "{\"userId\":\"ann\",\"action\":\"post\",\"cost\":-1}",
                "{\"userId\":\"ann\",\"action\":\"po",
                post("", "ann", 1),
                "{\"userId\":\"ann\",\"action\":\"post\",\"cost\":0}",
                "{\"userId\":\"ann\",\"action\":\"post\",\"occurredAt\":1700000000}");
    assertThat(allowed(result)).containsExactly("a", "user-actions-0-6");
    assertThat(result.out()).hasSize(2);
    assertThat(result.err())
        .hasSize(7)
        .startsWith(
            "line 1: not JSON: an event is an object, in braces",
            "line 5: userId is missing",
            "line 6: not JSON: an event is an object, in braces",
            "line 7: cost must be at least 1 (sluice.event.cost.min): -1");
    assertThat(result.err().get(4)).startsWith("line 8: bad JSON: ");
    assertThat(result.err())
        .endsWith(
            "line 10: cost must be at least 1 (sluice.event.cost.min): 0",
            "line 11: occurredAt looks like seconds and must be epoch milliseconds: 1700000000"
                + " (sluice.event.time.unit says the unit)");
    assertThat(result.exitCode()).isZero();
  }

  /** User ids with control sequences and the text of a table row, and one of a megabyte. */
  @Test
  void idsFromOutsideSteerNoTerminal() {
    String forged = "eve\\u001b[2J\\u001b]0;x\\u0007\\u009b2J\\u202e\\n(all)  9  9  9  9";
    String input =
        String.join(
            "\n",
            post("a", forged, 0),
            post("b", "u".repeat(1_000_000), 0),
            "{\"userId\":\"ann\",\"action\":\"post\",\"occurredAt\":\"" + forged + "\"}");
    SimulateCli.Result result = simulate(TWO_POSTS_A_MINUTE).run(input);
    assertThat(result.exitCode()).isZero();
    assertThat(result.err())
        .anyMatch(line -> line.startsWith("line 3: "))
        .filteredOn(line -> line.startsWith("(all)"))
        .hasSizeLessThanOrEqualTo(1);
    assertThat(result.err())
        .anyMatch(line -> line.contains("eve?[2J?]0;x??2J??(all)"))
        .anyMatch(line -> line.contains("uuu... (sha256 "))
        .allMatch(line -> line.length() < 400 && line.matches("[^\\p{Cc}\\p{Cf}]*"));
    assertThat(result.out().get(0)).contains("\\u009b2J\\u202e").matches("[^\\p{Cc}\\p{Cf}]*");
  }

  @Test
  void aLimitMayBeNamedAll() {
    SimulateCli.Result result =
        simulate(
                "sluice.limits=all",
                "sluice.limit.all.match.action=post",
                "sluice.limit.all.quota=2/60s")
            .run(post("a", "ann", 0) + "\n{\"userId\":\"ann\",\"action\":\"like\"}");
    assertThat(result.err().stream().map(line -> line.split(" ")[0]))
        .containsOnlyOnce("all", "(all)", "(none)");
  }

  @Test
  void strictStopsAtTheFirstLineThatIsNoEvent() {
    String input = post("a", "ann", 0) + "\n\n{\"action\":\"post\"}\n" + post("b", "ann", 1);
    SimulateCli.Result result = simulate(TWO_POSTS_A_MINUTE).run(input, "--strict");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).containsExactly("line 3: userId is missing");
    assertThat(allowed(result)).containsExactly("a");
  }

  @Test
  void lateEventsAreJudgedByTheirOwnTimeUnlessTheyAreTooLate() {
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .quietly(
                post("other", "bea", 100_000),
                post("a", "ann", 0),
                post("b", "ann", 10),
                post("c", "ann", 59_999),
                post("d", "ann", 60_000),
                post("another", "bea", 200_000),
                post("e", "cec", 0), // counts as 80 s: 2 min before the latest
                post("f", "cec", 80_000),
                post("g", "cec", 139_999),
                post("h", "cec", 140_000));
    assertThat(allowed(result)).containsExactly("other", "a", "b", "d", "another", "e", "f", "h");
  }

  /** One user's event is a minute ahead; other users are not affected. */
  @ParameterizedTest
  @CsvSource({
    "funnel, 10/1s",
    "sliding-window-log, 10/1s",
    "sliding-window-counter, 10/1s",
    "calendar-window, 300/hour"
  })
  void oneEventAheadOfItsTimeThrottlesNobodyElse(String algorithm, String quota) {
    String[] settings = {
      "sluice.limits=post",
      "sluice.limit.post.match.action=post",
      "sluice.limit.post.quota=" + quota,
      "sluice.limit.post.algorithm=" + algorithm
    };
    List<String> events = new ArrayList<>(List.of(post("eve", "eve", 59_000)));
    for (int i = 0; i < 300; i++) events.add(post("bob-" + i, "bob", 200 * i));
    SimulateCli.Result result = simulate(settings).quietly(events.toArray(new String[0]));
    assertThat(allowed(result)).hasSize(301);
  }

  @Test
  void byTheWallClockTheEventsDriveItToo() {
    List<String> settings = new ArrayList<>(List.of(TWO_POSTS_A_MINUTE));
    settings.add("sluice.time=wall");
    SimulateCli.Result result =
        simulate(settings.toArray(new String[0]))
            .quietly(
                post("a", "ann", 0),
                post("b", "ann", 30_000),
                post("c", "ann", 59_999),
                post("d", "ann", 60_000),
                post("e", "ann", 5),
                post("f", "ann", 90_000));
    assertThat(allowed(result)).containsExactly("a", "b", "d", "f");
    assertThat(result.out().get(2)).contains("\"retryAfterMs\":1,");
  }

  @Test
  void severalLimitsAreChargedTogetherOrNotAtAll() {
    SimulateCli.Result result =
        simulate(
                "sluice.limits=few,many",
                "sluice.limit.few.match.action=post",
                "sluice.limit.few.quota=2/60s",
                "sluice.limit.many.quota=3/60s")
            .quietly(
                post("a", "ann", 0),
                post("b", "ann", 0),
                post("c", "ann", 0),
                "{\"eventId\":\"d\",\"userId\":\"ann\",\"action\":\"like\"}",
                "{\"eventId\":\"e\",\"userId\":\"ann\",\"action\":\"like\"}");
    assertThat(allowed(result)).containsExactly("a", "b", "d");
    assertThat(result.out().get(2)).contains("\"limit\":\"few\"");
    assertThat(result.out().get(4)).contains("\"limit\":\"many\"");
  }

  @Test
  void delayedEventsLeaveBetweenTheOthersWhenTheyAreDueAndTheRestAtTheEnd() {
    SimulateCli.Result result =
        simulate(
                "sluice.limits=post",
                "sluice.limit.post.match.action=post",
                "sluice.limit.post.quota=1/2s",
                "sluice.limit.post.exceeded=delay",
                "sluice.limit.post.delay.max=6s",
                "sluice.delay.tick=1m")
            .quietly(
                post("a", "ann", 0),
                post("b", "ann", 0),
                post("c", "ann", 101),
                post("d", "ann", 103),
                post("e", "ann", 105),
                post("other", "bea", 1_999),
                post("then", "cec", 2_000),
                post("last", "dan", 2_001));
    assertThat(result.out().stream().map(SimulateTest::brief))
        .containsExactly(
            "a allowed",
            "b delayed 2000",
            "c delayed 4000",
            "d delayed 6000",
            "e rejected",
            "other allowed",
            "b allowed 2000", // due at the time of the next event
            "then allowed",
            "last allowed",
            "c allowed 4000",
            "d allowed 6000");
    assertThat(result.out().get(1))
        .isEqualTo(
            "{\"eventId\":\"b\",\"userId\":\"ann\",\"action\":\"post\",\"verdict\":\"delayed\","
                + "\"limit\":\"post\",\"remaining\":0,\"retryAfterMs\":2000,\"resetAfterMs\":4000,"
                + "\"releaseAtMs\":1790000002000,\"attempt\":1}");
    assertThat(result.out().get(4)).contains("\"reason\":\"delay-too-long\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"event", "wall"})
  void eventsThatAreRetriedComeBackUntilTheyAreAllowedOrGivenUp(String time) {
    SimulateCli simulate =
        simulate(
            "sluice.limits=post",
            "sluice.limit.post.quota=1/10s",
            "sluice.limit.post.exceeded=retry",
            "sluice.limit.post.retry.attempts=3",
            "sluice.limit.post.retry.jitter=0",
            "sluice.time=" + time);
    String input =
        String.join(
            "\n",
            post("a", "ann", 0),
            post("b", "ann", 0),
            post("c", "ann", 0),
            post("d", "ann", 0),
            post("later", "bea", 100_000));
    SimulateCli.Result result = simulate.run(input, "--quiet");
    assertThat(result.out().stream().map(SimulateTest::brief).sorted())
        .containsExactly(
            "a allowed",
            "b allowed",
            "b delayed 10000",
            "c allowed",
            "c delayed 10000",
            "c delayed 20000",
            "d delayed 10000",
            "d delayed 20000",
            "d rejected",
            "later allowed");
    assertThat(result.out().stream().map(SimulateTest::brief)).last().isEqualTo("later allowed");
    assertThat(result.out())
        .filteredOn(line -> line.contains("rejected"))
        .singleElement()
        .asString()
        .contains("attempts-exhausted", "\"attempt\":3}");
    assertThat(simulate.run(input, "--quiet")).isEqualTo(result);
    assertThat(simulate.run(input).err())
        .contains("post        5        4         1        3"); // each event is counted once
  }

  /** Returns event id, verdict, and the due time if the event is delayed. */
  private static String brief(String line) {
    String[] parts = line.split("\"");
    String mark = "\"releaseAtMs\":1790000";
    int due = line.indexOf(mark);
    String until =
        due < 0 ? "" : " " + Integer.parseInt(line.substring(due + mark.length()).split(",")[0]);
    return parts[3] + " " + parts[15] + until;
  }

  @Test
  void aShadowLimitDoesNotAct() {
    List<String> settings = new ArrayList<>(List.of(TWO_POSTS_A_MINUTE));
    settings.add("sluice.limit.post.mode=shadow");
    SimulateCli.Result result =
        simulate(settings.toArray(new String[0]))
            .quietly(post("a", "ann", 0), post("b", "ann", 0), post("c", "ann", 0));
    assertThat(allowed(result)).containsExactly("a", "b", "c");
    assertThat(result.out()).noneMatch(line -> line.contains("\"limit\""));
  }

  @Test
  void anEventWithoutATimeHappensWithTheOneBefore() {
    String now = "{\"eventId\":\"%s\",\"userId\":\"ann\",\"action\":\"post\"}";
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .quietly(
                post("a", "ann", 0),
                now.formatted("b"),
                post("other", "bea", 60_000),
                now.formatted("c"));
    assertThat(allowed(result)).containsExactly("a", "b", "other", "c");
  }

  @Test
  void theOutputIsJsonInUtf8WhateverTheUserIsCalled() {
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .quietly("{\"userId\":\"zo\u00eb \\\"\\\\\\n\\ud83d\\ude00\",\"action\":\"post\"}");
    assertThat(result.out())
        .singleElement()
        .asString()
        .contains("\"userId\":\"zo\u00eb \\\"\\\\\\u000a\ud83d\ude00\"");
  }

  @Test
  void linesMayEndAsOnWindowsAndTheFileBeginWithAMark() {
    String input = "\ufeff" + post("a", "ann", 0) + "\r\n\r\n" + post("b", "ann", 0) + "\r\n";
    SimulateCli.Result result = simulate(TWO_POSTS_A_MINUTE).run(input, "--quiet");
    assertThat(allowed(result)).containsExactly("a", "b");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void theSummaryCountsByLimitAndByKey() {
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .run(
                String.join(
                    "\n",
                    post("a", "ann", 0),
                    post("b", "bea", 0),
                    post("c", "ann", 0),
                    post("d", "ann", 0),
                    "{\"userId\":\"ann\",\"action\":\"like\"}",
                    "nonsense"));
    assertThat(result.err().get(0)).startsWith("line 6: ");
    assertThat(result.err().get(1)).matches("5 events in .* s, .* a second; 1 bad line");
    assertThat(result.err().subList(2, result.err().size()))
        .containsExactly(
            "",
            "limit   events  allowed  rejected  delayed",
            "(none)       1        1         0        0",
            "post         4        3         1        0",
            "(all)        5        4         1        0",
            "",
            "busiest  limit   events  allowed  rejected  delayed",
            "ann      post         3        2         1        0",
            "ann      (none)       1        1         0        0",
            "bea      post         1        1         0        0");
  }

  @Test
  void theBusiestAreFoundAmongMoreUsersThanThereIsRoomToCount() {
    StringBuilder input = new StringBuilder();
    for (int i = 0; i < 70_000; i++) {
      input.append(post("e" + i, "user" + i, i)).append('\n');
      if (i % 10_000 == 0) input.append(post("b" + i, "busy", i)).append('\n');
    }
    List<String> err = simulate(TWO_POSTS_A_MINUTE).run(input.toString()).err();
    assertThat(err).anyMatch(line -> line.matches("busy +post +7 +3 +4 +0"));
    assertThat(err).last().isEqualTo("(approximate: there are too many keys to count each)");
  }

  @Test
  void inputMayBeAFileOrEmpty() throws IOException {
    Path events = Files.writeString(folder.resolve("events.jsonl"), post("a", "ann", 0));
    SimulateCli simulate = simulate(TWO_POSTS_A_MINUTE);
    assertThat(allowed(simulate.run("", "--quiet", "--input", events.toString())))
        .containsExactly("a");
    SimulateCli.Result empty = simulate.run("");
    assertThat(empty.out()).isEmpty();
    assertThat(empty.err()).singleElement().asString().startsWith("0 events");
    assertThat(empty.exitCode()).isZero();
    assertThat(simulate.quietly("", "  ").exitCode()).isZero();
  }

  @Test
  void inputOfWhichNothingIsAnEventIsAFailure() {
    SimulateCli.Result result = simulate(TWO_POSTS_A_MINUTE).quietly("user,action", "ann,post");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .containsExactly(
            "line 1: not JSON: an event is an object, in braces",
            "line 2: not JSON: an event is an object, in braces",
            "the input has no readable event");
  }

  @Test
  void oneEventAmongBadLinesIsNoFailure() {
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE).quietly("user,action", post("a", "ann", 0));
    assertThat(result.exitCode()).isZero();
    assertThat(allowed(result)).containsExactly("a");
  }

  @Test
  void aMissingInputIsAMisuse() {
    Path missing = folder.resolve("missing.jsonl");
    SimulateCli.Result result = simulate(TWO_POSTS_A_MINUTE).run("", "--input", missing.toString());
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .containsExactly(missing + ": no such file; see 'sluice simulate --help'");
  }

  @Test
  void mistakesInTheConfigurationAreAMisuse() {
    SimulateCli.Result result = simulate("sluice.limits=post").run("");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).singleElement().asString().startsWith("sluice.limit.post.quota");
  }

  @Test
  void aRedisThatIsNoneIsAMisuse() {
    List<String> settings = new ArrayList<>(List.of(TWO_POSTS_A_MINUTE));
    settings.add("sluice.limit.post.backend=redis");
    SimulateCli.Result result =
        simulate(settings.toArray(new String[0])).run("", "--redis", "http://localhost");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).singleElement().asString().startsWith("--redis: ");
  }

  private Path revisions(String... lines) throws IOException {
    List<String> all = Arrays.stream(lines).map(line -> line.replace('\'', '"')).toList();
    return Files.write(folder.resolve("revisions.jsonl"), all);
  }

  @Test
  void limitsChangeAtTheTimesOfTheirRevisions() throws IOException {
    Path revisions =
        revisions(
            "{'limit':'post','effectiveAt':1790000002000,'set':{'quota':'4/60s'}}",
            "",
            "{'limit':'post','for':{'userId':'bob'},'effectiveAt':1790000000000,"
                + "'until':1790000005000,'set':{'verdict':'reject'}}");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 6; i++) lines.add(post("a" + i, "ann", 1_000 * i));
    for (int i = 0; i < 6; i++) lines.add(post("b" + i, "bob", 1_000 * i));
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .run(String.join("\n", lines), "--sort", "--limits", revisions.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(allowed(result)).containsExactly("a0", "a1", "a2", "a3", "b5");
    assertThat(result.out()).filteredOn(line -> line.contains("\"denied\"")).hasSize(5);
  }

  @Test
  void aLineThatIsNoRevisionIsAMisuse() throws IOException {
    Path revisions =
        revisions("{'limit':'post','effectiveAt':1,'sett':{}}", "{'limit':'post','set':{}}");
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE).run("", "--limits", revisions.toString());
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .anyMatch(line -> line.contains("line 1: sett: unknown; did you mean set?"))
        .anyMatch(line -> line.contains("line 2: effectiveAt: missing"));
  }

  @Test
  void aRevisionThatCannotBeChangesNothingAndIsSaid() throws IOException {
    Path revisions =
        revisions(
            "{'id':'typo','limit':'pots','effectiveAt':1790000000000,'set':{'quota':'9/60s'}}");
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .run(post("a", "ann", 0), "--limits", revisions.toString(), "--quiet");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err())
        .containsExactly(
            "warning: revision typo changes nothing: limit=pots: unknown; did you mean post? A new"
                + " limit needs enabled=true");
    assertThat(allowed(result)).containsExactly("a");
  }

  @Test
  void whenNobodyReadsItEndsQuietly() {
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .run(post("a", "ann", 0).getBytes(StandardCharsets.UTF_8), failing("Broken pipe"));
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void whenTheOutputCannotBeWrittenItFails() {
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .run(
                post("a", "ann", 0).getBytes(StandardCharsets.UTF_8),
                failing("No space left on device"));
    assertThat(result.err()).containsExactly("cannot write: No space left on device");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  private static OutputStream failing(String message) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(message);
      }
    };
  }

  /** The input is ordered like an export by kcat: one partition after the other. */
  @Test
  void inputOutOfOrderIsWarnedOfOnceAndCanBeSorted() {
    String input =
        String.join(
            "\n",
            post("a", "ann", 0),
            post("c", "ann", 200_000),
            post("b", "ann", 1_000),
            post("late", "ann", 2_000),
            "nonsense",
            post("d", "ann", 260_000));
    SimulateCli simulate = simulate(TWO_POSTS_A_MINUTE);
    SimulateCli.Result unsorted = simulate.run(input, "--quiet");
    assertThat(allowed(unsorted)).containsExactly("a", "c", "b", "d");
    assertThat(unsorted.err())
        .containsExactly(
            "warning: line 3 is 199 s older than an event before it, more than"
                + " sluice.time.lateness: it is metered as a late event; --sort sorts the input by"
                + " time",
            "line 5: not JSON: an event is an object, in braces");
    SimulateCli.Result sorted = simulate.run(input, "--quiet", "--sort");
    assertThat(allowed(sorted)).containsExactly("a", "b", "c", "d");
    assertThat(sorted.err()).containsExactly("line 5: not JSON: an event is an object, in braces");
  }

  @Test
  void inputThatIsNotLaterThanAllowedIsNotWarnedOf() {
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE).quietly(post("a", "ann", 120_000), post("b", "ann", 0));
    assertThat(result.err()).isEmpty();
  }

  @Test
  void recordsAsKcatPrintsThemCountAsInTheirTopic() {
    String record =
        "{\"topic\":\"%s\",\"partition\":3,\"offset\":%d,\"tstype\":\"create\",\"ts\":%d,"
            + "\"broker\":1,\"headers\":[\"simulated-origin\",\"x\",\"sluice-error\",\"y\"],"
            + "\"key\":\"ann\",\"payload\":%s}";
    String event = "\"{\\\"userId\\\":\\\"ann\\\",\\\"action\\\":\\\"post\\\"}\"";
    SimulateCli.Result result =
        simulate(TWO_POSTS_A_MINUTE)
            .quietly(
                record.formatted("user-actions", 7, 1_790_000_000_000L, event),
                record.formatted("user-actions", 9, 1_790_000_030_000L, event),
                record.formatted("other-actions", 1, 1_790_000_031_000L, event),
                record.formatted("user-actions", 10, 1_790_000_032_000L, "null"),
                record.formatted("user-actions", 11, 1_790_000_033_000L, "\"hello\""),
                record.formatted("user-actions", 12, -1L, event),
                record.formatted("user-actions", 13, 1_790_000_060_000L, event));
    assertThat(allowed(result))
        .containsExactly("user-actions-3-7", "user-actions-3-9", "user-actions-3-13");
    assertThat(result.out()).hasSize(4);
    assertThat(result.out().get(2))
        .startsWith("{\"eventId\":\"other-actions-3-1\"")
        .contains("\"retryAfterMs\":29000");
    assertThat(result.err())
        .containsExactly(
            "line 4: the value is empty",
            "line 5: unknown format: the first byte is 68, not C3 (Avro) or { (JSON)",
            "line 6: occurredAt is missing, and the record has no timestamp to use instead: -1");
  }

  /**
   * An event whose fields have names of a kcat record is an event, because it lacks fields that
   * kcat always prints.
   */
  @Test
  void anEventWithFieldsLikeThoseOfKcatIsAnEvent() {
    SimulateCli.Result result =
        simulate(
                "sluice.limits=post",
                "sluice.limit.post.quota=1/60s",
                "sluice.event.user=key",
                "sluice.event.action=topic",
                "sluice.event.time=ts",
                "sluice.event.id=offset")
            .quietly(
                "{\"topic\":\"post\",\"partition\":0,\"offset\":5,\"ts\":1790000000000,\"key\":\"ann\"}");
    assertThat(result.out())
        .singleElement()
        .asString()
        .startsWith("{\"eventId\":\"5\",\"userId\":\"ann\",\"action\":\"post\"");
  }

  @Test
  void anAvroFileIsRecognised() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(UserAction.getClassSchema()))) {
      writer.create(UserAction.getClassSchema(), file);
      for (int i : new int[] {0, 2, 1, 3}) writer.append(action("e" + i, i * 100_000L));
      writer.append(action("", 400_000)); // without a user
    }
    SimulateCli simulate = simulate(TWO_POSTS_A_MINUTE);
    SimulateCli.Result result =
        simulate.run(file.toByteArray(), new ByteArrayOutputStream(), "--quiet", "--sort");
    assertThat(allowed(result)).containsExactly("e0", "e1", "e2", "e3");
    assertThat(result.err()).containsExactly("record 5: userId is missing");

    byte[] cut = Arrays.copyOf(file.toByteArray(), file.size() - 20);
    SimulateCli.Result damaged = simulate.run(cut, new ByteArrayOutputStream(), "--quiet");
    assertThat(damaged.exitCode()).isEqualTo(1);
    assertThat(damaged.err()).singleElement().asString().contains(" cannot be read: ");
  }

  private static GenericRecord action(String id, long atMs) {
    GenericRecord action = new GenericData.Record(UserAction.getClassSchema());
    action.put("eventId", id);
    action.put("userId", id.isEmpty() ? "" : "ann");
    action.put("action", "post");
    action.put("occurredAt", 1_790_000_000_000L + atMs);
    action.put("cost", 1L);
    action.put("attributes", Map.of());
    return action;
  }

  @ParameterizedTest
  @CsvSource({
    "--since 1h --input x, --input reads a file",
    "--since 1h --sort, --sort only applies to files",
    "--to now, --to needs --since or --from",
    "--since 1h, bootstrap.servers: missing",
    "--since x, --since: a period is"
  })
  void optionsThatDoNotGoTogetherAreAMisuse(String options, String message) {
    SimulateCli.Result result = simulate(TWO_POSTS_A_MINUTE).run("", options.split(" "));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).anyMatch(line -> line.startsWith(message));
  }
}
