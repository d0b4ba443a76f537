package io.sluice.server.ask;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.ask.OtherInstances.Responses;
import io.sluice.server.web.JsonText;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportTest {
  private static Report report(String watched) {
    return JsonText.read(
        ("{\"by\":\"rejected\",\"asOfMs\":1,\"answered\":[],\"unanswered\":[],\"limits\":[{\"limit\":\"reply\","
                + "\"shadow\":false,\"keyFields\":[\"userId\"],%s\"windowMs\":1,\"events\":2,"
                + "\"othersAtMost\":0,\"keys\":[]}]}")
            .formatted(watched.isEmpty() ? "" : "\"watched\":" + watched + ","),
        Report.class);
  }

  /** An instance of another version may leave the field out, and has counted nevertheless. */
  @ParameterizedTest
  @CsvSource({
    "true, true, true",
    "true, '', true",
    "true, false, false",
    "false, '', false",
    "false, true, false",
  })
  void aMissingWatchedIsUnknown(String own, String other, boolean sum) {
    Report all = report(own).with(new Responses<>(List.of(report(other)), List.of(), List.of()));
    assertThat(all.limits()).singleElement().extracting(Report.OfLimit::watched).isEqualTo(sum);
    assertThat(all.limits().get(0).events()).isEqualTo(4);
    assertThat(JsonText.of(all)).contains("\"watched\":" + sum);
    assertThat(Arrays.asList(report("").limits().get(0).watched())).containsOnlyNulls();
  }
}
