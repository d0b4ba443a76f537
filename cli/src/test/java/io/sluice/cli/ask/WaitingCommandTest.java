package io.sluice.cli.ask;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.AskCli;
import io.sluice.server.ask.Report.Unanswered;
import io.sluice.server.ask.WaitingReport;
import io.sluice.server.ask.WaitingReport.OfClass;
import io.sluice.server.ask.WaitingReport.Waiter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the table of waiting events, and of the options of both commands. */
class WaitingCommandTest {
  private static final long NOW_MS = 1_795_406_661_000L;

  private static final WaitingReport WHOLE =
      new WaitingReport(
          NOW_MS,
          0,
          false,
          List.of(),
          false,
          List.of(),
          false,
          List.of(0L),
          List.of(),
          List.of("a:1"),
          List.of());

  private static String printed(WaitingReport report) {
    StringWriter out = new StringWriter();
    WaitingCommand.print(report, new PrintWriter(out));
    return out.toString();
  }

  private static WaitingReport report(long count, List<OfClass> classes, List<Waiter> events) {
    return new WaitingReport(
        NOW_MS,
        count,
        true,
        classes,
        false,
        events,
        false,
        List.of(0L),
        List.of(1L, 2L),
        List.of("a:1"),
        List.of(new Unanswered("b:1\u001b[2J", "no\nconnection")));
  }

  @Test
  void tableHasPositionsAndWhatIsMissing() {
    Map<String, Long> before = Map.of("vendor", 12L, "phone", 0L);
    Waiter waiter =
        new Waiter(0, "e1\u001b[2J", "ada\u202e", "sms", "*", NOW_MS, 2, before, NOW_MS + 90_000);
    OfClass all = new OfClass("vendor", "*", 7, NOW_MS - 61_000);
    String text = printed(report(7, List.of(all), List.of(waiter)));
    assertThat(text)
        .contains(
            "limit   class  waiting    longest",
            "vendor  *            7  1 min 1 s",
            "e1?[2J  ada?  sms     *      2026-11-23T04:04:21Z         2  vendor 12",
            "about 2026-11-23T04:05:51Z",
            "and 6 more",
            "more may wait: only the first 20,000 events of each partition are read",
            "without b:1?[2J: no connection",
            "without partitions 1, 2")
        .doesNotContain("\u001b", "\u202e");
  }

  @Test
  void noEventsAreOneLineWhichSaysWhetherAllWereRead() {
    assertThat(printed(report(0, List.of(), List.of())))
        .startsWith("no waiting event was found")
        .contains("without partitions 1, 2");
    assertThat(printed(WHOLE)).isEqualToIgnoringNewLines("no events wait in line");
  }

  @Test
  void longIdsAndUnknownTimesAreNoted() {
    Waiter waiter = new Waiter(0, "e".repeat(101), "ada", "sms", "*", NOW_MS, 1, Map.of(), 0);
    assertThat(printed(report(1, List.of(), List.of(waiter))))
        .contains("ids are shortened; --json has them whole", "not known")
        .doesNotContain("1970");
  }

  @Test
  void movingPartitionsAndClassesWithoutRoomAreNoted() {
    WaitingReport report =
        new WaitingReport(
            NOW_MS, 0, false, List.of(), true, List.of(), true, List.of(), List.of(), List.of(),
            List.of());
    assertThat(printed(report))
        .contains("no waiting event was found", "partitions are moving", "1,000 limits and classes")
        .doesNotContain("20,000");
  }

  @Test
  void theEndOfACancellationSaysWhatIsUnknown() {
    WaitingReport more = report(3, List.of(), List.of());
    assertThat(CancelCommand.end(Optional.of(more), more))
        .startsWith("it is unknown whether events that match still wait: more may wait")
        .contains("without b:1?[2J");
    assertThat(CancelCommand.end(Optional.empty(), WHOLE)).contains("does not answer");
    assertThat(CancelCommand.end(Optional.of(WHOLE), WHOLE)).isEqualTo("they do not wait any more");
  }

  @Test
  void wrongOptionsAreToldWithWhatIsAccepted() {
    assertMisused("--max is a number from 0 to 200", "waiting", "--max=201");
    assertMisused("a field is userId", "waiting", "--for=name=ada");
    assertMisused("is there twice", "waiting", "--for=userId=ada", "--for=userId=bob");
    assertMisused("give --config", "waiting");
    assertMisused("'--config=FILE'", "cancel", "--for=userId=ada");
  }

  private static void assertMisused(String message, String... args) {
    AskCli.Said said = new AskCli(Map.of()).run(args);
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains(message);
  }
}
