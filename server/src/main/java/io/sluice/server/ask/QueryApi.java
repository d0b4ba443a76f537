package io.sluice.server.ask;

import io.sluice.rules.revision.CurrentLimits;
import io.sluice.runtime.cluster.RunningStreams;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.server.change.ChangeRoutes;
import io.sluice.server.web.Route;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.HomePartitioner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Read part of the HTTP API. Queries change no event counts and wait for no stream thread. Routes
 * that change limits are in the {@code change} package.
 */
public final class QueryApi implements AutoCloseable {
  private final RemoteAnswers remote;
  private final LiveTrafficRoutes board;
  private final List<Route> routes;

  /**
   * Creates all routes of the API.
   *
   * @param inputPartitions number of partitions of each input topic
   * @param version of this build
   */
  public QueryApi(
      SluiceConfig config,
      CurrentLimits limits,
      int inputPartitions,
      RunningStreams running,
      Monitoring monitoring,
      String version,
      InstantSource clock) {
    remote = new RemoteAnswers(config);
    LocalInstance here =
        new LocalInstance(running.kafka(), monitoring.health(), config.http(), version);
    InstanceClient peers = new InstanceClient(config.http());
    StoredAnswers stored = new StoredAnswers(here, inputPartitions, !config.isExactlyOnce());
    HomePartitioner home = HomePartitioner.of(config, inputPartitions);
    Owners owners = new Owners(here, peers);
    KeyAnswers keys = new KeyAnswers(config, limits, home, stored, remote, owners, clock);
    OtherInstances others = new OtherInstances(config.http().advertised(), peers, running::others);
    ChangeRoutes changes = new ChangeRoutes(config, clock);
    board = LiveTrafficRoutes.open(monitoring, limits, config.mayUseRedis(), others, clock);
    routes = new ArrayList<>(board.routes());
    LimitsList list =
        new LimitsList(config, limits, monitoring.instruments().watch(), others, clock);
    routes.add(new LimitsRoute(list, keys, changes.limits()));
    routes.addAll(changes.others());
    routes.add(new InstancesRoute(limits, here, others, clock));
    routes.add(new OpenApiRoute());
  }

  public List<Route> routes() {
    return List.copyOf(routes);
  }

  @Override
  public void close() {
    board.close();
    remote.close();
  }
}
