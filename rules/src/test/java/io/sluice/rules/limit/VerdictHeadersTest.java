package io.sluice.rules.limit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Tests the reading of verdict headers, which any producer may have written. */
class VerdictHeadersTest {
  private final Headers headers = new RecordHeaders();

  private void add(String name, String text) {
    headers.add(name, text.getBytes(UTF_8));
  }

  @Test
  void theSameIsReadOfOneHeaderAndOfSeveral() {
    add("sluice-verdict", "rejected;limit=post;remaining=0;retry-after-ms=500;reason=over-limit");
    Map<String, String> ofOne = VerdictHeaders.read(headers);

    headers.remove("sluice-verdict");
    add("sluice-verdict", "rejected");
    add("sluice-reason", "over-limit");
    add("sluice-limit", "post");
    add("sluice-remaining", "0");
    add("sluice-retry-after-ms", "500");

    assertThat(VerdictHeaders.read(headers)).isEqualTo(ofOne);
    assertThat(ofOne)
        .containsOnly(
            Map.entry("limit", "post"),
            Map.entry("remaining", "0"),
            Map.entry("retry-after-ms", "500"),
            Map.entry("reason", "over-limit"));
  }

  @Test
  void whatSluiceDoesNotWriteIsLeftOut() {
    add("sluice-verdict", "allowed;limit;=x;;other=1;attempt=");
    add("sluice-reason", "x".repeat(1_001));
    add("sluice-other", "x");
    headers.add("sluice-limit", null);

    assertThat(VerdictHeaders.read(headers)).isEmpty();
    assertThat(VerdictHeaders.read(new RecordHeaders())).isEmpty();
  }
}
