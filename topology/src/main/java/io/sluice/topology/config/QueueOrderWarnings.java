package io.sluice.topology.config;

import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.rules.settings.LimitSettings;
import java.util.Optional;
import java.util.stream.Stream;

/** Warnings about the order in which events in line leave. */
final class QueueOrderWarnings {
  private static final String SETTINGS = "sluice.queue.";

  private final SluiceConfig config;
  private final QueueOrder order;

  QueueOrderWarnings(SluiceConfig config) {
    this.config = config;
    order = config.queueOrder();
  }

  /** Returns the warnings, one line each. */
  Stream<String> lines() {
    Stream<Optional<String>> ofFields =
        Stream.of(
            withoutSelector(Keys.QUEUE_PRIORITY, order.priority(), "all are in one class"),
            withoutSelector(Keys.QUEUE_FAIR, order.fair(), "all are of one tenant"));
    Stream<Optional<String>> ofLimits = config.limits().all().stream().map(this::sharesInParts);
    return Stream.of(ofFields, Stream.of(withoutQueue()), ofLimits)
        .flatMap(each -> each)
        .flatMap(Optional::stream);
  }

  private Optional<String> withoutSelector(String key, Optional<Field> field, String consequence) {
    return field
        .filter(each -> !ConfigWarnings.isSelected(config, each))
        .map(
            each ->
                key
                    + "="
                    + each
                    + ": no event has "
                    + each
                    + ", since no selector gives it, so "
                    + consequence);
  }

  /** Warns of an order although no event waits in line. */
  private Optional<String> withoutQueue() {
    if (order.fields().isEmpty() || config.limits().queues()) return Optional.empty();
    String keys =
        String.join(
            ", ",
            config.given().stream().filter(key -> key.startsWith(SETTINGS)).sorted().toList());
    return Optional.of(
        keys
            + ": no limit has exceeded=queue, so no event waits in line"
            + (config.topics().hasLimits() ? " unless a revision sets it" : ""));
  }

  /**
   * Warns of a limit with a queue whose events are on several partitions, since tenants share each
   * partition by itself.
   */
  private Optional<String> sharesInParts(Limit limit) {
    Field home = config.limits().home();
    if (!order.isFair() || !limit.queues() || limit.key().fields().contains(home))
      return Optional.empty();
    return Optional.of(
        LimitSettings.KEY.keyFor(limit.name())
            + "="
            + limit.key()
            + ": events are on partitions by their "
            + home
            + ", which is not in this key, so the events of one key may be on several partitions, and "
            + Keys.QUEUE_FAIR
            + " holds on each partition, but not over all of them");
  }
}
