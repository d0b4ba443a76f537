package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.Scrape;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DemoIT {
  private static final Pattern ROW =
      Pattern.compile("(?m)^(\\([a-z ]+\\)|[a-z]+) +(\\d+) +(\\d+) +(\\d+)$");
  private static final Pattern SCRAPED = Pattern.compile("(http://\\S+)/metrics");

  private final StringWriter out = new StringWriter();

  @Test
  void aScrapeHasTheNumbersThatTheDemoPrints() throws Exception {
    CommandLine sluice = SluiceMain.commandLine(CommandLine.defaultFactory());
    sluice.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(new StringWriter(), true));
    Thread demo = new Thread(() -> sluice.execute("demo", "--keep"));
    demo.start();
    try {
      await()
          .atMost(Duration.ofMinutes(5))
          .until(() -> SCRAPED.matcher(out.toString()).find() || !demo.isAlive());
      Scrape scrape = Scrape.of(address());
      List<MatchResult> rows = ROW.matcher(out.toString()).results().toList();
      assertThat(rows)
          .as(out.toString())
          .extracting(row -> row.group(1))
          .contains("reply", "post", "page", "(all)");
      for (MatchResult row : rows) {
        if (row.group(1).equals("(all)")) continue;
        String limit = row.group(1).startsWith("(") ? "" : row.group(1);
        if (limit.matches("page|post")) { // the simulated users send more of these
          assertThat(scrape.verdicts(limit, "allowed")).isGreaterThanOrEqualTo(number(row, 3));
          assertThat(scrape.verdicts(limit, "rejected")).isGreaterThanOrEqualTo(number(row, 4));
        } else {
          assertThat(scrape.verdicts(limit, "allowed")).as(limit).isEqualTo(number(row, 3));
          assertThat(scrape.verdicts(limit, "rejected")).as(limit).isEqualTo(number(row, 4));
        }
        assertThat(scrape.verdicts(limit, "delayed")).as(limit).isZero();
      }
    } finally {
      demo.interrupt();
      demo.join(Duration.ofMinutes(1).toMillis());
    }
    assertThat(demo.isAlive()).as("still running").isFalse();
  }

  private URI address() {
    return SCRAPED
        .matcher(out.toString())
        .results()
        .map(found -> URI.create(found.group(1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(out.toString()));
  }

  private static double number(MatchResult row, int group) {
    return Double.parseDouble(row.group(group));
  }
}
