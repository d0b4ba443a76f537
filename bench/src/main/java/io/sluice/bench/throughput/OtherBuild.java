package io.sluice.bench.throughput;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.bench.report.MarkdownTable;
import io.sluice.bench.report.Spread;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Comparison of this build with another build of Sluice, a checkout with its own benchmark. The
 * benchmarks of both run in turns, a round in a process, so that the speed of the machine affects
 * both alike.
 */
public final class OtherBuild {
  private static final List<String> NANOS =
      List.of("cpuNanos", "senderNanos", "brokerNanos", "redisNanos");

  private final Path checkout;
  private final int rounds;
  private final List<String> options;
  private final Path out;
  private final PrintWriter progress;
  private final Map<String, List<Pair>> pairs = new LinkedHashMap<>();

  /** Samples of a variant by both builds in one round, as in the JSON file. */
  private record Pair(JsonNode other, JsonNode own) {
    double ratio(ToDoubleFunction<JsonNode> figure) {
      return figure.applyAsDouble(own) / figure.applyAsDouble(other);
    }
  }

  /**
   * @param checkout folder of the other build, in which {@code ./sluice bench} runs its benchmark
   * @param options options of the benchmarks
   * @param out folder for the results of each round
   */
  public OtherBuild(
      Path checkout, int rounds, List<String> options, Path out, PrintWriter progress) {
    this.checkout = checkout;
    this.rounds = rounds;
    this.options = options;
    this.out = out;
    this.progress = progress;
  }

  /** Runs all rounds, and returns the lines of the table. */
  public List<String> run() throws IOException, InterruptedException {
    for (int round = 1; round <= rounds; round++) {
      boolean ownFirst = round % 2 == 0;
      Map<String, JsonNode> first = round(round, ownFirst);
      Map<String, JsonNode> second = round(round, !ownFirst);
      add(ownFirst ? first : second, ownFirst ? second : first);
    }
    return lines();
  }

  /** Adds the samples of a round, by variant; variants of only one build are left out. */
  void add(Map<String, JsonNode> own, Map<String, JsonNode> other) {
    own.forEach(
        (name, sample) -> {
          if (!other.containsKey(name)) return;
          List<Pair> theirs = pairs.computeIfAbsent(name, each -> new ArrayList<>());
          theirs.add(new Pair(other.get(name), sample));
        });
  }

  List<String> lines() {
    return new MarkdownTable<>(List.copyOf(pairs.keySet()))
        .text("CPU us of an event, all processes", name -> name)
        .figure("other build", "%.2f", name -> median(name, pair -> micros(pair.other)))
        .figure("this build", "%.2f", name -> median(name, pair -> micros(pair.own)))
        .spread(
            "this : other", "%.3f", name -> spread(name, pair -> pair.ratio(OtherBuild::micros)))
        .figure("stream thread", "%.3f", name -> ratio(name, "cpuNanos"))
        .figure("broker", "%.3f", name -> ratio(name, "brokerNanos"))
        .figure("time", "%.3f", name -> ratio(name, "millis"))
        .lines();
  }

  private double ratio(String name, String field) {
    return median(name, pair -> pair.ratio(sample -> perEvent(sample, field)));
  }

  private double median(String name, ToDoubleFunction<Pair> figure) {
    return spread(name, figure).median();
  }

  private Spread spread(String name, ToDoubleFunction<Pair> figure) {
    return Spread.of(pairs.get(name).stream().map(figure::applyAsDouble).toList());
  }

  private static double micros(JsonNode sample) {
    return NANOS.stream().mapToDouble(each -> perEvent(sample, each)).sum() / 1_000;
  }

  private static double perEvent(JsonNode sample, String field) {
    return sample.get(field).asDouble() / sample.get("events").asDouble();
  }

  /** Runs one round of a build's benchmark, and returns the sample of each variant. */
  private Map<String, JsonNode> round(int round, boolean own)
      throws IOException, InterruptedException {
    progress.printf("round %d/%d of %s%n", round, rounds, own ? "this build" : checkout);
    progress.flush();
    String folder = "against-%d-%s".formatted(round, own ? "this" : "other");
    Path results = Files.createDirectories(out.resolve(folder).toAbsolutePath());
    List<String> command = own ? ownCommand() : new ArrayList<>(List.of("./sluice", "bench"));
    command.addAll(options);
    command.addAll(List.of("--rounds", "1", "--out", results.toString()));
    Process process =
        new ProcessBuilder(command)
            .directory(own ? null : checkout.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(results.resolve("table.txt").toFile())
            .start();
    if (process.waitFor() != 0) throw new IOException(String.join(" ", command) + " has failed");
    Map<String, JsonNode> samples = new LinkedHashMap<>();
    JsonNode json = new ObjectMapper().readTree(results.resolve("throughput.json").toFile());
    for (JsonNode each : json.get("variants")) {
      JsonNode sample = each.at("/samples/0");
      if (!NANOS.stream().allMatch(sample::has)) {
        throw new IOException(checkout + " is too old: it measures only the stream thread");
      }
      samples.put(each.get("name").asText(), sample);
    }
    return samples;
  }

  private static List<String> ownCommand() {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), "io.sluice.bench.BenchMain"));
    return command;
  }
}
