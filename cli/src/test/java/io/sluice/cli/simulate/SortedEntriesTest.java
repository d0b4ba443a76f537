package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.common.CommandFailedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A line such as {@code 17 text} has the time 17; lines without a number have no time. */
class SortedEntriesTest {
  private static final long PLENTY = 1 << 26;

  @TempDir private Path folder;

  private SortedEntries sorted(List<String> lines, long mostBytes) {
    byte[] text = String.join("\n", lines).getBytes(UTF_8);
    Lines unsorted = new Lines(new ByteArrayInputStream(text), () -> {});
    return new SortedEntries(
        unsorted, (at, line) -> time(new String(line, UTF_8)), folder, mostBytes, read -> {});
  }

  private static OptionalLong time(String line) {
    return line.matches("\\d+ .*")
        ? OptionalLong.of(Long.parseLong(line.split(" ")[0]))
        : OptionalLong.empty();
  }

  private static List<String> all(SortedEntries entries) throws IOException {
    List<String> all = new ArrayList<>();
    while (entries.next()) all.add(entries.number() + ":" + new String(entries.bytes(), UTF_8));
    return all;
  }

  @Test
  void equalTimesKeepTheOrderOfLinesAndThoseWithoutOneFollowTheLineBefore() throws IOException {
    List<String> lines = List.of("none", "5 a", "5 b", "unsaid", "", "3 c", "too", "5 d", "3 e");
    assertThat(all(sorted(lines, PLENTY)))
        .containsExactly(
            "1:none", "6:3 c", "7:too", "9:3 e", "2:5 a", "3:5 b", "4:unsaid", "8:5 d");
  }

  /** Sizes: lines that fit into memory, runs on disk, and more runs than may be open. */
  @ParameterizedTest
  @CsvSource({"1, 67108864", "2, 200000", "3, 20000", "4, 1500", "5, 1"})
  void itIsAStableSortHoweverLittleFitsIntoMemory(long seed, long mostBytes) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      lines.add(random.nextInt(300) + " y" + "x".repeat(random.nextInt(100)));
    }
    List<Integer> numbers = new ArrayList<>();
    for (int i = 1; i <= lines.size(); i++) numbers.add(i);
    numbers.sort(Comparator.comparingLong(number -> time(lines.get(number - 1)).getAsLong()));
    assertThat(all(sorted(lines, mostBytes)))
        .isEqualTo(numbers.stream().map(each -> each + ":" + lines.get(each - 1)).toList());
  }

  @Test
  void aLineThatIsTooLongKeepsItsPlaceAndNothingElse() throws IOException {
    List<String> lines = List.of("7 a", "1 " + "x".repeat(Lines.LONGEST), "3 b");
    SortedEntries entries = sorted(lines, 1);
    List<String> found = new ArrayList<>();
    while (entries.next()) found.add(entries.number() + " " + entries.isTooLong());
    assertThat(found).containsExactly("3 false", "1 false", "2 true");
  }

  @Test
  void itsFilesHaveNoNamesByTheTimeThereIsAnythingInThem() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 1_000; i > 0; i--) lines.add(i + " line");
    SortedEntries entries = sorted(lines, 1_000);
    assertThat(entries.next()).isTrue();
    assertThat(openFilesIn(folder)).isPositive();
    try (Stream<Path> named = Files.list(folder)) {
      assertThat(named).isEmpty();
    }
    assertThat(all(entries)).hasSize(999);
    assertThat(openFilesIn(folder)).isZero();
  }

  private static long openFilesIn(Path folder) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(each -> leadsTo(each, folder)).count();
    }
  }

  private static boolean leadsTo(Path descriptor, Path folder) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(folder);
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  @Test
  void aFolderThatCannotBeWrittenToIsAFailureInOneLine() {
    Path missing = folder.resolve("missing");
    SortedEntries entries =
        new SortedEntries(
            new Lines(new ByteArrayInputStream("1 a".getBytes(UTF_8)), () -> {}),
            (at, line) -> OptionalLong.of(1),
            missing,
            1,
            read -> {});
    assertThatThrownBy(entries::next)
        .isInstanceOf(CommandFailedException.class)
        .hasMessageStartingWith("--sort cannot write to " + folder + ": ")
        .message()
        .hasLineCount(1);
  }
}
