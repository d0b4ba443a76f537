package io.sluice.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.rules.StartException;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.server.web.Route;
import io.sluice.server.web.WebServer;
import io.sluice.topology.config.SluiceConfig;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Monitoring and optional HTTP server of an instance. Both are open before Kafka Streams starts and
 * until after it has ended.
 *
 * @param web the HTTP server; empty if HTTP is not configured
 */
record InstanceEndpoints(Monitoring monitoring, Optional<WebServer> web) implements AutoCloseable {
  /**
   * Opens the monitoring and, if configured, the HTTP server of an instance.
   *
   * @throws StartException if the address or the port cannot be bound
   */
  static InstanceEndpoints open(SluiceConfig config, List<MeterRegistry> registries) {
    Monitoring monitoring = Monitoring.open(config, registries);
    try {
      return new InstanceEndpoints(
          monitoring,
          config.http().served()
              ? Optional.of(WebServer.open(config.http(), monitoring))
              : Optional.empty());
    } catch (RuntimeException e) {
      monitoring.close();
      throw e;
    }
  }

  void serve(List<Route> routes) {
    web.ifPresent(server -> server.serve(routes));
  }

  Optional<URI> address() {
    return web.map(WebServer::address);
  }

  @Override
  public void close() {
    web.ifPresent(WebServer::close);
    monitoring.close();
  }
}
