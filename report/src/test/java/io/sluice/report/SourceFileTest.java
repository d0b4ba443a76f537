package io.sluice.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.report.SourceFile.Passage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFileTest {
  @TempDir Path root;

  @Test
  void commentsAndLiteralsAreToldFromCode() throws IOException {
    SourceFile file =
        read(
            "A.java",
            "/**\n"
                + " * Counts.\n"
                + " *\n"
                + " * <p>Twice.\n"
                + " */\n"
                + "class A {\n"
                + "  // one\n"
                + "  // two\n"
                + "\n"
                + "  // three\n"
                + "  String url = \"http://a\"; // four\n"
                + "  char quote = '\"';\n"
                + "  String text = \"\"\"\n"
                + "      no // comment \\\"\"\" nor here\n"
                + "      \"\"\";\n"
                + "}\n");

    assertThat(file.comments())
        .extracting(each -> each.line() + " " + each.text().replaceAll("\\s+", " "))
        .containsExactly("1 Counts. <p>Twice.", "7 one two", "10 three", "11 four");
    assertThat(file.literals()).extracting(Passage::line).containsExactly(11, 12, 13);
    assertThat(file.identifiers())
        .containsExactlyInAnyOrder("class", "A", "String", "url", "char", "quote", "text");
    assertThat(file.lines()).isEqualTo(16);
    assertThat(file.codeLines()).isEqualTo(7);
    assertThat(file.type()).isEqualTo("A");
  }

  @Test
  void luaHasCommentsOfItsOwn() throws IOException {
    SourceFile file = read("a.lua", "-- one\n-- two\nlocal a = '--' .. 1 // 2\n--[[ three ]]\n");

    assertThat(file.comments()).extracting(Passage::text).containsExactly("one two", "three");
    assertThat(file.codeLines()).isEqualTo(1);
    assertThat(file.isType()).isFalse();
  }

  private SourceFile read(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text);
    return SourceFile.read(root, Path.of(name));
  }
}
