package io.sluice.server.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.event.Keys;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.server.ask.OtherInstances.Responses;
import io.sluice.server.web.JsonText;
import io.sluice.server.web.Route;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
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

  private record All(List<Object> instances) {}

  /**
   * This instance's description of itself.
   *
   * @param lag null without a broker, since the end offsets are not known then
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Own(
      String instance,
      String state,
      String version,
      String limitsDigest,
      Set<Integer> active,
      Set<Integer> standby,
      Long noBrokerSinceMs,
      Long lag) {}

  /**
   * An instance that does not describe itself.
   *
   * @param why reason in one line
   */
  private record Silent(String instance, String state, String why) {}

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
    return Reply.of(request.parameters().containsKey(InstanceClient.LOCAL) ? own() : all());
  }

  private Own own() {
    Collection<ThreadMetadata> threads = here.streams().metadataForLocalThreads();
    List<TaskMetadata> active = tasks(threads, ThreadMetadata::activeTasks);
    Optional<Instant> silent = here.health().noBrokerSince();
    return new Own(
        here.name(),
        here.streams().state().name(),
        here.version(),
        digest.value(),
        partitions(active),
        partitions(tasks(threads, ThreadMetadata::standbyTasks)),
        silent.map(Instant::toEpochMilli).orElse(null),
        silent.isPresent() ? null : lag(active));
  }

  private static List<TaskMetadata> tasks(
      Collection<ThreadMetadata> threads, Function<ThreadMetadata, Set<TaskMetadata>> which) {
    return threads.stream().map(which).flatMap(Set::stream).toList();
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

  private All all() throws InterruptedException, ExecutionException {
    Responses<ObjectNode> told = others.askAll(path(), Map.of(), InstancesRoute::object).get();
    List<Object> all = new ArrayList<>(List.of(own()));
    all.addAll(told.said());
    told.unanswered()
        .forEach(each -> all.add(new Silent(each.instance(), "UNREACHABLE", each.why())));
    for (long i = unadvertised(); i > 0; i--) {
      all.add(new Silent("", "UNKNOWN", "it sets no " + Keys.HTTP_ADVERTISED));
    }
    return new All(all);
  }

  private static ObjectNode object(String text) {
    if (text.getBytes(UTF_8).length > MOST_BYTES) {
      throw new IllegalArgumentException("it answers with more than " + MOST_BYTES + " bytes");
    }
    return JsonText.read(text, ObjectNode.class);
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
