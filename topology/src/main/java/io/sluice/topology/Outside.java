package io.sluice.topology;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.Monitoring;
import io.sluice.topology.metrics.StartException;
import io.sluice.topology.web.Route;
import io.sluice.topology.web.WebServer;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * What is seen of an instance from outside, which begins before and ends after it.
 *
 * @param web none if nothing is served
 */
record Outside(Monitoring monitoring, Optional<WebServer> web) implements AutoCloseable {
  /**
   * @throws StartException if the address or the port cannot be had
   */
  static Outside open(SluiceConfig config, List<MeterRegistry> registries) {
    Monitoring monitoring = Monitoring.open(config, registries);
    try {
      return new Outside(
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
