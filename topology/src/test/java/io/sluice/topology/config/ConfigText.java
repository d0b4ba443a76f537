package io.sluice.topology.config;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.rules.settings.ConfigurationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Configurations for tests, as lines of a properties file. */
public final class ConfigText {
  private ConfigText() {}

  /** Settings that every configuration needs, with a limit {@code reply}, and these lines. */
  static Map<String, String> with(String... lines) {
    Map<String, String> texts = kafka();
    texts.put("sluice.limits", "reply");
    texts.put("sluice.limit.reply.quota", "5/60s");
    return put(texts, lines);
  }

  /** Settings that Kafka needs, and these lines. */
  public static Map<String, String> without(String... lines) {
    return put(kafka(), lines);
  }

  public static Map<String, String> put(Map<String, String> texts, String... lines) {
    for (String line : lines) {
      String[] pair = line.split("=", 2);
      texts.put(pair[0], pair[1]);
    }
    return texts;
  }

  static Map<String, String> kafka() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("application.id", "sluice");
    texts.put("bootstrap.servers", "localhost:9092");
    return texts;
  }

  public static SluiceConfig config(String... lines) {
    return SluiceConfig.of(with(lines));
  }

  static List<String> mistakes(Map<String, String> texts) {
    return assertThrows(ConfigurationException.class, () -> SluiceConfig.of(texts)).mistakes();
  }

  /** Mistakes in a configuration with a limit {@code reply} and these lines. */
  public static List<String> mistakes(String... lines) {
    return mistakes(with(lines));
  }
}
