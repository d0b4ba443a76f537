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
 * Objects that all runs of {@link Scale} share: laboratory, plan, heap sizes of an idle
 * application, and skipped runs.
 */
final class ScaleBed {
  /** Quota that allows all events, so that each event writes a row of the state store. */
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

  /** Returns one line for each run that was skipped for lack of memory. */
  List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  static SluiceApplication funnel(String store) {
    return SluiceApplication.onStateStore("funnel", store).withQuota(NEVER_USED_UP);
  }

  /** Whether the heap has room for this many bytes; if not, records a run as skipped. */
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
   * Returns the environment of an application that is started several times.
   *
   * @param start name of this start; each start has its own folder, so that it begins without local
   *     state
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

  /** Forgets the idle heap sizes and the skipped runs of the warm-up. */
  void warmedUp() {
    heapOfNothing.clear();
    leftOut.clear();
  }

  /**
   * Returns the heap in bytes that an idle application with this state store uses, which is
   * measured at the first call.
   */
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
