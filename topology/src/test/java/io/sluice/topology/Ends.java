package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** What a test under the driver has sent, numbered by a header, and where each record ended. */
final class Ends {
  static final String NUMBER = "number";
  private static final int MOST_JUMPS = 200;
  private static final Duration JUMP = Duration.ofDays(365);

  private final long seed;
  private final List<byte[]> sent = new ArrayList<>();
  private final Map<String, String> ended = new HashMap<>();
  private int dead;

  Ends(long seed) {
    this.seed = seed;
  }

  void sent(byte[] value, Runnable sending) {
    sent.add(value);
    try {
      sending.run();
    } catch (RuntimeException e) {
      fail(which(sent.size() - 1), e);
    }
  }

  /** How many were dead letters. */
  int dead() {
    return dead;
  }

  private String which(int number) {
    byte[] value = sent.get(number);
    String hex = value == null ? "null" : HexFormat.of().formatHex(value);
    return "seed " + seed + ", record " + number + ": " + hex;
  }

  void read(Harness sluice) {
    sluice.allowed().forEach(each -> ends(each, "allowed"));
    sluice.rejected().forEach(each -> ends(each, "rejected"));
    for (Harness.Out each : sluice.deadLetters()) {
      ends(each, "dead letter");
      assertThat(each.header("sluice-error"))
          .isNotBlank()
          .doesNotContain("\n")
          .hasSizeLessThan(1_000);
      dead++;
    }
  }

  private void ends(Harness.Out out, String where) {
    int number = Integer.parseInt(out.header(NUMBER));
    String before = ended.put(out.header(NUMBER), where);
    if (before != null) fail(which(number) + " is " + where + " and was " + before);
    assertThat(out.value()).as(which(number)).isEqualTo(sent.get(number));
  }

  /** Lets time go by until nothing waits any more; what is due last is due in the year 2200. */
  void awaitAll(Harness sluice) {
    for (int jumps = 0; jumps < MOST_JUMPS && ended.size() < sent.size(); jumps++) {
      sluice.delayed();
      sluice.advanceWall(JUMP);
      sluice.advanceWall(Duration.ofMillis(100));
      read(sluice);
    }
    for (int number = 0; number < sent.size(); number++) {
      if (!ended.containsKey(Integer.toString(number))) fail(which(number) + " has not ended");
    }
  }
}
