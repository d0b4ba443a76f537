package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The BOM that users import has the versions with which the modules are built and tested. */
class BomTest {
  private static final Path ROOT = Path.of("..");

  /** Modules without users: programs and test tools. */
  private static final Set<String> NOT_FOR_USERS =
      Set.of("bom", "dist", "guarantees", "bench", "testing", "report");

  private final Document bom = pom(ROOT.resolve("bom"));
  private final Document build = pom(ROOT);

  @Test
  void itsVersionsAreThoseOfTheBuild() {
    Map<String, String> versions = properties(bom);
    assertThat(versions).isNotEmpty();
    assertThat(properties(build)).containsAllEntriesOf(versions);
    assertThat(text(bom, "version")).isEqualTo(text(build, "version"));
  }

  @Test
  void itHasEveryModuleThatOthersMayDependOn() {
    Set<String> modules = new TreeSet<>();
    for (String module : texts(build, "module").toList()) {
      if (NOT_FOR_USERS.contains(module) || module.startsWith("examples/")) continue;
      modules.add(text(pom(ROOT.resolve(module)), "artifactId"));
    }
    assertThat(texts(bom, "artifactId").skip(1).filter(each -> each.startsWith("sluice-")))
        .containsExactlyInAnyOrderElementsOf(modules);
  }

  @Test
  void thePoolIsOlderThanTheOneThatWaitsForBrokenConnections() {
    assertThat(properties(bom).get("commons-pool.version")).startsWith("2.12.");
  }

  /** {@code .ci/outside} builds that program. */
  @Test
  void thePageSaysWhatAProgramOutsideOfTheBuildDoes() throws IOException {
    String block =
        ManualPage.all(ROOT).stream()
            .flatMap(page -> page.blocks().stream())
            .filter(each -> each.page().equals("README.md") && each.language().equals("xml"))
            .map(each -> withoutSpaces(String.join("", each.lines())))
            .findFirst()
            .orElseThrow();
    String program = Files.readString(ROOT.resolve("examples/plain/pom.xml"));
    assertThat(withoutSpaces(program)).contains(block.replaceFirst("</dependencies>$", ""));
  }

  private static String withoutSpaces(String text) {
    return text.replaceAll("\\s", "");
  }

  private static Document pom(Path folder) {
    try (var in = Files.newInputStream(folder.resolve("pom.xml"))) {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    } catch (Exception e) {
      throw new IllegalStateException(folder.toString(), e);
    }
  }

  private static Map<String, String> properties(Document pom) {
    return nodes(pom.getElementsByTagName("properties").item(0).getChildNodes())
        .filter(node -> node.getNodeName().endsWith(".version"))
        .collect(
            Collectors.toMap(Node::getNodeName, Node::getTextContent, (a, b) -> b, TreeMap::new));
  }

  /** Returns the text of a direct child of the root element, such as the module's own version. */
  private static String text(Document pom, String name) {
    return nodes(pom.getDocumentElement().getChildNodes())
        .filter(node -> node.getNodeName().equals(name))
        .findFirst()
        .orElseThrow()
        .getTextContent();
  }

  private static Stream<String> texts(Document pom, String name) {
    return nodes(pom.getElementsByTagName(name)).map(Node::getTextContent);
  }

  private static Stream<Node> nodes(NodeList list) {
    return IntStream.range(0, list.getLength()).mapToObj(list::item);
  }
}
