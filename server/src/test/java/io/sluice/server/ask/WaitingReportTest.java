package io.sluice.server.ask;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.ask.OtherInstances.Responses;
import io.sluice.server.ask.WaitingReport.OfClass;
import io.sluice.server.ask.WaitingReport.Waiter;
import io.sluice.server.web.JsonText;
import io.sluice.topology.queue.WaitingList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of sums of reports on waiting events. */
class WaitingReportTest {
  private static WaitingReport part(int partition, long count, List<OfClass> classes) {
    WaitingList list = new WaitingList(count, false, Map.of(), List.of());
    Waiter waiter =
        new Waiter(partition, "e", "ada", "sms", "*", 5, 1, Map.of(), LeaveEstimates.UNKNOWN);
    return WaitingReport.of(7, partition, list, classes, List.of(waiter));
  }

  private static WaitingReport sum(int all, WaitingReport... parts) {
    return WaitingReport.none(7)
        .with(new Responses<>(List.of(parts), List.of(), List.of()), all, 20);
  }

  @Test
  void ofMoreThanAThousandClassesTheOldestAreKeptAndTheReportSaysSo() {
    List<OfClass> classes = new ArrayList<>();
    for (int i = 0; i < 1_001; i++) classes.add(new OfClass("vendor", "c" + i, 1, 2_000 - i));
    WaitingReport sum = sum(1, part(0, 1_001, classes));
    assertThat(sum.classes()).hasSize(1_000).extracting(OfClass::className).doesNotContain("c0");
    assertThat(sum.moreClasses()).isTrue();
    assertThat(sum.hasAll()).isTrue();
    assertThat(sum(1, part(0, 1_000, classes.subList(0, 1_000))).moreClasses()).isFalse();

    List<OfClass> more = List.of(new OfClass("phone", "*", 1, 1));
    WaitingReport both = sum(2, part(0, 1_000, classes.subList(0, 1_000)), part(1, 1, more));
    assertThat(both.classes()).hasSize(1_000).contains(more.get(0)).doesNotContain(classes.get(0));
    assertThat(both.moreClasses()).isTrue();
  }

  @Test
  void aPartitionOfTwoInstancesIsNotCountedTwiceAndTheReportSaysThatPartitionsMove() {
    WaitingReport other = sum(2, part(0, 3, List.of()), part(1, 4, List.of()));
    WaitingReport sum = sum(2, part(0, 3, List.of()), other);
    assertThat(sum.count()).isEqualTo(3);
    assertThat(sum.moving()).isTrue();
    assertThat(sum.more()).isFalse();
    assertThat(sum.missing()).containsExactly(1L);
    assertThat(sum.hasAll()).isFalse();
    assertThat(sum(1, sum).moving()).isTrue();
  }

  @Test
  void anUnknownTimeIsLeftOutAndReadAgain() {
    WaitingReport sum = sum(1, part(0, 1, List.of()));
    String text = JsonText.of(sum);
    assertThat(text).doesNotContain("estimateMs", "moving", "moreClasses");
    assertThat(JsonText.read(text, WaitingReport.class)).isEqualTo(sum);
  }
}
