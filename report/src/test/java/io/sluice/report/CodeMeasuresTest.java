package io.sluice.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeMeasuresTest {
  @TempDir Path root;

  @Test
  void onlyMainCodeOfPublishedModulesIsMeasured() throws IOException {
    write("pom.xml", "<modules><module>a</module><module>b</module></modules>");
    write("a/pom.xml", "<project/>");
    write("b/pom.xml", "<properties><maven.deploy.skip>true</maven.deploy.skip></properties>");
    write(
        "a/src/main/java/p/A.java",
        "package p;\n\n/** What nobody sees. */\nclass A {\n  void f(int a, int b, int c, int d, int e) {}\n"
            + "  void g(B b) {}\n}\n");
    write("a/src/main/java/p/B.java", "package p;\n\nclass B {\n  A a;\n  p.q.C c;\n}\n");
    write("a/src/main/java/p/q/C.java", "package p.q;\n\nclass C {}\n");
    write("a/src/main/java/p/q/B.java", "package p.q;\n\nclass B {\n  A a;\n}\n");
    write("a/src/test/java/p/T.java", "class T {\n}\n");
    write("b/src/main/java/p/D.java", "class D {\n}\n");

    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CodeMeasures measures =
        new CodeMeasures(root, new PrintStream(out, true, StandardCharsets.UTF_8));
    measures.print();

    assertThat(out.toString(StandardCharsets.UTF_8).replaceAll(" +", " "))
        .contains("lines of a 21")
        .doesNotContain("lines of b")
        .contains("code lines 16")
        .contains("comments that open with What, Who, Those or That of 1 0")
        .contains("indefinite persons per 10,000 words of comments 3333.3")
        .contains("names of types that occur twice 1")
        .contains("methods with 5 or more parameters, % 50.0")
        .contains("types that one file uses, % 25.0");
    assertThat(measures.usedOnce()).containsExactly("a/src/main/java/p/q/C.java");
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
