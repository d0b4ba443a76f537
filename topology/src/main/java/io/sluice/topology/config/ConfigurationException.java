package io.sluice.topology.config;

import java.util.List;

/** A configuration cannot be used. Its message is every mistake found, one a line. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ConfigurationException(List<String> mistakes) {
    super(String.join("\n", mistakes));
  }

  /** What is wrong, in the order of the configuration: the key, the bad value, what is accepted. */
  public List<String> mistakes() {
    return getMessage().lines().toList();
  }
}
