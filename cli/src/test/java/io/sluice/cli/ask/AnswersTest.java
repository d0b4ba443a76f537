package io.sluice.cli.ask;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static String table(String json) throws Exception {
    StringWriter out = new StringWriter();
    JsonNode answer = new ObjectMapper().readTree(json.replace('\'', '"'));
    new Answers(List.of(answer)).print(new PrintWriter(out, true));
    return out.toString();
  }

  private static String denied(String again, String until) {
    return "{'limit':'sms','match':'attributes.plan=free','applies':'some','verdict':'denied',"
        + "'mode':'enforce','quota':{'permits':5,'periodMs':60000},'because':'override',"
        + "'revisions':[{'id':'r1','by':'ops','note':'spam'}],'used':0,'remaining':5,"
        + "'retryAfterMs':"
        + again
        + ",'resetAfterMs':0,'blockedUntilMs':"
        + until
        + ",'waiting':null,'answeredBy':{'instance':'a:1','role':'active','behind':null}}";
  }

  @Test
  void ofADeniedUserItIsSaidUntilWhenByWhomAndWhy() throws Exception {
    assertThat(table(denied("7200000", "1780000000000")))
        .contains("denied", "2 h", "2026-05-28T20:26:40Z", "override r1 by ops: spam")
        .doesNotContain("0 ms  0 ms");
  }

  @Test
  void aDenialForGoodHasNoEnd() throws Exception {
    assertThat(table(denied("null", "null"))).contains("no end", "by ops: spam");
  }

  @Test
  void aClosedLimitIsShownWithItsOpening() throws Exception {
    String closed =
        denied("7200000", "null")
            .replace("'denied'", "'rejected'")
            .replace(
                "'blockedUntilMs':null", "'blockedUntilMs':null,'closedUntilMs':1780000000000");

    assertThat(table(closed)).contains("rejected, closed until 2026-05-28T20:26:40Z");
    assertThat(table(denied("7200000", "null"))).doesNotContain("closed");
  }

  @Test
  void itIsSaidWhichEventsALimitIsFor() throws Exception {
    assertThat(table(denied("null", "null"))).contains("attributes.plan=free");
  }

  private static String waiting(String waiting) {
    return denied("null", "null")
        .replace("'verdict':'denied'", "'verdict':'delayed'")
        .replace("'waiting':null", "'waiting':" + waiting);
  }

  @Test
  void theNextReleaseOfALineIsAnEstimate() throws Exception {
    String line =
        "{'count':3,'more':false,'nextReleaseMs':1780000000000,'estimate':true,"
            + "'oldestMs':1779999990000,'before':12}";
    assertThat(table(waiting(line)))
        .containsPattern("\\b3 +about 2026-05-28T20:26:40Z, after 12 others\\b");
    String first = line.replace("'before':12", "'before':0");
    assertThat(table(waiting(first)))
        .contains("about 2026-05-28T20:26:40Z")
        .doesNotContain("others");
  }

  @Test
  void theNextReleaseOfADelayedEventIsExact() throws Exception {
    String delayed = "{'count':3,'more':true,'nextReleaseMs':1780000000000}";
    assertThat(table(waiting(delayed)))
        .containsPattern("3 or more +2026-05-28T20:26:40Z")
        .doesNotContain("about");
  }
}
