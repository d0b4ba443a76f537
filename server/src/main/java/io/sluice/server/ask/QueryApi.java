package io.sluice.server.ask;

import io.sluice.rules.revision.CurrentLimits;
import io.sluice.runtime.cluster.RunningStreams;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.server.change.CancelRoute;
import io.sluice.server.change.ChangeRoutes;
import io.sluice.server.web.Route;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.watch.Watch;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Read part of the HTTP API. Queries change no event counts and wait for no stream thread. Routes
 * that change limits are in the {@code change} package.
 */
public final class QueryApi implements AutoCloseable {
  private final RemoteAnswers remote;
  private final StreamRoute stream;
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
    StoredAnswers stored =
        new StoredAnswers(here, limits, inputPartitions, !config.isExactlyOnce());
    HomePartitioner home = HomePartitioner.of(config, inputPartitions);
    OtherInstances others = new OtherInstances(config.http().advertised(), peers, running::others);
    Owners owners = new Owners(here, others);
    KeyAnswers keys = new KeyAnswers(config, limits, home, stored, remote, owners, clock);
    ChangeRoutes changes = new ChangeRoutes(config, clock);
    Watch watch = monitoring.instruments().watch();
    String run = UUID.randomUUID().toString();
    CountsOfAll counts = new CountsOfAll(run, watch, others, clock);
    stream = StreamRoute.open(counts, monitoring, config.mayUseRedis(), clock);
    LimitsList list = new LimitsList(config, limits, watch, others, clock);
    routes = new ArrayList<>(changes.others());
    routes.add(stream);
    routes.add(new TopRoute(watch, limits, others, clock));
    routes.add(new CountsRoute(run, watch, clock));
    routes.add(new LimitsRoute(list, keys, changes.limits()));
    routes.add(new InstancesRoute(limits, here, others, clock));
    WaitingRoute waiting = new WaitingRoute(config, limits, here, others, inputPartitions, clock);
    routes.add(waiting);
    routes.add(new CancelRoute(config, waiting, clock));
    routes.add(new OpenApiRoute());
  }

  public List<Route> routes() {
    return List.copyOf(routes);
  }

  @Override
  public void close() {
    stream.close();
    remote.close();
  }
}
