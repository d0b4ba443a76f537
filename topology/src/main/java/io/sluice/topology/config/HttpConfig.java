package io.sluice.topology.config;

import java.util.Optional;

/**
 * The address of metrics and health.
 *
 * @param port 0 for any that is free; means nothing if they are not served
 */
record HttpConfig(boolean served, String host, int port) {
  static HttpConfig of(RawSettings settings) {
    Optional<Integer> port = settings.find(CommonSettings.HTTP_PORT);
    String host = settings.read(CommonSettings.HTTP_HOST);
    return new HttpConfig(port.isPresent(), host, port.orElse(0));
  }
}
