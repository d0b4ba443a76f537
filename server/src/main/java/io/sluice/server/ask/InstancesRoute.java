package io.sluice.server.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.server.web.Route;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/** API route that lists the instances of the application. Each instance describes itself. */
final class InstancesRoute implements Route {
  private static final int MOST_UNADVERTISED = 200;

  /**
   * Maximum size of one instance's response in bytes; enough for tens of thousands of partitions.
   */
  private static final int MOST_BYTES = 256 << 10;

  private final LocalInstance here;
  private final OtherInstances others;
  private final ThrottledCache<String> digest;

  InstancesRoute(
      CurrentLimits limits, LocalInstance here, OtherInstances others, InstantSource clock) {
    this.here = here;
    this.others = others;
    digest = new ThrottledCache<>(clock, nowMs -> limits.known().digest(nowMs));
  }

  @Override
  public String path() {
    return "/api/instances";
  }

  @Override
  public Reply reply(Request request) throws InterruptedException, ExecutionException {
    if (!request.method().equals("GET")) return Reply.only("GET");
    if (!request.below().isEmpty()) return Reply.problem(404, "unknown path; use " + path());
    return Reply.json(request.parameters().containsKey(InstanceClient.LOCAL) ? own() : all());
  }

  private String own() {
    return Route.object(this::writeOwn);
  }

  private void writeOwn(JsonGenerator json) throws IOException {
    json.writeStringField("instance", here.name());
    json.writeStringField("state", here.streams().state().name());
    json.writeStringField("version", here.version());
    json.writeStringField("limitsDigest", digest.value());
    Collection<ThreadMetadata> threads = here.streams().metadataForLocalThreads();
    partitions("active", tasks(threads, ThreadMetadata::activeTasks), json);
    partitions("standby", tasks(threads, ThreadMetadata::standbyTasks), json);
    Optional<Instant> silent = here.health().noBrokerSince();
    // Without a broker the end offsets are not known, so the lag is not known either.
    if (silent.isPresent()) json.writeNumberField("noBrokerSinceMs", silent.get().toEpochMilli());
    else json.writeNumberField("lag", lag(tasks(threads, ThreadMetadata::activeTasks)));
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

  /**
   * Number of records that are not yet processed and committed, over all input partitions of the
   * tasks.
   */
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

  private String all() throws InterruptedException, ExecutionException {
    InstanceResponses<String> said = others.askAll(path(), Map.of(), InstancesRoute::object).get();
    return Route.object(
        json -> {
          json.writeArrayFieldStart("instances");
          json.writeRawValue(own().trim());
          for (String each : said.said()) json.writeRawValue(each);
          for (String each : said.unanswered().keySet()) write(each, "UNREACHABLE", json);
          for (long i = unadvertised(); i > 0; i--) write("", "UNKNOWN", json);
          json.writeEndArray();
        });
  }

  /** Returns another instance's response unchanged if it is a JSON object. */
  private static String object(byte[] text) {
    if (text.length > MOST_BYTES) {
      throw new IllegalArgumentException("it answers with more than " + MOST_BYTES + " bytes");
    }
    return JsonReading.read(
        text,
        json -> {
          json.object(name -> json.skip());
          return new String(text, UTF_8).trim();
        });
  }

  private static void write(String instance, String state, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("instance", instance);
    json.writeStringField("state", state);
    json.writeEndObject();
  }

  /**
   * Number of other instances that advertise no address. It is 0 if this instance advertises none,
   * since Kafka Streams then tells it of no other instances.
   */
  private long unadvertised() {
    if (here.name().isEmpty()) return 0;
    try {
      return here.streams().metadataForAllStreamsClients().stream()
          .filter(each -> each.hostInfo().port() <= 0)
          .limit(MOST_UNADVERTISED)
          .count();
    } catch (InvalidStateStoreException e) {
      return 0;
    }
  }
}
