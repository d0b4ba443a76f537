package io.sluice.rules.settings;

import java.util.List;

/** Thrown if a configuration is invalid. The message has all mistakes, one in each line. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ConfigurationException(List<String> mistakes) {
    super(String.join("\n", mistakes));
  }

  /**
   * Mistakes in the order of the configuration, each with the key, the value and what is accepted.
   */
  public List<String> mistakes() {
    return getMessage().lines().toList();
  }
}
