package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.QueueLimits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Guarantee that events with the same record key, user, action and input partition leave in the
 * order of their input: allowed events, delayed or not, among each other, and rejected events among
 * each other. Actions with retries are excluded, as are events that waited until Redis was back.
 * {@link LineOrderKept} is about events with queue limits.
 */
final class KeyOrderKept implements Guarantee {
  private record Line(
      String inputPlace, ByteBuffer key, String user, String action, String topic) {}

  @Override
  public String weakened(Modes modes) {
    return modes.exactlyOnce()
        ? ""
        : "at least once, what comes again comes behind what it was before";
  }

  @Override
  public long cases(History history) {
    return ordered(history).count();
  }

  @Override
  public Stream<String> violations(History history) {
    List<String> found = new ArrayList<>();
    Map<Line, Kept> last = new HashMap<>();
    ordered(history)
        .forEach(
            end -> {
              Kept before = last.put(line(history, end), end);
              if (before != null) inOrder(history, before, end).forEach(found::add);
            });
    return found.stream();
  }

  private static Stream<Kept> ordered(History history) {
    if (!history.modes().exactlyOnce()) return Stream.of();
    return Stream.concat(history.allowed().stream(), history.rejected().stream())
        .filter(end -> history.inputOf(end).isPresent() && isOrdered(history, end));
  }

  private static boolean isOrdered(History history, Kept end) {
    return end.record().key() != null
        && !history.limits().retries(end.event().action())
        && !QueueLimits.isFor(end.event())
        && !history.announcements().isSetAside(end);
  }

  private static Line line(History history, Kept end) {
    return new Line(
        history.inputOf(end).orElseThrow().place(),
        ByteBuffer.wrap(end.record().key()),
        end.event().user(),
        end.event().action(),
        end.topic());
  }

  private static Stream<String> inOrder(History history, Kept first, Kept second) {
    if (first.partition() != second.partition()) {
      return Stream.of(first + " and " + second + " have one key and are in different partitions");
    }
    Kept firstInput = history.inputOf(first).orElseThrow();
    Kept secondInput = history.inputOf(second).orElseThrow();
    if (firstInput.offset() <= secondInput.offset()) return Stream.of();
    return Stream.of(
        "%s (came in at %s) is before %s (came in at %s)"
            .formatted(first, firstInput.at(), second, secondInput.at()));
  }
}
