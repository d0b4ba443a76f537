package io.sluice.cli.ask;

import io.sluice.cli.common.Progress;
import io.sluice.limiter.PlainText;
import io.sluice.live.kafka.ControlWriter;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.server.ask.WaitingReport;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.queue.CancelOrder;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that cancels events that wait in line: one by its id, or all of a user or other key. */
@Command(
    name = "cancel",
    description =
        "Cancels waiting events: one by its id, or all of a user or other key. They are rejected,"
            + " with the reason cancelled.",
    mixinStandardHelpOptions = true)
public final class CancelCommand implements Callable<Integer> {
  private static final int DONE = 0;

  /** The events have not surely left. */
  private static final int UNSURE = 1;

  private static final int MISTAKEN = 2;

  private static final String UNKNOWN =
      "no instance has answered, so that it is unknown how many waiting events match";

  private static final String UNASKED =
      "the file has no %s, so that it is unknown how many waiting events match; --http names an"
              .formatted(Keys.HTTP_PORT)
          + " instance to ask, such as http://localhost:9464";

  private static final String STILL_UNKNOWN = "it is unknown whether events that match still wait";

  /** Longest time to wait until the events have left. */
  private static final long MOST_WAIT_MS = 20_000;

  private static final long EVERY_MS = 300;

  @Mixin private final AskedInstance asked;

  @Option(
      names = "--for",
      paramLabel = "FIELD=VALUE",
      description =
          "The user or other key of the events, such as userId=ada. Repeat it for events that have"
              + " several values.")
  private List<String> values = List.of();

  @Option(
      names = "--event",
      paramLabel = "ID",
      description = "Only the event with this id. By default all waiting events of the key.")
  private String event = "";

  @Option(
      names = "--limit",
      paramLabel = "NAME",
      description = "Only events that wait for this limit.")
  private String limit = "";

  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "The author, for the record of the order. By default your user name.")
  private String by = System.getProperty("user.name", "");

  @Option(names = "--dry-run", description = "Count the events; publish nothing.")
  private boolean dryRun;

  @Spec private CommandSpec spec;

  private final InstantSource clock = InstantSource.system();

  public CancelCommand() {
    this(System.getenv());
  }

  /**
   * @param environment environment variables, which override the properties file
   */
  public CancelCommand(Map<String, String> environment) {
    asked = new AskedInstance(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    System.getProperties().putIfAbsent("sluice.log.root", "off");
    System.getProperties().putIfAbsent("sluice.log.level", "error");
    SluiceConfig config =
        asked.config().orElseThrow(() -> asked.misused("Missing required option: '--config=FILE'"));
    CancelOrder order = order();
    Waits waits = new Waits(config);
    Optional<WaitingReport> before;
    try {
      before = waits.ask();
    } catch (Instance.UnansweredException e) {
      if (e.isMistake() || e.isRefusal()) {
        err().println(e.getMessage());
        err().println("nothing is cancelled");
        return e.isMistake() ? MISTAKEN : UNSURE;
      }
      err().println("warning: " + e.getMessage());
      before = Optional.empty();
    }
    if (before.isPresent() && isNothing(before.get())) {
      err().println("no waiting event matches: nothing is cancelled");
      return MISTAKEN;
    }
    out().println(before.map(CancelCommand::found).orElse(waits.areAsked() ? UNKNOWN : UNASKED));
    if (dryRun) {
      out().println("dry run: nothing is published");
      return DONE;
    }
    publish(config, order);
    boolean haveLeft = before.isPresent() && waits.untilTheyHaveLeft(before.get());
    if (before.isEmpty())
      out().println("instances cancel the events that match when they read the order");
    out().flush();
    return haveLeft ? DONE : UNSURE;
  }

  private CancelOrder order() {
    if (values.isEmpty()) throw asked.misused("Missing required option: '--for=FIELD=VALUE'");
    WaitingQuery query;
    try {
      query = query();
    } catch (IllegalArgumentException e) {
      throw asked.misused(e.getMessage());
    }
    String id = UUID.randomUUID().toString();
    Map<Field, String> fields = CancelOrder.values(query.scope());
    CancelOrder order = new CancelOrder(id, fields, event, limit, clock.millis(), by);
    if (order.toBytes().length > CancelOrder.MOST_BYTES)
      throw asked.misused("the order must have at most " + CancelOrder.MOST_BYTES + " bytes");
    return order;
  }

  private WaitingQuery query() {
    return WaitingQuery.of(values, event, limit, 1);
  }

  private static boolean isNothing(WaitingReport report) {
    return report.count() == 0 && report.hasAll();
  }

  private static String found(WaitingReport report) {
    String number =
        report.count() == 1 ? "1 waiting event matches" : report.count() + " waiting events match";
    return report.hasAll() ? number : number + "; more may match: " + missing(report);
  }

  private static String missing(WaitingReport report) {
    return String.join("; ", WaitingCommand.notes(report));
  }

  private void publish(SluiceConfig config, CancelOrder order) {
    String topic = config.topics().delayed();
    int partitions =
        new ControlWriter(topic, config.applicationId(), config.streams())
            .write(CancelOrder.HEADER, order.toBytes());
    out()
        .println(
            PlainText.message(
                "published order %s to %d partitions of %s"
                    .formatted(order.id(), partitions, topic)));
    out().flush();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Waiting events of the order, as the instances have them. */
  private final class Waits {
    private final Optional<Instance> instance;

    /** Compares each event if the hashes of keys find none. */
    private boolean exact;

    Waits(SluiceConfig config) {
      instance = asked.instanceIfKnown(config);
    }

    /** Returns whether an instance is known that can be asked. */
    boolean areAsked() {
      return instance.isPresent();
    }

    /** Returns the events that match; empty if no instance is known that could tell. */
    Optional<WaitingReport> ask() {
      if (instance.isEmpty()) return Optional.empty();
      WaitingReport quick = report(instance.get());
      if (quick.count() > 0) return Optional.of(quick);
      exact = true;
      return Optional.of(report(instance.get()));
    }

    private WaitingReport report(Instance from) {
      Map<String, String> parameters = new LinkedHashMap<>(query().parameters());
      parameters.put("exact", "" + exact);
      return WaitingCommand.read(from.waiting(parameters));
    }

    /**
     * Waits until the events that were found have left, and says so; returns whether all events
     * that match have left.
     */
    boolean untilTheyHaveLeft(WaitingReport before) throws InterruptedException {
      // Instances do not look beyond their first events, so waiting would not tell more.
      Optional<WaitingReport> now = before.more() ? Optional.of(before) : left(before);
      out().println(end(now, before));
      return now.map(each -> haveLeft(each, before)).orElse(false);
    }

    private Optional<WaitingReport> left(WaitingReport before) throws InterruptedException {
      Progress progress = new Progress(err());
      long endMs = clock.millis() + MOST_WAIT_MS;
      Optional<WaitingReport> now;
      do {
        TimeUnit.MILLISECONDS.sleep(EVERY_MS);
        now = next();
        long left = now.orElse(before).count();
        progress.show(0, perSecond -> "%,d events still wait".formatted(left));
      } while (!now.map(each -> haveLeft(each, before)).orElse(false) && clock.millis() < endMs);
      progress.end();
      return now;
    }

    private Optional<WaitingReport> next() {
      try {
        return instance.map(this::report);
      } catch (Instance.UnansweredException e) {
        return Optional.empty();
      }
    }
  }

  /** Returns the last line: whether the events that match have left. */
  static String end(Optional<WaitingReport> now, WaitingReport before) {
    if (now.isEmpty()) return "the instance does not answer, so that " + STILL_UNKNOWN;
    if (haveLeft(now.get(), before)) return "they do not wait any more";
    if (before.more() || (now.get().count() == 0 && !now.get().hasAll()))
      return STILL_UNKNOWN + ": " + missing(now.get());
    return now.get().count() + " events that match still wait: instances go on in the background";
  }

  /** Events that have arrived since then are none of the order's. */
  private static boolean haveLeft(WaitingReport now, WaitingReport before) {
    if (!now.hasAll()) return false;
    if (now.count() == 0) return true;
    return !now.events().isEmpty() && now.events().get(0).arrivedMs() > before.asOfMs();
  }
}
