package io.sluice.cli.ask;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.ask.PastVerdict.Place;
import io.sluice.cli.ask.PastVerdict.Rule;
import io.sluice.rules.limit.Verdict;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of last events is the one shown in the manual. */
class LastTableTest {
  private static final Rule OVERRIDE =
      new Rule("override", List.of("7c9e41aa-0000-4000-8000-000000000000"));
  private static final Rule FILE = new Rule("file", List.of());
  private static final String DUE =
      Long.toString(Instant.parse("2026-11-23T09:20:11.871Z").toEpochMilli());

  private static PastVerdict verdict(
      String at, String record, String event, Map<String, String> said, Rule rule) {
    String[] place = record.split("[-](?=\\d)");
    Verdict.Kind kind =
        Stream.of(Verdict.Kind.values())
            .filter(each -> record.startsWith(each.text))
            .findFirst()
            .orElseThrow();
    return new PastVerdict(
        Instant.parse("2026-11-23T09:" + at + "Z").toEpochMilli(),
        new Place(place[0], Integer.parseInt(place[1]), Long.parseLong(place[2])),
        kind,
        event,
        said.get("limit"),
        said,
        rule);
  }

  private static Map<String, String> said(String limit, String... more) {
    Map<String, String> all = new HashMap<>(Map.of("limit", limit, "remaining", "0"));
    for (int i = 0; i < more.length; i += 2) all.put(more[i], more[i + 1]);
    return all;
  }

  @Test
  void itIsThatOfTheManual() {
    Map<String, String> refused = said("reply", "reason", "over-limit", "retry-after-ms", "56800");
    Map<String, String> delayed = said("sms", "retry-after-ms", "1900", "release-at-ms", DUE);
    Map<String, String> released = said("sms", "release-at-ms", DUE, "attempt", "1");
    List<PastVerdict> verdicts =
        List.of(
            verdict("20:10.000", "allowed-actions-3-1043", "e20", released, FILE),
            verdict("20:10.000", "delayed-actions-3-12", "e20", delayed, FILE),
            verdict("12:04.377", "rejected-actions-3-88", "e19", refused, OVERRIDE),
            verdict("12:03.950", "allowed-actions-3-1042", "e18", said("reply"), OVERRIDE),
            verdict(
                "12:01.204",
                "allowed-actions-3-1041",
                "e17",
                said("reply", "remaining", "1"),
                OVERRIDE));
    StringWriter out = new StringWriter();
    LastTable.print(verdicts.stream().sorted(PastVerdict.ORDER).toList(), new PrintWriter(out));

    assertThat(Path.of("../docs/watching.md")).content().contains("```text" + out + "```");
  }
}
