package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserActionViewTest {
  private static final int ACTIONS = 300;

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void agreesWithAvrosOwnDecoder(long seed) throws IOException {
    PlainAvro plainAvro = new PlainAvro();
    RandomActions actions = new RandomActions(seed);
    for (int i = 0; i < ACTIONS; i++) {
      byte[] bytes = UserActionCodec.encode(actions.next());
      assertAlike(
          UserActionView.of(bytes),
          plainAvro.decode(bytes),
          "action %d of seed %d".formatted(i, seed));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {15, 16})
  void readsAttributesInBlocksWithSizes(long seed) throws IOException {
    RandomActions actions = new RandomActions(seed);
    for (int i = 0; i < ACTIONS; i++) {
      UserAction action = actions.next();
      byte[] bytes = Bytes.singleObject(bodyInSizedBlocks(action));
      assertAlike(UserActionView.of(bytes), action, "action %d of seed %d".formatted(i, seed));
      assertThat(UserActionCodec.decode(bytes)).isEqualTo(action);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {17, 18})
  void readsOnlyItsPartOfAnArray(long seed) {
    RandomActions actions = new RandomActions(seed);
    for (int i = 0; i < ACTIONS; i++) {
      UserAction action = actions.next();
      byte[] alone = UserActionCodec.encode(action);
      byte[] among = new byte[alone.length + 30];
      Arrays.fill(among, (byte) 2);
      System.arraycopy(alone, 0, among, 13, alone.length);
      String which = "action %d of seed %d".formatted(i, seed);

      assertAlike(UserActionView.of(among, 13, alone.length), action, which);
      assertThatThrownBy(() -> UserActionView.of(among, 13, alone.length - 1))
          .as(which)
          .isInstanceOf(UndecodableException.class);
      assertThatThrownBy(() -> UserActionView.of(among, 13, alone.length + 1))
          .as(which)
          .isInstanceOf(UndecodableException.class);
    }
  }

  @Test
  void refusesAPartThatTheArrayDoesNotHave() {
    byte[] bytes = UserActionCodec.encode(new RandomActions(1).next());

    assertThatThrownBy(() -> UserActionView.of(bytes, 1, bytes.length))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> UserActionView.of(bytes, -1, bytes.length))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void tellsAnEmptyTargetFromNone() {
    UserActionView empty = UserActionView.of(UserActionCodec.encode(aimedAt("")));
    UserActionView none = UserActionView.of(UserActionCodec.encode(aimedAt(null)));

    assertThat(empty.hasTarget()).isTrue();
    assertThat(none.hasTarget()).isFalse();
    assertThat(empty.target()).isEqualTo(none.target()).isEmpty();
  }

  @Test
  void theLastOfSeveralAttributesOfOneNameCounts() {
    byte[] bytes =
        Bytes.singleObject(
            Bytes.bodyWithAttributes(
                out -> {
                  out.writeMapStart();
                  out.setItemCount(3);
                  for (String word : new String[] {"k", "first", "other", "x", "k", "last"}) {
                    out.writeString(word);
                  }
                  out.writeMapEnd();
                }));

    assertThat(UserActionView.of(bytes).attribute("k")).contains("last");
    assertThat(UserActionCodec.decode(bytes).getAttributes()).containsEntry("k", "last");
  }

  @Test
  void attributesAllocateNothingUntilAskedFor() {
    byte[] without = UserActionCodec.encode(withAttributes(0));
    byte[] with = UserActionCodec.encode(withAttributes(200));

    assertThat(allocatedBytes(with)).isLessThanOrEqualTo(allocatedBytes(without) + 100);
  }

  private static void assertAlike(UserActionView view, UserAction action, String which) {
    assertThat(view.eventId()).as(which).isEqualTo(action.getEventId());
    assertThat(view.userId()).as(which).isEqualTo(action.getUserId());
    assertThat(view.action()).as(which).isEqualTo(action.getAction());
    assertThat(view.occurredAtMs()).as(which).isEqualTo(action.getOccurredAt().toEpochMilli());
    assertThat(view.cost()).as(which).isEqualTo(action.getCost());
    assertThat(view.hasTarget()).as(which).isEqualTo(action.getTarget().isPresent());
    assertThat(view.target()).as(which).isEqualTo(action.getTarget().orElse(""));
    action
        .getAttributes()
        .forEach((name, value) -> assertThat(view.attribute(name)).as(which).contains(value));
    assertThat(view.attribute("no such attribute")).as(which).isEmpty();
  }

  private static UserAction aimedAt(String target) {
    return new UserAction("e", "u", "post", Instant.EPOCH, 1L, target, Map.of());
  }

  private static UserAction withAttributes(int count) {
    Map<String, String> attributes = new HashMap<>();
    for (int i = 0; i < count; i++) {
      attributes.put("name" + i, "värde " + i);
    }
    return new UserAction("e", "u", "post", Instant.EPOCH, 1L, null, attributes);
  }

  private static byte[] bodyInSizedBlocks(UserAction action) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder =
        new EncoderFactory().configureBlockSize(64).blockingBinaryEncoder(bytes, null);
    new SpecificDatumWriter<UserAction>(action.getSchema(), action.getSpecificData())
        .write(action, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  /** Returns the bytes that one view allocates: the mean of many, after the code is loaded. */
  private static long allocatedBytes(byte[] bytes) {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int views = 1_000;
    long before = 0;
    for (int i = -views; i < views; i++) {
      if (i == 0) {
        before = thread.getCurrentThreadAllocatedBytes();
      }
      UserActionView.of(bytes);
    }
    return (thread.getCurrentThreadAllocatedBytes() - before) / views;
  }
}
