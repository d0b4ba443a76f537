package io.sluice.server.ask;

import io.sluice.server.web.Route.Reply;
import io.sluice.topology.intake.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Client of the instances that have the store partition of a key, the instance with the active copy
 * first.
 */
final class Owners {
  private final LocalInstance here;
  private final OtherInstances peers;

  Owners(LocalInstance here, OtherInstances peers) {
    this.here = here;
    this.peers = peers;
  }

  String own() {
    return here.name();
  }

  /** Whether no rebalance is under way, as far as this instance knows. */
  boolean areSettled() {
    return here.streams().state() == State.RUNNING;
  }

  boolean isActiveHere(int partition) {
    return here.isActive(partition);
  }

  /**
   * Returns the first successful response of the instances that have a partition; empty if there is
   * none.
   */
  Optional<Reply> ask(int partition, String path, Map<String, String> parameters) {
    for (HostInfo each : others(here.owners(Nodes.WAITING, partition))) {
      String host = each.host().indexOf(':') < 0 ? each.host() : "[" + each.host() + "]";
      Optional<Reply> reply =
          peers
              .ask(host + ":" + each.port(), path, parameters, Reply::json)
              .thenApply(Optional::of)
              .exceptionally(failure -> Optional.empty())
              .join();
      if (reply.isPresent()) return reply;
    }
    return Optional.empty();
  }

  /** Owners of a partition other than this instance that advertise an address. */
  private List<HostInfo> others(KeyQueryMetadata owners) {
    List<HostInfo> others = new ArrayList<>(List.of(owners.activeHost()));
    others.addAll(owners.standbyHosts());
    others.removeIf(each -> each.port() <= 0 || isOwn(each));
    return others;
  }

  private boolean isOwn(HostInfo host) {
    return !here.name().isEmpty() && host.equals(HostInfo.buildFromEndpoint(here.name()));
  }
}
