package io.sluice.topology.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.topology.event.Version;
import io.sluice.topology.revision.CurrentLimits;
import io.sluice.topology.web.Route;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.state.HostInfo;

/** The instances of the application: this one as it knows itself, the others as they say. */
final class InstancesRoute implements Route {
  private static final int MOST_ASKED = 200;

  private final Here here;
  private final Peers peers;
  private final Kept<String> digest;

  InstancesRoute(CurrentLimits limits, Here here, Peers peers, InstantSource clock) {
    this.here = here;
    this.peers = peers;
    digest = new Kept<>(clock, nowMs -> limits.known().digest(nowMs));
  }

  @Override
  public String path() {
    return "/api/instances";
  }

  @Override
  public Reply reply(Request request) {
    if (!request.method().equals("GET")) return Reply.only("GET");
    if (!request.below().isEmpty()) return Reply.problem(404, "there is " + path());
    return Reply.json(request.parameters().containsKey(Peers.LOCAL) ? own() : all());
  }

  private String own() {
    return Route.object(this::writeOwn);
  }

  private void writeOwn(JsonGenerator json) throws IOException {
    json.writeStringField("instance", here.name());
    json.writeStringField("state", here.streams().state().name());
    json.writeStringField("version", Version.text());
    json.writeStringField("limitsDigest", digest.value());
    Collection<ThreadMetadata> threads = here.streams().metadataForLocalThreads();
    partitions("active", tasks(threads, ThreadMetadata::activeTasks), json);
    partitions("standby", tasks(threads, ThreadMetadata::standbyTasks), json);
    json.writeNumberField("lag", lag(tasks(threads, ThreadMetadata::activeTasks)));
  }

  private static List<TaskMetadata> tasks(
      Collection<ThreadMetadata> threads, Function<ThreadMetadata, Set<TaskMetadata>> which) {
    return threads.stream().map(which).flatMap(Set::stream).toList();
  }

  private static void partitions(String name, List<TaskMetadata> tasks, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (int each : partitions(tasks)) json.writeNumber(each);
    json.writeEndArray();
  }

  private static Set<Integer> partitions(List<TaskMetadata> tasks) {
    return tasks.stream()
        .map(each -> each.taskId().partition())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Records that are not processed and committed yet, of all that its tasks read. */
  private static long lag(List<TaskMetadata> tasks) {
    long lag = 0;
    for (TaskMetadata task : tasks) {
      Map<TopicPartition, Long> committed = task.committedOffsets();
      for (Map.Entry<TopicPartition, Long> each : task.endOffsets().entrySet()) {
        long done = Math.max(0, committed.getOrDefault(each.getKey(), 0L));
        lag += Math.max(0, each.getValue() - done);
      }
    }
    return lag;
  }

  /** All are asked at the same time, so those that do not answer are waited for once. */
  private String all() {
    List<HostInfo> others =
        here.streams().metadataForAllStreamsClients().stream()
            .map(StreamsMetadata::hostInfo)
            .filter(each -> !isOwn(each))
            .limit(MOST_ASKED)
            .toList();
    List<CompletableFuture<Optional<Peers.Said>>> said = others.stream().map(this::asked).toList();
    return Route.object(
        json -> {
          json.writeArrayFieldStart("instances");
          json.writeRawValue(own().trim());
          for (int i = 0; i < said.size(); i++) write(others.get(i), said.get(i).join(), json);
          json.writeEndArray();
        });
  }

  private CompletableFuture<Optional<Peers.Said>> asked(HostInfo other) {
    return other.port() <= 0
        ? CompletableFuture.completedFuture(Optional.empty())
        : peers.asked(other, path(), Map.of());
  }

  private static void write(HostInfo other, Optional<Peers.Said> said, JsonGenerator json)
      throws IOException {
    if (said.isPresent() && said.get().status() == 200) {
      json.writeRawValue(said.get().body().trim());
      return;
    }
    json.writeStartObject();
    json.writeStringField("instance", other.port() <= 0 ? "" : other.host() + ":" + other.port());
    json.writeStringField("state", other.port() <= 0 ? "UNKNOWN" : "UNREACHABLE");
    json.writeEndObject();
  }

  private boolean isOwn(HostInfo host) {
    return here.name().isEmpty()
        ? host.port() <= 0
        : host.equals(HostInfo.buildFromEndpoint(here.name()));
  }
}
