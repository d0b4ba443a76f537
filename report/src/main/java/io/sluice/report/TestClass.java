package io.sluice.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Result of one test class, from the XML report of Surefire or Failsafe.
 *
 * @param module folder of the module, relative to the root of the repository
 * @param name fully qualified name of the class
 * @param integration whether Failsafe ran the class, as integration tests
 * @param tests number of tests, including skipped tests
 * @param seconds duration of the class in wall-clock time, without the start of its JVM
 * @param flaky names of the tests that failed first and passed when repeated
 */
record TestClass(
    String module,
    String name,
    boolean integration,
    int tests,
    double seconds,
    List<String> flaky) {
  private static final double UNIT_SECONDS = 5;
  private static final double INTEGRATION_SECONDS = 20;
  private static final Pattern SLOW = Pattern.compile("@Tag\\(\"slow\"\\)[ \\t]*//[ \\t]*(\\S.*)");

  static TestClass read(Path root, Path report) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    String name = "";
    int tests = 0;
    double seconds = 0;
    List<String> flaky = new ArrayList<>();
    try (InputStream in = Files.newInputStream(report)) {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      String test = "";
      while (xml.hasNext()) {
        if (xml.next() != XMLStreamConstants.START_ELEMENT) continue;
        switch (xml.getLocalName()) {
          case "testsuite" -> {
            name = xml.getAttributeValue(null, "name");
            tests = Integer.parseInt(xml.getAttributeValue(null, "tests"));
            seconds = Double.parseDouble(xml.getAttributeValue(null, "time").replace(",", ""));
          }
          case "testcase" -> test = xml.getAttributeValue(null, "name");
          case "flakyFailure", "flakyError" -> flaky.add(test);
          default -> {}
        }
      }
    } catch (XMLStreamException e) {
      throw new IOException(report + " is not a test report: " + e.getMessage(), e);
    }
    boolean integration = report.getParent().endsWith("failsafe-reports");
    Path module = root.relativize(report.getParent().getParent().getParent());
    return new TestClass(module.toString(), name, integration, tests, seconds, List.copyOf(flaky));
  }

  double limitSeconds() {
    return integration ? INTEGRATION_SECONDS : UNIT_SECONDS;
  }

  String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /**
   * Returns the reason for a long duration: the comment after {@code @Tag("slow")} in the class's
   * source; empty if there is none.
   */
  String reasonToBeSlow(Path module) throws IOException {
    String outer = name.indexOf('$') < 0 ? name : name.substring(0, name.indexOf('$'));
    Path source = module.resolve("src/test/java/" + outer.replace('.', '/') + ".java");
    if (!Files.exists(source)) return "";
    Matcher tag = SLOW.matcher(Files.readString(source));
    return tag.find() ? tag.group(1).strip() : "";
  }
}
