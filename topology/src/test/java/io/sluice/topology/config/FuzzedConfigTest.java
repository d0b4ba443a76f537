package io.sluice.topology.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sluice.rules.settings.ConfigurationException;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.Setting;
import io.sluice.testing.Mutator;
import io.sluice.testing.TestScale;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that any input gives a configuration or a list of one-line mistakes. */
class FuzzedConfigTest {
  private static final List<String> VALUES =
      List.of(
          "",
          " ",
          ",",
          ",,",
          "\\,",
          "\\",
          "a,b",
          "reply",
          "reply,post",
          "userId",
          "userId,target",
          "attributes.",
          "attributes.x",
          "0",
          "-1",
          "1",
          "9".repeat(20),
          "1e9",
          "NaN",
          "0x1p3",
          "0.1",
          "5/60s",
          "5/",
          "/5",
          "1/3660d",
          "1/9223372036854775807d",
          "2147483648/1ms",
          "1_0,0/1s",
          "PT",
          "PT1S",
          "P999999999999D",
          "P-1D",
          "3660d",
          "1ms",
          "99999999999999999999s",
          "true",
          "redis://",
          "redis://:@:",
          "redis://a:b@c:99999999999/1",
          "redis:x",
          "rediss://h",
          "redis://%zz@a",
          "://",
          "funnel",
          "sliding-window-log",
          "sliding-window-counter",
          "calendar-window",
          "bloom",
          "hyperloglog",
          "5/day",
          "1/year",
          "Europe/Berlin",
          "Pacific/Apia",
          "mon-fri 08:00-20:00",
          "sun 22:00-02:00, mon 24:00-25:00",
          "attributes.x,UTC",
          "target,attributes.x",
          "delay",
          "retry",
          "reject",
          "attempts",
          "shadow",
          "redis",
          "state-store",
          "event",
          "\u0000",
          "\n",
          "\ud800",
          "\u0660/1s",
          "${a}",
          "${env:HOME}",
          "${env:}",
          "${file:/none:x}",
          "env",
          "file, env",
          "user-actions",
          "exactly_once_v2",
          "java.lang.Object");

  private static final List<String> OWN_KEYS = ownKeys();
  private static final List<String> KAFKA_KEYS = kafkaKeys();

  @TempDir private Path directory;

  static LongStream seeds() {
    return TestScale.seeds(2, 20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anyTextsAreReadOrRefused(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 500; round++) {
      Map<String, String> texts = ConfigText.with();
      for (int i = random.nextInt(12); i >= 0; i--) put(texts, random);
      read(texts, seed);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anyFileIsReadOrRefused(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 100; round++) {
      byte[] content = new byte[random.nextInt(200)];
      String letters = "sluice.limit=\\u0 #\n:,";
      for (int i = 0; i < content.length; i++) {
        boolean letter = random.nextInt(50) > 0;
        content[i] =
            (byte)
                (letter ? letters.charAt(random.nextInt(letters.length())) : random.nextInt(256));
      }
      Path file = Files.write(directory.resolve("fuzz.properties"), content);
      try {
        SluiceConfig.load(file);
      } catch (ConfigurationException refused) {
        assertThat(refused.mistakes()).isNotEmpty();
      }
    }
  }

  /** Most of the lines are valid, so that a damaged one is reached and reported. */
  @ParameterizedTest
  @MethodSource("seeds")
  void aDamagedFileIsReadOrRefused(long seed) throws IOException {
    byte[] sound;
    try (InputStream example =
        SluiceConfig.class.getResourceAsStream("/io/sluice/topology/example.properties")) {
      sound = example.readAllBytes();
    }
    String more =
        "application.id=b\nsluice.limits=a\nsluice.limit.a.quota=5/60s\nsluice.limit.a.key=target\n"
            + "sluice.limit.a.backend=redis\nsluice.redis.uri=redis://u:p@localhost:1/2\n";
    Mutator files =
        new Mutator(
            new SplittableRandom(seed),
            List.of(sound, more.getBytes(StandardCharsets.UTF_8)),
            VALUES.toArray(String[]::new));
    for (int round = 0; round < 150; round++) {
      byte[] content = files.next();
      Path file = Files.write(directory.resolve("damaged.properties"), content);
      try {
        assertThat(ConfigReport.summary(SluiceConfig.load(file))).isNotEmpty();
      } catch (ConfigurationException refused) {
        assertThat(refused.mistakes()).isNotEmpty().noneMatch(String::isBlank);
      } catch (RuntimeException e) {
        fail(
            "seed "
                + seed
                + ", round "
                + round
                + ": "
                + new String(content, StandardCharsets.UTF_8),
            e);
      }
    }
  }

  private static void read(Map<String, String> texts, long seed) {
    try {
      SluiceConfig config = SluiceConfig.of(texts);
      assertThat(ConfigReport.summary(config)).isNotEmpty();
      assertThat(ConfigReport.warnings(config)).doesNotContainNull();
    } catch (ConfigurationException refused) {
      assertThat(refused.mistakes()).isNotEmpty().noneMatch(String::isBlank);
      assertThat(refused.mistakes()).allMatch(line -> line.contains(": "));
    } catch (RuntimeException e) {
      fail("seed " + seed + ": " + texts, e);
    }
  }

  private static void put(Map<String, String> texts, SplittableRandom random) {
    switch (random.nextInt(10)) {
      case 0 -> texts.put(any(KAFKA_KEYS, random), value(random));
      case 1 -> texts.put(any(OWN_KEYS, random).substring(random.nextInt(10)), value(random));
      case 2, 3, 4 -> texts.put(any(OWN_KEYS, random).replace("F", value(random)), value(random));
      default -> putAccepted(texts, random);
    }
  }

  /** Adds a setting that is valid by itself, so that invalid combinations are tested. */
  private static void putAccepted(Map<String, String> texts, SplittableRandom random) {
    List<ConfigDef.ConfigKey> keys = List.copyOf(LimitSettings.definition().configKeys().values());
    Setting<?> setting = (Setting<?>) keys.get(random.nextInt(keys.size()));
    String accepted = setting.validator.toString();
    List<String> choices = List.of(accepted.split(", "));
    boolean choice = accepted.matches("[a-z-]+(, [a-z-]+)+");
    String text = choice ? any(choices, random) : setting.defaultText();
    texts.put(
        setting.keyFor("reply"), text.isEmpty() ? any(List.of("2", "1/3660d"), random) : text);
  }

  private static String any(List<String> texts, SplittableRandom random) {
    return texts.get(random.nextInt(texts.size()));
  }

  private static List<String> ownKeys() {
    List<String> keys = new ArrayList<>(CommonSettings.definition().names());
    for (String limit : List.of("reply", "post", "a b", "")) {
      LimitSettings.definition().names().stream()
          .map(key -> key.replace(".N.", "." + limit + "."))
          .forEach(keys::add);
    }
    return keys;
  }

  private static List<String> kafkaKeys() {
    List<String> keys = new ArrayList<>(StreamsConfig.configDef().names());
    ProducerConfig.configNames().forEach(key -> keys.add("producer." + key));
    ConsumerConfig.configNames().forEach(key -> keys.add("main.consumer." + key));
    return keys;
  }

  private static String value(SplittableRandom random) {
    String value = VALUES.get(random.nextInt(VALUES.size()));
    return random.nextInt(4) > 0 ? value : value + VALUES.get(random.nextInt(VALUES.size()));
  }
}
