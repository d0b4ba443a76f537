package io.sluice.cli.simulate;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.simulation.SimulatedVerdict;
import io.sluice.topology.simulation.Simulation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Generates the manual's {@code docs/waiting.svg}: the same messages under a vendor's limit and a
 * limit per phone number, with each value of {@code exceeded}. The real topology decides.
 */
final class WaitingPicture {
  static final String FILE = "waiting.svg";

  private static final List<String> WAYS = List.of("reject", "delay", "retry", "queue");

  /** Messages in the order of their arrival. */
  private static final List<Message> MESSAGES =
      List.of(
          new Message("A", 500),
          new Message("A", 1_000),
          new Message("A", 1_500),
          new Message("A", 2_000),
          new Message("B", 3_000),
          new Message("C", 3_200),
          new Message("B", 4_000),
          new Message("C", 15_000));

  private WaitingPicture() {}

  private record Message(String phone, long arrivesMs) {}

  /** Arrival of a message, and the instant at which it left, allowed or rejected. */
  private record Fate(Message message, long leftMs, boolean rejected) {}

  /** Main method. Argument: the folder to write to. */
  public static void main(String[] args) throws IOException {
    Path scratch = Files.createTempDirectory("waiting-picture");
    Files.writeString(Path.of(args[0], FILE), svg(scratch));
  }

  /**
   * Returns the picture as SVG.
   *
   * @param scratch an empty folder
   */
  static String svg(Path scratch) {
    Drawing drawing = new Drawing();
    for (String way : WAYS) drawing.add(way, simulated(way, scratch.resolve(way)));
    return drawing.svg();
  }

  private static List<Fate> simulated(String way, Path folder) {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("application.id", "picture");
    texts.put("bootstrap.servers", "localhost:9092");
    texts.put("sluice.limits", "vendor,phone");
    texts.put("sluice.limit.vendor.key", "action");
    texts.put("sluice.limit.vendor.quota", "1/1s");
    texts.put("sluice.limit.vendor.exceeded", way);
    texts.put("sluice.limit.phone.key", "action,userId");
    texts.put("sluice.limit.phone.quota", "1/10s");
    texts.put("sluice.limit.phone.exceeded", way);
    Fates fates = new Fates();
    try (Simulation simulation =
        Simulation.start(SluiceConfig.of(texts), SimulationRedis.none(), folder)) {
      fates.simulation = simulation;
      for (Message message : MESSAGES) simulation.feed(event(message), fates);
      while (simulation.delayed() > 0) simulation.runOn(fates);
    }
    return List.copyOf(fates.byOffset.values());
  }

  private static byte[] event(Message message) {
    String json =
        "{\"userId\":\"%s\",\"action\":\"sms\",\"occurredAt\":%d}"
            .formatted(message.phone, message.arrivesMs);
    return json.getBytes(StandardCharsets.UTF_8);
  }

  /** Collects the outcomes of a simulation's events. */
  private static final class Fates implements Simulation.Output {
    private final Map<Long, Fate> byOffset = new LinkedHashMap<>();
    private Simulation simulation;

    @Override
    public void verdict(SimulatedVerdict verdict) {
      Message message = MESSAGES.get(Math.toIntExact(verdict.number()));
      long nowMs = simulation.now().toEpochMilli();
      byOffset.put(verdict.number(), new Fate(message, nowMs, verdict.isRejected()));
    }

    @Override
    public void notAnEvent(String why) {
      throw new IllegalStateException(why);
    }
  }

  /** SVG drawing with one strip for each value of {@code exceeded}, and one row for each phone. */
  private static final class Drawing {
    private static final int LEFT = 60;
    private static final int PER_SECOND = 14;
    private static final int SECONDS = 55;
    private static final int TOP = 50;
    private static final int STRIP = 120;
    private static final int ROW = 24;
    private static final int PHONES = 3;
    private static final String WAIT =
        "<line x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\" stroke=\"#d68910\" stroke-width=\"3\""
            + " stroke-opacity=\"0.45\"/>";

    private final StringBuilder svg = new StringBuilder(1 << 14);
    private int strips;

    Drawing() {
      int width = LEFT + SECONDS * PER_SECOND + 20;
      int height = TOP + WAYS.size() * STRIP;
      line(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
              + " height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">",
          width, height, width, height);
      line("<title>Messages over two limits: rejected, delayed, retried, in line</title>");
      line("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
      text(
          10,
          18,
          "#333333",
          "Messages to the phones A, B and C. The vendor takes 1 per second in total, and 1 per"
              + " 10 s to one phone.");
      text(
          10,
          34,
          "#333333",
          "Grey: a message arrives. It is <tspan fill=\"#c0392b\">rejected</tspan>, or"
              + " <tspan fill=\"#d68910\">waits</tspan> and is"
              + " <tspan fill=\"#1e8449\">allowed</tspan>.");
    }

    void add(String way, List<Fate> fates) {
      int top = TOP + strips++ * STRIP;
      long rejected = fates.stream().filter(Fate::rejected).count();
      long lastMs =
          fates.stream().filter(fate -> !fate.rejected()).mapToLong(Fate::leftMs).max().orElse(0);
      String counts =
          String.format(Locale.ROOT, "%d allowed, %d rejected", fates.size() - rejected, rejected);
      String last = String.format(Locale.ROOT, ", the last at %.1f s", lastMs / 1_000.0);
      text(10, top + 16, "#111111", "exceeded=" + way + ": " + counts + last);
      for (int phone = 0; phone < PHONES; phone++) {
        int y = y(top, phone);
        text(LEFT - 20, y + 4, "#333333", name(phone));
        line(
            "<line x1=\"%d\" y1=\"%d\" x2=\"%s\" y2=\"%d\" stroke=\"#cccccc\"/>",
            LEFT, y, x(SECONDS * 1_000L), y);
      }
      for (Fate fate : fates) add(fate, y(top, fate.message.phone.charAt(0) - 'A'));
      for (int second = 0; second <= SECONDS; second += 10) {
        text(LEFT + second * PER_SECOND - 6, top + 108, "#777777", second + " s");
      }
    }

    private void add(Fate fate, int y) {
      String arrives = x(fate.message.arrivesMs);
      String left = x(fate.leftMs);
      if (fate.leftMs > fate.message.arrivesMs) line(WAIT, arrives, y, left, y);
      line("<circle cx=\"%s\" cy=\"%d\" r=\"2.5\" fill=\"#888888\"/>", arrives, y);
      String colour = fate.rejected ? "#c0392b" : "#1e8449";
      int end = fate.rejected ? y + 10 : y - 10;
      line(
          "<line x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>",
          left, y, left, end, colour);
    }

    private static String name(int phone) {
      return String.valueOf((char) ('A' + phone));
    }

    private static int y(int top, int phone) {
      return top + 36 + phone * ROW;
    }

    private static String x(long ms) {
      return String.format(Locale.ROOT, "%.1f", LEFT + ms * PER_SECOND / 1_000.0);
    }

    private void text(int x, int y, String colour, String text) {
      line("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>", x, y, colour, text);
    }

    private void line(String format, Object... values) {
      svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    String svg() {
      return svg + "</svg>\n";
    }
  }
}
