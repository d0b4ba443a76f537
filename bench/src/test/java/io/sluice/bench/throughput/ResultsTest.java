package io.sluice.bench.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.bench.report.Spread;
import io.sluice.bench.run.ThreadCost;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

class ResultsTest {
  private final Variant plain = Variants.passThrough();
  private final Variant other =
      Variant.of("other", plain.input(), plain.application()).beside(plain.name());
  private final Results results = new Results(List.of(plain, other));

  @Test
  void aRoundIsComparedWithItself() {
    round(1_000, 2_000);
    round(10_000, 20_000); // a round with other load on the machine
    round(1_000, 4_000);

    assertThat(results.ofPassThrough("other")).isEqualTo(new Spread(0.25, 0.5, 0.5));
  }

  @Test
  void theTableLinesUp() {
    round(1_000, 123_456);

    List<String> table = lines().subList(0, 4);
    assertThat(table).extracting(String::length).containsOnly(table.get(0).length());
  }

  @Test
  void theCostOfAnEventIsBesideWhatPassThroughTakes() {
    round(1_000, 2_000);

    assertThat(lines())
        .contains(
            "| pass-through   |   3.00 |  3.00 | 3.00 |       1.60 |                0.00 |           200 |",
            "| other          |   3.00 |  3.00 | 3.00 |       4.00 |                2.40 |           200 |");
  }

  @Test
  void theCpuTimeOfAllProcessesIsAddedUp() {
    round(1_000, 2_000);

    assertThat(lines())
        .contains(
            "| pass-through       |             0.60 |         166,667 |          3.00 |   1.00 |   2.00 |       |  6.00 |  6.00 |  6.00 |              1.000 | 1.000 | 1.000 |",
            "| other              |             1.40 |          71,429 |          3.00 |   1.00 |   2.00 |  8.00 | 14.00 | 14.00 | 14.00 |              0.429 | 0.429 | 0.429 |");
  }

  @Test
  void whatIsWantedIsSaidBesideWhatIsReached() {
    round(1_000, 2_500);
    List<Wanted> wanted =
        List.of(
            new Wanted(Wanted.Figure.SHARE, "other", "other", 0.45, 0.5),
            new Wanted(Wanted.Figure.SHARE, "other", "other", 0.3, 0.4),
            new Wanted(Wanted.Figure.SHARE, "other", "other", 0.42, 0.44),
            new Wanted(Wanted.Figure.CORES, "other", "other", 1.4, 1.3),
            new Wanted(Wanted.Figure.GARBAGE, "other", "other", 2.4, 2.4),
            new Wanted(Wanted.Figure.REDIS, "other", "other", 7, 7),
            new Wanted(Wanted.Figure.TIMES, "pass-through", "other", 3, 3),
            new Wanted(Wanted.Figure.TIMES, "other", "not measured", 3, 3));

    assertThat(Wanted.table(wanted, results))
        .containsExactly(
            "| wanted and reached   |             figure |  wanted | more | reached |      |",
            "|----------------------|-------------------:|--------:|-----:|--------:|-----:|",
            "| other                | pass-through : all | >= 0.45 | 0.50 |    0.43 |   no |",
            "| other                | pass-through : all | >= 0.30 | 0.40 |    0.43 | more |",
            "| other                | pass-through : all | >= 0.42 | 0.44 |    0.43 |  yes |",
            "| other                |   cores for 100k/s | <= 1.40 | 1.30 |    1.40 |  yes |",
            "| other                |  garbage KB beyond |  <= 2.4 |      |     2.4 |  yes |",
            "| other                |   Redis' thread us |  <= 7.0 |      |     8.0 |   no |",
            "| pass-through : other |       times by CPU |  >= 3.0 |      |     2.3 |   no |");
  }

  @Test
  void theReportIsWrittenAsTablesAPictureAndJson(@TempDir Path folder) throws Exception {
    round(1_000, 2_000);
    round(1_000, 4_000);

    assertThat(report().write(folder)).isEqualTo(lines());

    assertThat(folder).isDirectoryContaining("glob:**/throughput.{svg,json}");
    JsonNode json = new ObjectMapper().readTree(folder.resolve("throughput.json").toFile());
    assertThat(json.fieldNames()).toIterable().containsExactly("facts", "variants");
    assertThat(json.at("/facts/cores").asText()).isEqualTo("2");
    JsonNode variant = json.at("/variants/1");
    assertThat(variant.fieldNames())
        .toIterable()
        .containsExactly("name", "basis", "medianPerSecond", "ofPassThrough", "samples");
    assertThat(variant.get("basis").asText()).isEqualTo("pass-through");
    assertThat(variant.get("ofPassThrough").asDouble()).isEqualTo(0.375);
    assertThat(variant.at("/samples/1").toString())
        .isEqualTo(
            "{\"events\":1000000,\"allowed\":1000000,\"millis\":4000,"
                + "\"cpuNanos\":3000000000,\"garbageBytes\":4000000000,"
                + "\"senderNanos\":1000000000,\"brokerNanos\":2000000000,"
                + "\"redisNanos\":8000000000,\"writtenBytes\":200000000}");
  }

  @Test
  void aBarIsAsLongAsTheShareOfPassThrough(@TempDir Path folder) throws Exception {
    round(1_000, 2_000);
    round(1_000, 4_000);
    report().write(folder);

    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(folder.resolve("throughput.svg").toFile());
    NodeList bars = svg.getElementsByTagName("rect"); // the first one is the background
    NodeList spreads = svg.getElementsByTagName("path");
    NodeList texts = svg.getElementsByTagName("text"); // the first one is the title
    assertThat(bars.getLength()).isEqualTo(3);
    assertThat(attribute(bars.item(1), "width")).isEqualTo("460.0");
    assertThat(attribute(bars.item(2), "width")).isEqualTo("172.5"); // 0.375 of 460
    assertThat(attribute(spreads.item(1), "d")).isEqualTo("M115.0 12 H230.0"); // 0.25 to 0.5
    assertThat(texts.item(3).getTextContent()).isEqualTo("other");
    assertThat(texts.item(4).getTextContent()).isEqualTo("0.375  375,000/s");
  }

  private static String attribute(Node element, String name) {
    return element.getAttributes().getNamedItem(name).getNodeValue();
  }

  private ThroughputReport report() {
    return new ThroughputReport(Map.of("cores", "2"), results, List.of());
  }

  private List<String> lines() {
    return report().lines();
  }

  private static Sample sample(long millis, long garbageBytes, long redisMicros) {
    long events = 1_000_000;
    ThreadCost cost = new ThreadCost(3_000 * events, garbageBytes * events, 1_000 * events);
    long redisNanos = redisMicros * 1_000 * events;
    return new Sample(events, events, millis, cost, 2_000 * events, redisNanos, 200 * events);
  }

  private void round(long plainMillis, long otherMillis) {
    results.add(plain, sample(plainMillis, 1_600, 0));
    results.add(other, sample(otherMillis, 4_000, 8));
  }
}
