package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class EmbeddedRedisIT {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itKeepsWhatItIsToldAndLeavesNothingBehind(boolean bundled) throws IOException {
    EmbeddedRedis.Builder builder = EmbeddedRedis.builder();
    EmbeddedRedis redis = bundled ? builder.bundled().start() : builder.start();
    Path folder = Path.of(redisTold(redis, "CONFIG GET dir").get(4));

    assertThat(redis.uri()).isEqualTo("redis://127.0.0.1:" + redis.port());
    assertThat(redisTold(redis, "SET a 1")).containsExactly("+OK");
    assertThat(redisTold(redis, "INFO server")).contains("process_id:" + redis.pid());
    assertThat(redisTold(redis, "CONFIG GET save")).endsWith("save", "$0", "");
    if (bundled) assertThat(redisTold(redis, "INFO server")).contains("redis_version:6.2.11");

    redis.close();
    redis.close();

    assertThat(ProcessHandle.of(redis.pid())).isEmpty();
    assertThat(folder).doesNotExist();
    LocalPort.requireFree("a later server", redis.port());
  }

  @Test
  void aSentinelKnowsWhatItIsToldAlsoAfterItWasKilled() throws IOException {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        EmbeddedRedis sentinel =
            EmbeddedRedis.builder()
                .sentinel("sentinel monitor primary 127.0.0.1 " + redis.port() + " 1")
                .start()) {
      String question = "SENTINEL GET-MASTER-ADDR-BY-NAME primary";
      assertThat(redisTold(sentinel, question)).contains("127.0.0.1", "" + redis.port());

      sentinel.kill();
      sentinel.start();

      assertThat(redisTold(sentinel, question)).contains("127.0.0.1", "" + redis.port());
    }
  }

  @Test
  void itIsBackOnItsPortAfterItWasKilled() throws IOException {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start()) {
      long firstPid = redis.pid();
      redisTold(redis, "SET a 1");

      redis.kill();

      assertThat(ProcessHandle.of(firstPid)).isEmpty();
      assertThatThrownBy(() -> redisTold(redis, "PING")).isInstanceOf(IOException.class);
      assertThatThrownBy(redis::pause).isInstanceOf(IllegalStateException.class);

      redis.start();

      assertThat(redis.pid()).isNotEqualTo(firstPid);
      assertThat(redisTold(redis, "EXISTS a")).containsExactly(":0");
      assertThatThrownBy(redis::start).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void whatItWasToldToPersistIsThereAfterItWasKilled(@TempDir Path data) throws IOException {
    EmbeddedRedis.Builder persistent =
        EmbeddedRedis.builder()
            .data(data)
            .arguments("--appendonly", "yes", "--appendfsync", "always");
    try (EmbeddedRedis redis = persistent.start()) {
      redisTold(redis, "SET a 1");
      redis.kill();
      redis.start();
      assertThat(redisTold(redis, "EXISTS a")).containsExactly(":1");
    }
    try (EmbeddedRedis redis = persistent.start()) {
      assertThat(redisTold(redis, "EXISTS a")).containsExactly(":1");
    }
    assertThat(data).isNotEmptyDirectory();
  }

  @Test
  void pausedItIsSilentAndResumedItAnswers() throws IOException {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start()) {
      redis.pause();
      assertThatThrownBy(() -> redisTold(redis, "PING")).isInstanceOf(SocketTimeoutException.class);

      redis.resume();
      assertThat(redisTold(redis, "PING")).containsExactly("+PONG");

      redis.pause();
    }
  }

  @Test
  void aClusterNodeIsAMatterOfArguments() throws IOException {
    try (EmbeddedRedis redis =
        EmbeddedRedis.builder().arguments("--cluster-enabled", "yes").start()) {
      assertThat(redisTold(redis, "CLUSTER INFO")).contains("cluster_known_nodes:1");
    }
  }

  @Test
  void aPasswordDoesNotKeepItFromStarting() throws IOException {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().arguments("--requirepass", "x").start()) {
      assertThat(redisTold(redis, "PING").get(0)).startsWith("-NOAUTH");
    }
  }

  @Test
  void aPortInUseIsSaidInOneLine() {
    try (EmbeddedRedis first = EmbeddedRedis.builder().start()) {
      assertThatThrownBy(() -> EmbeddedRedis.builder().port(first.port()).start())
          .isInstanceOf(EmbeddedStartException.class)
          .hasMessage(
              "redis-server could not listen on 127.0.0.1:%d: Address already in use",
              first.port());
    }
  }

  @Test
  void anArgumentThatRedisRefusesIsSaidInOneLine() {
    assertThatThrownBy(() -> EmbeddedRedis.builder().arguments("--foo", "bar").start())
        .isInstanceOf(EmbeddedStartException.class)
        .hasMessage(
            "redis-server could not start:"
                + " 'foo \"bar\"': Bad directive or wrong number of arguments");
  }

  @Test
  void aKeyPressThatEndsThisJvmDoesNotReachIt() throws Exception {
    assumeThat(SearchPath.find("setsid")).isPresent();
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start()) {
      Process askForItsOwnGroup =
          new ProcessBuilder("sh", "-c", "kill -s 0 -- -" + redis.pid()).start();
      assertThat(askForItsOwnGroup.waitFor()).isZero();
    }
  }

  /** The other JVM is killed, so that it cannot stop the server that it started. */
  @Test
  void itDoesNotOutliveItsJvm() throws Exception {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                RedisStarter.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
      ProcessHandle redis = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
      Path folder = Path.of(said.readLine());
      assertThat(redis.isAlive()).isTrue();
      assertThat(folder).exists();

      jvm.destroyForcibly();

      await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(ended(redis)).isTrue());
      await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(folder).doesNotExist());
    } finally {
      jvm.destroyForcibly();
    }
  }

  /** Whether a process has ended. A zombie stays in the process table, but has no command line. */
  private static boolean ended(ProcessHandle process) {
    return !process.isAlive() || process.info().commandLine().isEmpty();
  }

  private static List<String> redisTold(EmbeddedRedis redis, String command) throws IOException {
    return RedisLine.ask(redis.port(), command);
  }
}
