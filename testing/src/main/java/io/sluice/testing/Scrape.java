package io.sluice.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Scrape of an instance, parsed as Prometheus does. */
public final class Scrape {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern SAMPLE = Pattern.compile("([a-z0-9_]+)(\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("([a-z0-9_]+)=\"([^\"]*)\"");

  private final Map<String, String> types = new TreeMap<>();
  private final Map<String, Double> samples = new TreeMap<>();
  private final Map<String, Set<String>> labels = new TreeMap<>();
  private final int lines;

  private Scrape(String text) {
    lines = (int) text.lines().count();
    text.lines().forEach(this::read);
  }

  public static HttpResponse<String> get(URI base, String path)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  public static Scrape of(URI base) throws IOException, InterruptedException {
    return new Scrape(get(base, "/metrics").body());
  }

  public static Scrape of(byte[] text) {
    return new Scrape(new String(text, UTF_8));
  }

  private void read(String line) {
    Matcher type = TYPE.matcher(line);
    if (type.matches()) types.put(type.group(1), type.group(2));
    Matcher sample = SAMPLE.matcher(line);
    if (line.startsWith("#") || !sample.matches()) return;
    Set<String> names = labels.computeIfAbsent(metric(sample.group(1)), n -> new TreeSet<>());
    Set<String> sorted = new TreeSet<>();
    Matcher label = LABEL.matcher(sample.group(3) == null ? "" : sample.group(3));
    while (label.find()) {
      if (!label.group(1).equals("le")) names.add(label.group(1));
      sorted.add(label.group());
    }
    String key = sample.group(1) + sorted.stream().collect(Collectors.joining(",", "{", "}"));
    samples.put(key, Double.parseDouble(sample.group(4)));
  }

  /** Returns the metric of a sample; for a sample of a histogram, the histogram. */
  private String metric(String sample) {
    String whole = sample.replaceAll("_(bucket|count|sum)$", "");
    return "histogram".equals(types.get(whole)) ? whole : sample;
  }

  /** Returns the sample of this name with exactly these labels, written name="value". */
  public double value(String name, String... withLabels) {
    String key = name + new TreeSet<>(Set.of(withLabels)).toString().replace(", ", ",");
    key = key.replace("[", "{").replace("]", "}");
    if (!samples.containsKey(key)) throw new AssertionError("no " + key + " in " + samples);
    return samples.get(key);
  }

  public double verdicts(String limit, String verdict) {
    return value("sluice_events_total", "limit=\"" + limit + "\"", "verdict=\"" + verdict + "\"");
  }

  /** Returns each metric's type and the names of its labels. */
  public Map<String, String> described() {
    Map<String, String> described = new TreeMap<>();
    types.forEach(
        (name, type) -> described.put(name, type + " " + labels.getOrDefault(name, Set.of())));
    return described;
  }

  public int lines() {
    return lines;
  }
}
