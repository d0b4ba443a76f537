package io.sluice.topology.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.topology.event.Version;
import io.sluice.topology.revision.CurrentLimits;
import io.sluice.topology.web.Route;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.state.HostInfo;

/** The instances of the application: this one as it knows itself, the others as they say. */
record InstancesRoute(CurrentLimits limits, Here here, Peers peers) implements Route {
  @Override
  public String path() {
    return "/api/instances";
  }

  @Override
  public Reply reply(Request request) {
    if (!request.method().equals("GET")) return Reply.problem(405, "only GET");
    if (!request.below().isEmpty()) return Reply.problem(404, "there is " + path());
    return Reply.json(request.parameters().containsKey(Peers.LOCAL) ? own() : all());
  }

  private String own() {
    return JsonObject.of(this::writeOwn);
  }

  private void writeOwn(JsonGenerator json) throws IOException {
    long nowMs = System.currentTimeMillis();
    json.writeStringField("instance", here.name());
    json.writeStringField("state", here.streams().state().name());
    json.writeStringField("version", Version.text());
    json.writeStringField("limitsDigest", limits.known().digest(nowMs));
    Collection<ThreadMetadata> threads = here.streams().metadataForLocalThreads();
    partitions("active", tasks(threads, ThreadMetadata::activeTasks), json);
    partitions("standby", tasks(threads, ThreadMetadata::standbyTasks), json);
    json.writeNumberField("lag", lag(tasks(threads, ThreadMetadata::activeTasks)));
  }

  private static List<TaskMetadata> tasks(
      Collection<ThreadMetadata> threads,
      java.util.function.Function<ThreadMetadata, Set<TaskMetadata>> which) {
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

  private String all() {
    return JsonObject.of(
        json -> {
          json.writeArrayFieldStart("instances");
          json.writeRawValue(own().trim());
          for (StreamsMetadata each : here.streams().metadataForAllStreamsClients()) {
            if (!isOwn(each.hostInfo())) write(each.hostInfo(), json);
          }
          json.writeEndArray();
        });
  }

  private void write(HostInfo other, JsonGenerator json) throws IOException {
    Optional<Peers.Said> said =
        other.port() <= 0 ? Optional.empty() : peers.ask(other, path(), Map.of());
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
