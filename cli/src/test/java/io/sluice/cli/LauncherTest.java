package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds and archives of the launcher {@code ./sluice}, in a checkout where scripts replace Maven
 * and Java.
 */
class LauncherTest {
  private static final String MAVEN =
      """
      #!/bin/bash
      echo "$*" >>builds
      echo '[INFO] Building sluice-limiter 1 [2/5]'
      if [ -e broken ]; then echo '[ERROR] it does not compile'; exit 1; fi
      mkdir -p cli/target/launcher/out/lib
      wc -l <builds >cli/target/launcher/sluice-cli-1.jar
      """;

  private static final String JAVA =
      """
      #!/bin/bash
      echo "$*" >>starts
      case $* in *ArchiveClassesAtExit=*) touch "$(sed 's/.*AtExit=\\([^ ]*\\).*/\\1/' <<<"$*")" ;; esac
      echo "build $(cat cli/target/run/sluice-cli.jar)${SLUICE_BUILD:-}"
      """;

  @TempDir private Path root;
  private Path source;

  private record Said(int code, String out, String err) {}

  @BeforeEach
  void write() throws IOException {
    copy("sluice");
    copy("dist/src/main/bin/sluice");
    executable("bin/mvn", MAVEN);
    executable("bin/java", JAVA);
    Files.writeString(root.resolve("pom.xml"), "<version>1</version>");
    for (String module :
        List.of(
            "schemas",
            "limiter",
            "embedded",
            "rules",
            "events",
            "live",
            "topology",
            "runtime",
            "server",
            "cli")) {
      Files.createDirectories(root.resolve(module + "/src/main"));
      Files.writeString(root.resolve(module + "/pom.xml"), "");
    }
    source = Files.writeString(root.resolve("limiter/src/main/Code.java"), "");
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.toList()) touch(each, System.currentTimeMillis() - 60_000);
    }
  }

  private void copy(String file) throws IOException {
    executable(file, Files.readString(Path.of("..").resolve(file)));
  }

  private void executable(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static void touch(Path file, long atMs) throws IOException {
    Files.setLastModifiedTime(file, FileTime.fromMillis(atMs));
  }

  private static void change(Path file) throws IOException {
    touch(file, System.currentTimeMillis() + 60_000);
  }

  private Said sluice(String... assignments) throws Exception {
    return sluice(List.of("--version"), assignments);
  }

  private Said sluice(List<String> arguments, String... assignments) throws Exception {
    Path out = root.resolve("out");
    Path err = root.resolve("err");
    ProcessBuilder launcher =
        new ProcessBuilder(
                Stream.concat(Stream.of("bash", "./sluice"), arguments.stream()).toList())
            .directory(root.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    launcher.environment().remove("JAVA_HOME");
    launcher.environment().put("PATH", root.resolve("bin") + ":" + System.getenv("PATH"));
    for (String each : assignments) {
      launcher.environment().put(each.split("=")[0], each.split("=")[1]);
    }
    int code = launcher.start().waitFor();
    return new Said(code, Files.readString(out), Files.readString(err));
  }

  @Test
  void itBuildsOnceAndAgainIfItsOwnFilesHaveChanged() throws Exception {
    assertThat(sluice().out()).isEqualTo("build 1\n");
    change(Files.writeString(Files.createDirectory(root.resolve("mine")).resolve("pom.xml"), ""));
    change(Files.createDirectories(root.resolve("mine/src/main")));
    assertThat(sluice().out()).as("a folder that is not Sluice's").isEqualTo("build 1\n");
    change(source);
    assertThat(sluice().out()).isEqualTo("build 2\n");
  }

  @Test
  void aBuildThatFailsLeavesTheOneBeforeIt() throws Exception {
    sluice();
    change(source);
    Files.createFile(root.resolve("broken"));
    Said failed = sluice();
    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.out()).isEmpty();
    assertThat(failed.err()).contains("it does not compile", "SLUICE_BUILD=no");
    assertThat(sluice("SLUICE_BUILD=no").out()).isEqualTo("build 1\n");
    Files.delete(root.resolve("broken"));
    assertThat(sluice().out()).isEqualTo("build 3\n");
  }

  /**
   * The launcher runs the demo to archive classes only when an instance is started, since that
   * takes time.
   */
  @Test
  void helpKeepsNoClasses() throws Exception {
    sluice(List.of("run", "--help"));
    sluice(List.of("run", "-h"));
    sluice(List.of("ask", "--for=userId=ada"));
    Said help = sluice(List.of("archive", "--help"));
    assertThat(help.code()).isZero();
    assertThat(help.out()).startsWith("Usage: sluice archive");
    assertThat(sluice(List.of("archive", "now")).code()).isEqualTo(2);
    assertThat(Files.readString(root.resolve("starts"))).doesNotContain("ArchiveClassesAtExit");
    sluice(List.of("run", "--config=none"));
    sluice(List.of("run", "--config=none"));
    assertThat(Files.readAllLines(root.resolve("starts")))
        .filteredOn(line -> line.contains("ArchiveClassesAtExit"))
        .singleElement()
        .asString()
        .endsWith("SluiceMain demo --commands");
  }

  @Test
  void anInstanceWithoutItsFileIsAMistakeBeforeAnythingIsBuilt() throws Exception {
    Said mistake = sluice(List.of("run"));
    assertThat(mistake.code()).isEqualTo(2);
    assertThat(mistake.err())
        .isEqualTo("run needs a properties file: ./sluice run --config FILE\n");
    assertThat(sluice(List.of("run", "--embedded", "pom.xml")).err())
        .isEqualTo("run needs a properties file: ./sluice run --config pom.xml\n");
    assertThat(root.resolve("builds")).doesNotExist();
    assertThat(sluice(List.of("run", "--help")).out()).isEqualTo("build 1\n");
  }

  @Test
  void aBuildWithoutATerminalPrintsALineForEachModule() throws Exception {
    assertThat(sluice().err().lines())
        .hasSize(2)
        .last()
        .isEqualTo("sluice: building: module 2 of 5, limiter");
  }
}
