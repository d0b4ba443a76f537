package io.sluice.spring.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.RateLimit;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Settings from an application's properties and environment variables. */
class SluiceSettingsTest {
  private static final String VARIABLES =
      StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;

  @Test
  void aListSetsTheSameAsATextWithCommas() throws IOException {
    String yaml = "sluice: {limits: [reply, post], limit.reply.key: [userId, target]}";
    StandardEnvironment environment = variables(Map.of());
    new YamlPropertySourceLoader()
        .load("yaml", new ByteArrayResource(yaml.getBytes(UTF_8)))
        .forEach(environment.getPropertySources()::addFirst);
    assertThat(SluiceSettings.of(environment))
        .containsOnly(
            Map.entry("sluice.limits", "reply,post"),
            Map.entry("sluice.limit.reply.key", "userId,target"));
  }

  @Test
  void aVariableSetsTheSameAsAProperty() {
    assertThat(SluiceSettings.of(variables(Map.of("SLUICE_LIMIT_REPLY_QUOTA", "9/60s"))))
        .containsOnly(Map.entry("sluice.limit.reply.quota", "9/60s"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SLUICE_SERVICE_HOST=10.0.0.1",
        "SLUICE_SERVICE_PORT=6379",
        "SLUICE_SERVICE_PORT_REDIS=6379",
        "SLUICE_PORT=tcp://10.0.0.1:6379",
        "SLUICE_PORT_6379_TCP=tcp://10.0.0.1:6379",
        "SLUICE_PORT_6379_TCP_PROTO=tcp",
        "SLUICE_PORT_6379_TCP_PORT=6379",
        "SLUICE_PORT_6379_TCP_ADDR=10.0.0.1",
        "SLUICE_REDIS_SERVICE_HOST=10.0.0.1",
        "SLUICE_REDIS_PORT=tcp://10.0.0.1:6379",
      })
  void whatKubernetesSetsForAServiceIsNoSetting(String variable) {
    assertThat(SluiceSettings.of(given(variable))).isEmpty();
    assertThat(ConfiguredLimits.of(given(variable)).mistakes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SLUICE_PORT=6379",
        "SLUICE_PORT_REDIS=6379",
        "SLUICE_SERVICE=10.0.0.1",
        "SLUICE_SERVICES_HOST=10.0.0.1",
        "SLUICE_REDIS_ADDRESS=tcp://10.0.0.1:6379",
        "sluice.port=tcp://10.0.0.1:6379",
        "sluice.service.host=10.0.0.1",
      })
  void whatOnlyLooksLikeItIsAMistake(String variable) {
    assertThat(ConfiguredLimits.of(given(variable)).mistakes())
        .singleElement()
        .asString()
        .contains(": unknown, or only for a stream; accepted are ");
  }

  @Test
  void toolsAreToldOfEverySettingOfTheApplication() throws IOException {
    try (InputStream in =
        RateLimit.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      String metadata = new String(in.readAllBytes(), UTF_8);
      for (String key : ConfiguredLimits.COMMON) {
        assertThat(metadata).contains("\"name\": \"" + key + "\"");
      }
    }
  }

  private static StandardEnvironment given(String variable) {
    int equals = variable.indexOf('=');
    return variables(Map.of(variable.substring(0, equals), variable.substring(equals + 1)));
  }

  private static StandardEnvironment variables(Map<String, Object> variables) {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .replace(VARIABLES, new SystemEnvironmentPropertySource(VARIABLES, variables));
    return environment;
  }
}
