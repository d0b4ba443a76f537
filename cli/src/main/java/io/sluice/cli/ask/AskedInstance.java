package io.sluice.cli.ask;

import io.sluice.topology.config.HttpConfig;
import io.sluice.topology.config.SluiceConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Command-line options that name the instance to which requests go; the access token comes from the
 * configuration or the environment.
 */
final class AskedInstance {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The properties file of the application. Not needed with --http.")
  private Path file;

  @Option(
      names = "--http",
      paramLabel = "URL",
      description =
          "The address of an instance. By default the address in the file's sluice.http settings."
              + " Without a file, the token is from SLUICE_HTTP_TOKEN, or else"
              + " SLUICE_HTTP_TOKEN_READ.")
  private String url = "";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private final Map<String, String> environment;

  AskedInstance(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * Returns an HTTP client for the instance that the options name.
   *
   * @param config the configuration; empty without {@code --config}
   * @throws ParameterException if the options name no instance
   */
  Instance instance(Optional<SluiceConfig> config) {
    if (file == null && url.isEmpty()) {
      throw misused(
          "give --config, the application's properties file, or --http, such as"
              + " http://localhost:9464");
    }
    HttpConfig http =
        config.map(SluiceConfig::http).orElseGet(() -> HttpConfig.ofEnvironment(environment));
    try {
      return Instance.of(http, url);
    } catch (IllegalArgumentException e) {
      throw misused(e.getMessage());
    }
  }

  /**
   * Returns an HTTP client for an instance; empty if neither the options nor the configuration have
   * an address.
   */
  Optional<Instance> instanceIfKnown(SluiceConfig config) {
    boolean isServed = config.http().served() && config.http().port() != 0;
    return url.isEmpty() && !isServed
        ? Optional.empty()
        : Optional.of(instance(Optional.of(config)));
  }

  /** Loads the configuration; empty without {@code --config}. */
  Optional<SluiceConfig> config() {
    return Optional.ofNullable(file).map(each -> SluiceConfig.load(each, environment));
  }

  /** Creates the exception for wrong usage of the options. */
  ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
