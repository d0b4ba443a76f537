package io.sluice.topology.ask;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.revision.CurrentLimits;
import io.sluice.topology.web.Route;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.streams.KafkaStreams;

/**
 * The part of the API that answers questions. Nothing that it does changes a count, and none of it
 * waits for a stream thread.
 */
public final class Asking implements AutoCloseable {
  private final RemoteAnswers remote;
  private final List<Route> routes;

  /**
   * @param inputPartitions how many partitions each input topic has
   */
  public Asking(
      SluiceConfig config,
      CurrentLimits limits,
      int inputPartitions,
      KafkaStreams streams,
      InstantSource clock) {
    remote = new RemoteAnswers(config);
    Here here = new Here(streams, config.http());
    Peers peers = new Peers(config.http());
    StoredAnswers stored = new StoredAnswers(here, inputPartitions, !config.isExactlyOnce());
    HomePartitioner home = HomePartitioner.of(config, inputPartitions);
    KeyAnswers keys = new KeyAnswers(limits, home, stored, remote, new Owners(here, peers), clock);
    routes =
        List.of(
            new LimitsRoute(config, limits, keys, clock),
            new InstancesRoute(limits, here, peers, clock),
            new OpenApiRoute());
  }

  public List<Route> routes() {
    return routes;
  }

  @Override
  public void close() {
    remote.close();
  }
}
