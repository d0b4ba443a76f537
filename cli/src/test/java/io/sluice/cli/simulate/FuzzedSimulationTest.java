package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.SimulateCli;
import io.sluice.testing.Mutator;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every line of random input that is not blank gets a verdict or is reported with its number. Two
 * seeds are fixed; the third is new in each run and appears in the test's name.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FuzzedSimulationTest {
  private static final int LINES = 3_000;
  private static final List<byte[]> SOUND =
      List.of(
          bytes(
              "{\"eventId\":\"a\",\"userId\":\"ann\",\"action\":\"post\",\"occurredAt\":1790000000000}"),
          bytes(
              "{\"topic\":\"t\",\"partition\":1,\"offset\":2,\"tstype\":\"create\",\"ts\":1790000000000,"
                  + "\"broker\":1,\"headers\":[\"h\",\"v\"],\"key\":\"k\",\"payload\":"
                  + "\"{\\\"userId\\\":\\\"ann\\\",\\\"action\\\":\\\"post\\\"}\"}"),
          bytes(
              "{\"userId\":\"bob\",\"action\":\"post\",\"cost\":2,\"attributes\":{\"a\":\"\u6f22\"}}"));

  @TempDir private Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static Stream<Arguments> seeds() {
    return Stream.of(1L, 2L, System.nanoTime())
        .flatMap(seed -> Stream.of(Arguments.of(seed, false), Arguments.of(seed, true)));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyLineGetsAVerdictOrIsReported(long seed, boolean sorted) {
    String[] options = sorted ? new String[] {"--quiet", "--sort"} : new String[] {"--quiet"};
    Mutator mutator =
        new Mutator(
            new SplittableRandom(seed),
            SOUND,
            "null",
            "1e999",
            "[[[",
            "\\ud800",
            "-1",
            "}",
            "\"cost\":0,",
            "\"occurredAt\":1700000000,",
            "\"occurredAt\":-1,",
            "\"occurredAt\":0,",
            "\"occurredAt\":9223372036854775807,");
    ByteArrayOutputStream input = new ByteArrayOutputStream();
    for (int i = 0; i < LINES; i++) {
      input.writeBytes(mutator.next());
      input.write('\n');
    }
    SimulateCli simulate =
        new SimulateCli(
            folder,
            "sluice.limits=post",
            "sluice.limit.post.quota=5/60s",
            "sluice.time.max.ahead=3660d");
    SimulateCli.Result result =
        simulate.run(input.toByteArray(), new ByteArrayOutputStream(), options);
    assertThat(result.exitCode()).isZero();
    List<String> faults =
        result.err().stream().filter(line -> !line.startsWith("warning: line ")).toList();
    assertThat(faults).allMatch(line -> line.matches("line \\d+: .*"));
    assertThat(result.err().size() - faults.size()).isLessThanOrEqualTo(sorted ? 0 : 1);
    ObjectMapper json = new ObjectMapper();
    assertThat(result.out())
        .allSatisfy(line -> assertThatCode(() -> json.readTree(line)).doesNotThrowAnyException());
    assertThat(result.out().size() + faults.size()).isEqualTo(notBlank(input));
    assertThat(result.out()).hasSizeBetween(LINES / 10, LINES);
    assertThat(faults).hasSizeBetween(LINES / 10, LINES);
  }

  private static int notBlank(ByteArrayOutputStream input) {
    String[] lines = input.toString(StandardCharsets.ISO_8859_1).split("\n");
    return (int) Stream.of(lines).filter(line -> !line.matches("[ \\t\\r]*")).count();
  }
}
