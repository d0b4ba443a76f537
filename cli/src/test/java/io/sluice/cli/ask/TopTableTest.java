package io.sluice.cli.ask;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.ask.Report;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopTableTest {
  private static Report.OfLimit limit(
      String name, boolean shadow, long others, Report.Key... keys) {
    return new Report.OfLimit(
        name, shadow, List.of("userId"), true, 300_000, 30, others, List.of(keys));
  }

  private static Report.Key key(String key, long atLeast, long atMost) {
    return new Report.Key(key, atLeast, atMost, Map.of());
  }

  private static List<String> lines(Report report) {
    StringWriter out = new StringWriter();
    TopTable.of(report).print(new PrintWriter(out, true));
    return out.toString().lines().toList();
  }

  @Test
  void mostComeFirstOverAllLimits() {
    Report report =
        new Report(
            "rejected",
            0,
            List.of(
                limit("reply", false, 0, key("ada", 7, 7), key("", 2, 2)),
                limit("post", true, 3, key("bob", 20, 21))),
            List.of("a:1", "b:2"),
            List.of(new Report.Unanswered("c:3", "Connection refused")));
    assertThat(lines(report))
        .containsExactly(
            "key    limit          rejected  at most",
            "bob    post (shadow)        20       21",
            "ada    reply                 7        7",
            "(all)  reply                 2        2",
            "",
            "in the last 300 s",
            "a key that is not listed had at most 3",
            "of 2 instances",
            "without c:3: Connection refused");
  }

  @Test
  void aKeyCannotSteerTheTerminal() {
    Report report =
        new Report(
            "rejected",
            0,
            List.of(
                limit(
                    "reply",
                    false,
                    0,
                    key("\u001b[2Jada\r\n\u009b1m\u202eeve\u2028", 2, 2),
                    key("x".repeat(100), 1, 1))),
            List.of("\u001b[2J"),
            List.of(new Report.Unanswered("\u001b[2J", "\u001b[2J")));
    assertThat(String.join("\n", lines(report)))
        .contains("?[2Jada???1m?eve?", "x".repeat(60) + "...  reply", "without ?[2J: ?[2J")
        .matches("[^\\p{Cc}\\p{Cf}]*(\n[^\\p{Cc}\\p{Cf}]*)*");
  }

  @Test
  void nobodyIsSaid() {
    Report report = new Report("delayed", 0, List.of(), List.of("a:1"), List.of());
    assertThat(lines(report)).containsExactly("no events delayed in the last minutes");
  }
}
