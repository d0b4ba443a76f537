package io.sluice.topology.ask;

import io.sluice.topology.intake.Nodes;
import io.sluice.topology.web.Route.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.state.HostInfo;

/** The instances that have what this one is asked about: first the one that uses it. */
final class Owners {
  private final Here here;
  private final Peers peers;

  Owners(Here here, Peers peers) {
    this.here = here;
    this.peers = peers;
  }

  String own() {
    return here.name();
  }

  /** Whether it is settled who has what, as far as this instance knows. */
  boolean areSettled() {
    return here.streams().state() == State.RUNNING;
  }

  boolean isActiveHere(int partition) {
    return here.isActive(partition);
  }

  /** The answer of whoever of them gives one. */
  Optional<Reply> ask(int partition, String path, Map<String, String> parameters) {
    for (HostInfo each : others(here.owners(Nodes.LIMITS, partition))) {
      Optional<Peers.Said> said = peers.ask(each, path, parameters);
      if (said.isPresent() && said.get().status() == 200) {
        return Optional.of(Reply.json(said.get().body()));
      }
    }
    return Optional.empty();
  }

  /** Those with an address, but for this one. */
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
