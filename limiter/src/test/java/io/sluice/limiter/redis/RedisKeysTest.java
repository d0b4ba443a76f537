package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisKeysTest {
  private static final List<String> TEXTS =
      List.of("a", "", "%", "{", "}", "{}", "%7b", "{%7b}", "a:b", ":", "}:a", "a%3ab", "ä:{ü}");

  private static String key(String tag, String limit, String key) {
    Rule rule = Rule.policing(limit, Quota.parse("5/60s"), Algorithm.SLIDING_WINDOW_LOG);
    byte[] name = new RedisKeys("sluice").of(new Bucket(rule, key, tag));
    return new String(name, StandardCharsets.UTF_8);
  }

  /**
   * Returns the part of a key that a Cluster hashes: the text in its first braces, unless it is
   * empty.
   */
  private static String hashed(String key) {
    int open = key.indexOf('{');
    int close = key.indexOf('}', open);
    return close == open + 1 ? key : key.substring(open + 1, close);
  }

  @Test
  void aPlainKeyIsReadable() {
    assertThat(key("user-7", "reply", "user-7")).isEqualTo("sluice:{user-7}:reply:l2:user-7");
  }

  @Test
  void differentTagsLimitsAndKeysNeverShareAKey() {
    Map<String, List<String>> seen = new HashMap<>();
    for (String tag : TEXTS) {
      for (String limit : TEXTS) {
        if (limit.isEmpty()) continue;
        for (String key : TEXTS) {
          List<String> parts = List.of(tag, limit, key);
          assertThat(seen.put(key(tag, limit, key), parts)).as("as %s", parts).isNull();
        }
      }
    }
  }

  @Test
  void aClusterPutsAllKeysOfATagTogetherAndTagsApart() {
    Map<String, String> tagOf = new HashMap<>();
    for (String tag : TEXTS) {
      String hashed = hashed(key(tag, "a", "b"));
      assertThat(hashed).doesNotContain("{", "}");
      assertThat(hashed(key(tag, "}{:", "{x}"))).isEqualTo(hashed);
      assertThat(tagOf.put(hashed, tag)).isNull();
    }
  }

  @Test
  void aPatternTakesAPrefixLiterally() {
    assertThat(new RedisKeys("a*[b]?\\").pattern()).isEqualTo("a\\*\\[b\\]\\?\\\\:{*");
  }
}
