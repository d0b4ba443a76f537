package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.async.AsyncRateLimiter;
import io.sluice.limiter.async.AsyncRedisMeter;
import io.sluice.limiter.async.WaitingLimiter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.limiter.registry.Limiters;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Runs the README's examples of programs that call a limiter; the README must have the same code.
 */
class PageIT {
  private static final Path SOURCE = Path.of("src/test/java/io/sluice/limiter/PageIT.java");

  private static List<String> blocks(String language) throws IOException {
    Pattern block =
        Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    String page = Files.readString(Path.of("README.md"));
    return block.matcher(page).results().map(each -> each.group(1)).toList();
  }

  private static String spaceless(String text) {
    return text.replaceAll("\\s", "");
  }

  @Test
  void thePageShowsWhatRunsHere() throws IOException {
    String here = spaceless(Files.readString(SOURCE));
    assertThat(blocks("java").stream().filter(each -> each.startsWith("try (")))
        .hasSize(3)
        .allSatisfy(each -> assertThat(here).contains(spaceless(withoutEnd(each))));
  }

  /** Removes the end of a block, because the assertions before it are not in the README. */
  private static String withoutEnd(String block) {
    return block.substring(0, block.lastIndexOf('}'));
  }

  @Test
  void redisIsAskedWithoutAThread() {
    try (EmbeddedRedis server = EmbeddedRedis.builder().start()) {
      ask(RedisSettings.of(server.uri()).withTimeout(Duration.ofSeconds(10)));
    }
  }

  private static void ask(RedisSettings settings) {
    try (AsyncRedisMeter redis = new AsyncRedisMeter(settings)) {
      Rule rule = Rule.policing("reply", Quota.parse("5/60s"), Algorithm.SLIDING_WINDOW_LOG);
      AsyncRateLimiter replies = redis.limiter(rule);
      CompletionStage<Decision> decision = replies.meter("user-7");
      assertThat(decision.toCompletableFuture().join()).isInstanceOf(Decision.Conforming.class);
    }
  }

  @Test
  void permitsAreWaitedFor() throws InterruptedException {
    RateLimiter limiter = new InProcessLimiter(Quota.parse("50/1s"), Algorithm.GCRA);
    try (WaitingLimiter replies = new WaitingLimiter(AsyncRateLimiter.of(limiter))) {
      Decision now = replies.acquire("user-7", 50, Duration.ZERO);
      Decision soon = replies.acquire("user-7", Duration.ofSeconds(10));
      CompletableFuture<Decision> later = replies.acquireAsync("user-7", 3, Duration.ofSeconds(10));
      assertThat(List.of(now, soon, later.join())).hasOnlyElementsOfType(Decision.Conforming.class);
    }
  }

  @Test
  void limitersComeFromAConfiguration() throws Exception {
    try (EmbeddedRedis server = EmbeddedRedis.builder().start()) {
      Properties properties = new Properties();
      String text = String.join("", blocks("ini"));
      properties.load(new StringReader(text.replace("redis://localhost:6379", server.uri())));
      properties.setProperty("sluice.redis.timeout", "10s");
      configured(properties);
    }
  }

  private static void configured(Properties properties) throws InterruptedException {
    try (Limiters limiters = Limiters.of(properties)) {
      Decision reply = limiters.get("reply").meter("user-7");
      CompletionStage<Decision> invoice = limiters.async("invoice").meter("shop-1", 20);
      Decision mail = limiters.waiting("mail").acquire("user-7", Duration.ofSeconds(10));
      assertThat(List.of(reply, invoice.toCompletableFuture().join(), mail))
          .hasOnlyElementsOfType(Decision.Conforming.class);
    }
  }
}
