package io.sluice.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

class ScaleTest {
  private final KeyPoint few = new KeyPoint("memory", 10_000, 90_000, 2.5, 2_300_000, 0, 1_200);
  private final KeyPoint many =
      new KeyPoint("rocksdb", 1_000_000, 60_000, 7.5, 900_000, 98_000_000, 4_600);
  private final DelayPoint delayed =
      new DelayPoint("memory", 100_000, 1_500, 1_900, 34_000_000, 2.125, 8.5);
  private final QueuePoint queue =
      new QueuePoint("memory", 100_000, 2_500, 1_400, 29_000_000, 0.115, 12_345.6);
  private final Scale.Results results =
      new Scale.Results(
          List.of(few, many), List.of(delayed), List.of(queue), List.of("Left out: much."));

  @Test
  void aStepIsTenTimesTheOneBeforeUpToTheMost() {
    ScalePlan plan = ScalePlan.of(false, 10_000_000, 5_000_000, 20_000, 1_000_000);

    assertThat(plan.keys()).containsExactly(10_000, 100_000, 1_000_000, 10_000_000);
    assertThat(plan.waiting()).containsExactly(10_000, 100_000, 1_000_000, 5_000_000);
    assertThat(plan.lines()).containsExactly(10_000, 20_000);
  }

  @Test
  void theTableSaysWhatAKeyTakesAndWhatWasLeftOut() {
    assertThat(new ScaleReport(Map.of(), results).lines())
        .containsExactly(
            "| keys      |   store | events/s | CPU us | heap bytes a key | disk bytes a key | first output after s |",
            "|-----------|--------:|---------:|-------:|-----------------:|-----------------:|---------------------:|",
            "| 10,000    |  memory |   90,000 |    2.5 |              230 |                  |                  1.2 |",
            "| 1,000,000 | rocksdb |   60,000 |    7.5 |                  |               98 |                  4.6 |",
            "",
            "| delayed events |  store | a wake ms | longest | heap bytes an event | published in s | restored in s |",
            "|----------------|-------:|----------:|--------:|--------------------:|---------------:|--------------:|",
            "| 100,000        | memory |      2.13 |    8.50 |                 340 |            1.5 |           1.9 |",
            "",
            "| lines   |  store | % of a core | releases/s | heap bytes a line | published in s | restored in s |",
            "|---------|-------:|------------:|-----------:|------------------:|---------------:|--------------:|",
            "| 100,000 | memory |        11.5 |     12,346 |               290 |            2.5 |           1.4 |",
            "",
            "Left out: much.");
  }

  @Test
  void eachStoreHasACurveOfItsOwnInEachPicture(@TempDir Path folder) throws Exception {
    new ScaleReport(Map.of(), results).write(folder);

    File file = folder.resolve("scale.svg").toFile();
    Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file);
    NodeList curves = svg.getElementsByTagName("polyline");
    assertThat(svg.getElementsByTagName("g").getLength()).isEqualTo(6);
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(2 * 2 + 2 + 2);
    assertThat(IntStream.range(0, curves.getLength()).mapToObj(curves::item).map(ScaleTest::points))
        // The highest is at the top, 7.5 us and 4.6 s; 2.5 us is a third of it.
        .containsExactly(
            "0.0,113.3",
            "300.0,0.0",
            "0.0,125.7",
            "300.0,0.0",
            "0.0,0.0",
            "0.0,0.0",
            "0.0,0.0",
            "0.0,0.0");
    assertThat(svg.getDocumentElement().getTextContent())
        .containsSubsequence("CPU us", "7.5", "10k", "1M", "memory", "rocksdb", "100k", "memory");
  }

  private static String points(Node curve) {
    return curve.getAttributes().getNamedItem("points").getNodeValue();
  }

  @Test
  void theJsonFileHasAllFigures(@TempDir Path folder) throws Exception {
    new ScaleReport(Map.of("cores", "2"), results).write(folder);

    JsonNode json = new ObjectMapper().readTree(folder.resolve("scale.json").toFile());
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly("facts", "keys", "delays", "lines", "leftOut");
    assertThat(json.at("/keys/0").toString())
        .isEqualTo(
            "{\"store\":\"memory\",\"keys\":10000,\"perSecond\":90000.0,\"cpuMicros\":2.5,"
                + "\"heapBytes\":2300000,\"diskBytes\":0,\"restoreMillis\":1200}");
    assertThat(json.at("/delays/0").toString())
        .isEqualTo(
            "{\"store\":\"memory\",\"waiting\":100000,\"publishMillis\":1500,"
                + "\"restoreMillis\":1900,\"heapBytes\":34000000,\"wakeMillis\":2.125,"
                + "\"longestWakeMillis\":8.5}");
    assertThat(json.at("/lines/0").toString())
        .isEqualTo(
            "{\"store\":\"memory\",\"waiting\":100000,\"publishMillis\":2500,"
                + "\"restoreMillis\":1400,\"heapBytes\":29000000,\"threadShare\":0.115,"
                + "\"releasesPerSecond\":12345.6}");
    assertThat(json.get("leftOut").toString()).isEqualTo("[\"Left out: much.\"]");
  }

  @Test
  void whatTheHeapHasNoRoomForIsLeftOut() {
    assertThat(Heap.shortage("ten keys", 10 * 100)).isEmpty();
    assertThat(Heap.shortage("so many keys", 3.0 * (1L << 50)))
        .contains(
            "Left out for lack of memory: so many keys. They need a heap of about 4194304.0 GiB.");
  }
}
