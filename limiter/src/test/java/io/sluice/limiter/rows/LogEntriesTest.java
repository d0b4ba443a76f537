package io.sluice.limiter.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogEntriesTest {
  private record Entry(long atMicros, long cost, boolean refused, Fingerprint fingerprint) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void holdsWhatWasAppendedAndInsertedInOrderOfTime(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Entry> expected = new ArrayList<>();
    LogEntries entries = new LogEntries();
    long newest = 0;
    for (int i = 0; i < 600; i++) {
      Entry entry = any(random, newest);
      if (entry.atMicros() >= newest || entries.isEmpty()) {
        entries.append(
            newest, entry.atMicros(), entry.cost(), entry.refused(), entry.fingerprint());
        newest = entry.atMicros();
      } else {
        entries.insert(entry.atMicros(), entry.cost(), entry.refused(), entry.fingerprint());
      }
      expected.add(entry);
      expected.sort(Comparator.comparingLong(Entry::atMicros)); // stable: keeps order of equals
      if (random.nextInt(3) == 0) dropSome(random, entries, expected);
      if (random.nextInt(5) == 0) entries = reloaded(entries, random);
      assertHolds(entries, expected, seed);
    }
  }

  private static Entry any(SplittableRandom random, long newest) {
    long step = random.nextLong(1L << random.nextInt(1, 50));
    boolean early = random.nextInt(4) == 0;
    long at = early ? Math.max(0, newest - step) : newest + step % (1L << 40);
    long cost = random.nextBoolean() ? 1 : 2 + (random.nextLong() >>> random.nextInt(33, 62));
    boolean refused = random.nextBoolean();
    return new Entry(at, cost, refused, refused ? Fingerprint.NONE : fingerprint(random));
  }

  private static Fingerprint fingerprint(SplittableRandom random) {
    return random.nextInt(5) == 0
        ? Fingerprint.NONE
        : new Fingerprint(random.nextLong(), random.nextInt());
  }

  private static void dropSome(SplittableRandom random, LogEntries entries, List<Entry> expected) {
    LogEntries.Cursor each = entries.cursor();
    for (int drop = random.nextInt(4); drop > 0 && each.advance(); drop--) {
      entries.dropThrough(each);
      expected.remove(0);
    }
  }

  /** Returns the same entries, read from bytes as in a row, behind other bytes. */
  private static LogEntries reloaded(LogEntries entries, SplittableRandom random) {
    int offset = random.nextInt(20);
    byte[] bytes = new byte[offset + entries.size()];
    entries.copyTo(bytes, offset);
    return new LogEntries(entries.baseMicros(), bytes, offset);
  }

  private static void assertHolds(LogEntries entries, List<Entry> expected, long seed) {
    LogEntries.Cursor each = entries.cursor();
    for (Entry entry : expected) {
      assertThat(each.advance()).as("seed %d", seed).isTrue();
      assertThat(each.atMicros()).as("seed %d", seed).isEqualTo(entry.atMicros());
      assertThat(each.cost()).as("seed %d", seed).isEqualTo(entry.cost());
      assertThat(each.fingerprint()).as("seed %d", seed).isEqualTo(entry.fingerprint());
      assertThat(each.isRefused()).as("seed %d", seed).isEqualTo(entry.refused());
    }
    assertThat(each.advance()).as("seed %d", seed).isFalse();
    assertThat(entries.isEmpty()).as("seed %d", seed).isEqualTo(expected.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void theOlderHalfAndTheRestAreTheWhole(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int size = 1; size < 40; size++) {
      LogEntries entries = new LogEntries();
      List<Entry> expected = new ArrayList<>();
      long newest = 0;
      for (int i = 0; i < size; i++) {
        Entry entry = new Entry(newest + random.nextLong(1_000_000), 1, false, fingerprint(random));
        entries.append(newest, entry.atMicros(), 1, false, entry.fingerprint());
        newest = entry.atMicros();
        expected.add(entry);
      }
      int bytes = entries.size();
      LogEntries older = entries.takeOlderHalf();
      assertThat(older.size()).as("seed %d", seed).isBetween(bytes / 2, bytes / 2 + 24);
      int count = 0;
      for (LogEntries.Cursor each = older.cursor(); each.advance(); ) count++;
      assertHolds(older, expected.subList(0, count), seed);
      assertHolds(entries, expected.subList(count, size), seed);
    }
  }
}
