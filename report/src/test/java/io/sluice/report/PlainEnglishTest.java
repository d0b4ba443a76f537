package io.sluice.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainEnglishTest {
  @TempDir Path root;

  @Test
  void aCommentOpensWithNoPronoun() throws IOException {
    write(
        "m/src/main/java/A.java",
        "/** What is counted. */\nclass A {\n  // Those of a user\n  /** Whole. */\n  int what; // Whatever\n}\n");

    assertThat(PlainEnglish.mistakes(root))
        .containsExactly(
            "m/src/main/java/A.java:1: \"What\": name the component or the thing instead",
            "m/src/main/java/A.java:3: \"Those\": name the component or the thing instead",
            "m/src/main/java/A.java:5: \"Whatever\": name the component or the thing instead");
  }

  @Test
  void messagesAndPagesHaveNoIndefinitePerson() throws IOException {
    write("m/src/main/java/A.java", "class A {\n  String said = \"somebody has the port\";\n}\n");
    write("m/src/test/java/ATest.java", "class ATest {\n  String user = \"nobody\";\n}\n");
    write("page.md", "# Page\n\n```sh\nask nobody\n```\n\nAsk `nobody`.\nNobody answers.\n");
    write("m/target/page.md", "nobody\n");

    assertThat(PlainEnglish.mistakes(root))
        .containsExactly(
            "m/src/main/java/A.java:2: \"somebody\": name the component or the thing instead",
            "page.md:8: \"Nobody\": name the component or the thing instead");
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
