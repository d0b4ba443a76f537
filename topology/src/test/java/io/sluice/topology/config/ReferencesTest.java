package io.sluice.topology.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.events.Role;
import io.sluice.rules.event.Keys;
import io.sluice.rules.settings.ConfigurationException;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of values that Kafka's config providers supply. */
class ReferencesTest {
  private static final String[] PROVIDERS = {
    "config.providers=env, file",
    "config.providers.env.class=org.apache.kafka.common.config.provider.EnvVarConfigProvider",
    "config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider"
  };

  @TempDir private Path folder;

  private Map<String, String> texts(String... lines) {
    return ConfigText.put(ConfigText.with(PROVIDERS), lines);
  }

  private SluiceConfig config(String... lines) {
    return SluiceConfig.of(texts(lines));
  }

  private List<String> mistakes(String... lines) {
    return ConfigText.mistakes(texts(lines));
  }

  /** Writes a value to a file and returns a reference to it. */
  private String file(String name, String value) throws IOException {
    Path file = folder.resolve(name + ".txt");
    Files.writeString(file, "value=" + value.replace("\\", "\\\\") + "\n");
    return "${file:" + file + ":value}";
  }

  @Test
  void everySettingMayBeAReference() throws IOException {
    Map<String, String> plain = ConfigText.with("sluice.redis.uri=redis://localhost");
    Map<String, String> referring = ConfigText.with(PROVIDERS);
    Files.writeString(
        folder.resolve("7.avsc"), "{\"type\":\"record\",\"name\":\"A\",\"fields\":[]}");
    plain.put("sluice.http.port", "0");
    plain.put("sluice.queue.priority", "action");
    plain.put("sluice.queue.priorities", "reply,*");
    plain.put("sluice.limit.reply.match.action", "reply,answer");
    plain.put("sluice.limit.reply.backend", "redis");
    for (ConfigDef.ConfigKey key : definitions()) {
      Setting<?> setting = (Setting<?>) key;
      if (!setting.defaultText().isEmpty()) {
        plain.putIfAbsent(setting.keyFor("reply"), setting.defaultText());
      }
    }
    plain.keySet().removeIf(key -> key.startsWith("sluice.limit.reply.queue."));
    List.of("delay.max", "retry.attempts", "retry.jitter", "zone", "bloom.error", "key.missing")
        .forEach(without -> plain.remove("sluice.limit.reply." + without));
    for (Map.Entry<String, String> each : plain.entrySet()) {
      referring.put(each.getKey(), file(each.getKey(), each.getValue()));
    }

    SluiceConfig expected = SluiceConfig.of(plain);
    SluiceConfig config = SluiceConfig.of(referring);
    assertThat(config.streams()).isEqualTo(expected.streams());
    assertThat(config.limits().all()).isEqualTo(expected.limits().all());
    assertThat(config.topics()).isEqualTo(expected.topics());
    assertThat(config.redis()).isEqualTo(expected.redis());
    assertThat(config.http()).isEqualTo(expected.http());
    assertThat(config.queueOrder().classes()).isEqualTo(expected.queueOrder().classes());
    assertThat(config.timeMaxAhead()).isEqualTo(expected.timeMaxAhead());
    assertThat(config.selectors().common().leastCost())
        .isEqualTo(expected.selectors().common().leastCost());
    for (Role role : Role.values()) {
      assertThat(config.selectors().common().text(role))
          .isEqualTo(expected.selectors().common().text(role));
    }
  }

  /** Uses a value that is invalid for every setting with restricted values. */
  @Test
  void aBadValueIsShownAsItsReference() throws IOException {
    for (ConfigDef.ConfigKey each : definitions()) {
      Setting<?> setting = (Setting<?>) each;
      String key = setting.keyFor("reply");
      String bad = "s3cret?*\u00e9/.,:s3cret?*\u00e9/.";
      if (takesAnything(setting, bad)) continue;
      String reference = file("bad", bad);
      assertThat(mistakes(key + "=" + reference))
          .as(key)
          .anySatisfy(
              line ->
                  assertThat(line).startsWith(key).contains("${file:").contains(setting.accepted()))
          .noneMatch(line -> line.contains("s3cret"));
    }
  }

  private static boolean takesAnything(Setting<?> setting, String text) {
    try {
      setting.read(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static List<ConfigDef.ConfigKey> definitions() {
    List<ConfigDef.ConfigKey> all =
        new ArrayList<>(CommonSettings.definition().configKeys().values());
    all.addAll(LimitSettings.definition().configKeys().values());
    all.removeIf(key -> key.name.endsWith(".match.F") || key.name.equals(Keys.LIMITS));
    return all;
  }

  @Test
  void kafkasSettingsAreCheckedAsTheyAreMeant() throws IOException {
    String reference = file("threads", " 3 ");
    assertThat(config("num.stream.threads=" + reference).streamThreads()).isEqualTo(3);
    assertThat(config("num.stream.threads= 4 ").streamThreads()).isEqualTo(4);
    assertThat(config().streamThreads()).isEqualTo(1);
    assertThat(mistakes("num.stream.threads=" + file("threads", "many")))
        .containsExactly("num.stream.threads=" + reference + ": Not a number of type INT");
    assertThat(mistakes("processing.guarantee=" + file("guarantee", "perhaps")))
        .singleElement()
        .asString()
        .startsWith("processing.guarantee=${file:")
        .contains("exactly_once_v2")
        .doesNotContain("perhaps");
  }

  @Test
  void whatTheEnvironmentSaysMayBeAReferenceToo() throws IOException {
    Path file = folder.resolve("sluice.properties");
    Files.writeString(file, String.join("\n", PROVIDERS) + "\nsluice.limits=reply\n");
    Map<String, String> environment =
        Map.of(
            "SLUICE_KAFKA_APPLICATION_ID", file("id", "my-throttler"),
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS", file("brokers", "kafka-1:9092,kafka-2:9092"),
            "SLUICE_LIMIT_REPLY_QUOTA", file("quota", "7/60s"),
            "SLUICE_TIME_MAX_AHEAD", file("ahead", "3m"));

    SluiceConfig config = SluiceConfig.load(file, environment);
    assertThat(config.applicationId()).isEqualTo("my-throttler");
    assertThat(config.streams())
        .containsEntry("bootstrap.servers", "kafka-1:9092,kafka-2:9092")
        .allSatisfy((key, value) -> assertThat((String) key).doesNotStartWith("config.providers"));
    assertThat(config.limits().all().get(0).rule().quota().permits()).isEqualTo(7);
    assertThat(config.timeMaxAhead()).hasMinutes(3);

    Map<String, String> wrong = new LinkedHashMap<>(environment);
    wrong.put("SLUICE_TIME_MAX_AHEAD", file("ahead", "soon"));
    assertThat(
            assertThrows(ConfigurationException.class, () -> SluiceConfig.load(file, wrong))
                .mistakes())
        .containsExactly(
            "SLUICE_TIME_MAX_AHEAD=" + file("ahead", "soon") + ": a period, 0s to 3660d");
  }

  @Test
  void aValueOfTheEnvironmentIsFound() {
    assertThat(config("state.dir=${env:HOME}/sluice").streams())
        .containsEntry("state.dir", System.getenv("HOME") + "/sluice");
    assertThat(mistakes("sluice.http.host=${env:NO_SUCH_VARIABLE}", "num.stream.threads=${env:NO}"))
        .containsExactly(
            "sluice.http.host=${env:NO_SUCH_VARIABLE}: ${env:NO_SUCH_VARIABLE} has no value",
            "num.stream.threads=${env:NO}: ${env:NO} has no value");
  }

  @Test
  void whatAProviderCannotGiveIsOneLine() throws IOException {
    String known = file("known", "x");
    String other = known.replace(":value}", ":other}");
    assertThat(
            mistakes(
                "application.id=${file:/no/such/file:id}",
                "sluice.limit.reply.quota=" + other,
                "sluice.schemas.password=${file:/no/such/file:pw}"))
        .contains(
            "application.id=${file:/no/such/file:id}: Could not read properties from file /no/such/file",
            "sluice.limit.reply.quota=" + other + ": " + other + " has no value")
        .anyMatch(
            line -> line.startsWith("sluice.schemas.password=${file:/no/such/file:pw}: Could"));
  }

  @Test
  void aProviderThatCannotBeHadIsAMistakeOfItsOwn() {
    assertThat(
            ConfigText.mistakes(
                "config.providers=env,vault,odd",
                "config.providers.vault.class=com.example.Vault",
                "config.providers.odd.class=java.lang.String",
                "application.id=${env:ID}",
                "sluice.limit.reply.quota=${vault:a:b}",
                "num.stream.threads=${odd:c}"))
        .containsExactlyInAnyOrder(
            "config.providers.env.class: missing; such as config.providers.env.class="
                + "org.apache.kafka.common.config.provider.EnvVarConfigProvider",
            "config.providers.vault.class=com.example.Vault: a ConfigProvider class that is on the class path",
            "config.providers.odd.class=java.lang.String: a ConfigProvider class that is on the class path");
  }

  @Test
  void withoutProvidersATextIsWhatItSays() {
    String[] literal = {
      "sluice.limit.reply.match.action=${env:ACTION}",
      "client.rack=${rack:a}",
      "metrics.num.samples=3"
    };
    assertThat(ConfigText.config(literal).streams()).containsEntry("client.rack", "${rack:a}");
    assertThat(ConfigText.mistakes("num.stream.threads=${env:THREADS}", "sluice.http.port=${e:P}"))
        .containsExactly(
            "num.stream.threads=${env:THREADS}: Not a number of type INT; config.providers has no env",
            "sluice.http.port=${e:P}: a whole number, 0 to 65535; config.providers has no e");
  }

  @Test
  void whatAProviderGivesIsNoReferenceAgain() throws IOException {
    String reference = file("tricky", "${env:HOME}");
    assertThat(config("client.rack=" + reference).streams())
        .containsEntry("client.rack", "${env:HOME}");
  }

  @Test
  void theSummaryShowsReferencesAndNumbersInWords() throws IOException {
    SluiceConfig config =
        config(
            "application.id=" + file("id", "s3cret-id"),
            "bootstrap.servers=" + file("brokers", "s3cret:9092"),
            "sluice.topics.allowed=" + file("allowed", "s3cret-allowed"),
            "sluice.redis.uri=redis://:" + file("redis", "s3cret") + "@localhost",
            "sluice.redis.key.prefix=" + file("prefix", "s3cret"),
            "sluice.schemas.url=" + file("url", "http://s3cret"),
            "sluice.schemas.user=" + file("user", "s3cret"),
            "sluice.schemas.password=" + file("password", "s3cret"),
            "sluice.http.host=" + file("host", "s3cret"),
            "sluice.http.port=" + file("port", "9464"),
            "sluice.event.cost=" + file("cost", "s3cret"),
            "sluice.limit.reply.quota=" + file("quota", "7/60s"),
            "sluice.limit.reply.match.action=" + file("action", "s3cret,other"),
            "sluice.limit.reply.backend=redis");

    assertThat(ConfigReport.summary(config))
        .doesNotContain("s3cret")
        .contains("cost: ${file:", "on ${file:", "7 in 60 s, burst 7", "action=${file:", ":9464");
    assertThat(ConfigReport.warnings(config)).noneMatch(line -> line.contains("s3cret"));
    assertThat(config.redis().uri()).isEqualTo("redis://:s3cret@localhost");
  }

  @Test
  void aLimitIsShownWithItsReferencesAndWithWhatTookTheirPlace() throws IOException {
    String reference = file("action", "s3cret");
    SluiceConfig config = config("sluice.limit.reply.match.action=" + reference);

    assertThat(ConfigReport.shown(config, "reply", Map.of("match.action", "s3cret", "burst", "2")))
        .isEqualTo(Map.of("match.action", reference, "burst", "2"));
    assertThat(ConfigReport.shown(config, "reply", Map.of("match.action", "other")))
        .isEqualTo(Map.of("match.action", "other"));
    assertThat(ConfigReport.shown(config, "added", Map.of("match.action", "s3cret")))
        .isEqualTo(Map.of("match.action", "s3cret"));
  }

  @Test
  void aSimulationNeedsNoneOfWhatKafkaIsGiven() throws IOException {
    Path file = folder.resolve("sluice.properties");
    Stream<String> lines =
        Stream.of(
            "config.providers=vault",
            "config.providers.vault.class=com.example.Vault",
            "application.id=${vault:id}",
            "sluice.redis.uri=${vault:redis}",
            "ssl.keystore.password=${vault:pw}",
            "sluice.limits=reply",
            "sluice.limit.reply.quota=5/60s",
            "sluice.limit.reply.backend=redis");
    Files.write(file, lines.toList());

    assertThat(SluiceConfig.loadForSimulation(file, Map.of()).limitNames())
        .containsExactly("reply");
    assertThrows(ConfigurationException.class, () -> SluiceConfig.load(file, Map.of()));
  }
}
