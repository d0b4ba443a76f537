package io.sluice.bench.scale;

import io.sluice.bench.apps.RunningSluice;
import io.sluice.bench.apps.SluiceApplication;
import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.run.Outputs;
import io.sluice.bench.run.Workplace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * What all runs of {@link Scale} share: the laboratory, the plan, and what there is no room for.
 */
final class ScaleBed {
  /** All events are allowed, so each is a row that is written, however often a key is met. */
  private static final String NEVER_USED_UP = "1000000/1h";

  private final Laboratory laboratory;
  private final ScalePlan plan;
  private final PrintWriter progress;
  private final Path folder;
  private final List<String> leftOut = new ArrayList<>();
  private final Map<String, Long> heapOfNothing = new HashMap<>();

  ScaleBed(Laboratory laboratory, ScalePlan plan, PrintWriter progress, Path folder) {
    this.laboratory = laboratory;
    this.plan = plan;
    this.progress = progress;
    this.folder = folder;
  }

  Laboratory laboratory() {
    return laboratory;
  }

  ScalePlan plan() {
    return plan;
  }

  /** A line for each run that was left out. */
  List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  static SluiceApplication funnel(String store) {
    return SluiceApplication.onStateStore("funnel", store).withQuota(NEVER_USED_UP);
  }

  /** Whether there is room for so many on the heap; if not, they are left out, which is noted. */
  boolean hasRoom(String what, double bytes) {
    if (Heap.hasRoomFor(bytes)) return true;
    leftOut.add(
        String.format(
            Locale.ROOT,
            "Left out for lack of memory: %s. They need a heap of about %.1f GiB.",
            what,
            Heap.neededFor(bytes) / (1 << 30)));
    say(leftOut.get(leftOut.size() - 1));
    return false;
  }

  void say(String line, Object... about) {
    progress.println(String.format(Locale.ROOT, line, about));
    progress.flush();
  }

  /**
   * The surroundings of an application that is started more than once.
   *
   * @param start which start it is: each has a folder of its own, and so none has state
   */
  Workplace workplace(String id, String input, String start) throws IOException {
    return new Workplace(
        id,
        laboratory.bootstrapServers(),
        laboratory.redis().uri(false),
        input,
        plan.guarantee(),
        plan.further(),
        Files.createDirectories(folder.resolve(id + "-" + start)).toString());
  }

  void createOutputs(Workplace at) throws ExecutionException, InterruptedException {
    laboratory.createTopic(at.allowed(), Outputs.STAMPED_BY_BROKER);
    laboratory.createTopic(at.rejected(), Outputs.STAMPED_BY_BROKER);
  }

  /** What was measured until now does not count. */
  void warmedUp() {
    heapOfNothing.clear();
    leftOut.clear();
  }

  /** The heap that Sluice takes with this store, and nothing to do; measured when asked first. */
  long heapOfNothing(String store) throws Exception {
    Long known = heapOfNothing.get(store);
    if (known != null) return known;
    String id = "nothing-" + store;
    Workplace at = workplace(id, id + "-input", "idle");
    laboratory.createTopic(at.input(), Map.of());
    createOutputs(at);
    try (RunningSluice running = funnel(store).open(at)) {
      running.awaitRunning();
      heapOfNothing.put(store, Heap.usedBytes());
    }
    laboratory.deleteTopics(id);
    return heapOfNothing.get(store);
  }
}
