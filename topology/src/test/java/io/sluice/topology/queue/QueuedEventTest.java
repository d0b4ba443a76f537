package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Identity;
import io.sluice.limiter.rows.UnknownFormatException;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the stored form of an event that waits in line, which later releases must read. */
class QueuedEventTest {
  private static final WaitingEvent EVENT =
      new WaitingEvent(
          7,
          1_700_000_000_000L,
          1_700_000_000_500L,
          3,
          1_700_086_400_000L,
          new Identity(0x1122334455667788L, 0x99aabbcc, false),
          true,
          new Place(0x0102030405060708L, 200, -7, List.of("vendor", "phone"), List.of(5L, -6L)));

  private static final String ROW =
      "01" // version
          + "c801" // class, and that the event asks Redis
          + "0000018bcfe568000000018bcfe569f4" // arrival, and the instant before which it stays
          + "00000000000000030000018bd50bc400" // cost and expiry
          + "112233445566778899aabbcc" // identity
          + "fffffffffffffff9" // tenant
          + "0102030405060708" // line
          + "020676656e646f720570686f6e65" // limits
          + "020000000000000005fffffffffffffffa"; // buckets

  @Test
  void rowIsThatOfTheFormat() {
    assertThat(HexFormat.of().formatHex(QueuedEvent.row(EVENT, new byte[0]))).isEqualTo(ROW);
    assertThat(QueuedEvent.waiting(7, HexFormat.of().parseHex(ROW))).isEqualTo(EVENT);
  }

  @Test
  void readerOfManyRowsReadsTheLimitsOfEach() {
    List<List<String>> limits =
        List.of(
            List.of("vendor", "phone"),
            List.of("vendor", "phone"),
            List.of("vendor"),
            List.of("vendor", "mails"),
            List.of(),
            List.of("vendor", "phones"));
    QueuedEvent.Reader reader = new QueuedEvent.Reader();
    for (List<String> each : limits) {
      Place place = new Place(1, 0, 0, each, each.isEmpty() ? List.of() : List.of(5L));
      WaitingEvent event = new WaitingEvent(8, 1, 2, 3, 4, new Identity(5, 6, false), false, place);
      assertThat(reader.waiting(8, QueuedEvent.row(event, new byte[0]))).isEqualTo(event);
    }
  }

  @Test
  void rowOfANewerReleaseIsRefused() {
    byte[] row = QueuedEvent.row(EVENT, new byte[0]);
    row[0] = QueuedEvent.VERSION + 1;
    assertThatThrownBy(() -> QueuedEvent.waiting(7, row))
        .isInstanceOf(UnknownFormatException.class)
        .hasMessageContaining("a queued event");
  }
}
