package io.sluice.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import io.sluice.topology.event.UnreadableEventException;
import io.sluice.topology.event.UnreadableEventException.FaultKind;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.utils.internals.ByteUtils;

/**
 * A value on its way home, and while it waits: the bytes that it has by its own serde, and before
 * them its action, or what is wrong with it. So no function of the application is called twice for
 * a record, and what is metered again is the same action.
 */
final class Wrapped {
  /*
   * The version of the format, flags, the length of the head as a varint, the head, and the rest is
   * the value, if there is one. The head is a UserAction in Avro's single-object encoding, or, of what is
   * none, the name of the kind of fault, a line feed and the fault in words. Records of this format
   * are on topics and in the changelogs of delayed events: a new layout is a new version.
   */
  static final int VERSION = 1;
  private static final int HAS_VALUE = 1;
  private static final int FAULTY = 2;
  private static final int MOST_FLAGS = HAS_VALUE + FAULTY;
  private static final int MOST_LENGTH_BYTES = 5;

  private Wrapped() {}

  /** A value with its action, which happened at the record's timestamp if it does not say when. */
  static byte[] of(Action action, long timestampMs, byte[] value) {
    UserAction whole =
        UserAction.newBuilder()
            .setEventId(action.id())
            .setUserId(action.userId())
            .setAction(action.name())
            .setOccurredAt(action.time().orElseGet(() -> Instant.ofEpochMilli(timestampMs)))
            .setCost(action.cost())
            .setTarget(action.target().isEmpty() ? null : action.target())
            .setAttributes(action.attributes())
            .build();
    return bytes(0, UserActionCodec.encode(whole), value);
  }

  /** A value that is no action. */
  static byte[] faulty(UnreadableEventException why, byte[] value) {
    return bytes(FAULTY, (why.kind().name() + '\n' + why.getMessage()).getBytes(UTF_8), value);
  }

  private static byte[] bytes(int flags, byte[] head, byte[] value) {
    int valueBytes = value == null ? 0 : value.length;
    ByteBuffer out = ByteBuffer.allocate(2 + MOST_LENGTH_BYTES + head.length + valueBytes);
    out.put((byte) VERSION).put((byte) (value == null ? flags : flags + HAS_VALUE));
    ByteUtils.writeUnsignedVarint(head.length, out);
    out.put(head);
    if (value != null) out.put(value);
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  /**
   * The action, as Sluice reads it.
   *
   * @throws UnreadableEventException if there is none, saying what is wrong
   */
  static byte[] action(byte[] bytes) throws UnreadableEventException {
    Parts parts = Parts.of(bytes).orElseThrow(Wrapped::foreign);
    if ((parts.flags & FAULTY) == 0) return parts.head();
    String[] lines = new String(parts.head(), UTF_8).split("\n", 2);
    throw new UnreadableEventException(FaultKind.valueOf(lines[0]), lines[1]);
  }

  private static UnreadableEventException foreign() {
    return new UnreadableEventException(
        FaultKind.UNKNOWN_FORMAT, "written by somebody else than this application");
  }

  /** The value itself, null if there is none; of what somebody else has written, all of it. */
  static byte[] value(byte[] bytes) {
    Optional<Parts> parts = Parts.of(bytes);
    return parts.isEmpty() ? bytes : parts.get().value();
  }

  /** Where the parts of such bytes are. */
  private static final class Parts {
    private final byte[] bytes;
    private final int flags;
    private final int headAt;
    private final int valueAt;

    private Parts(byte[] bytes, int flags, int headAt, int valueAt) {
      this.bytes = bytes;
      this.flags = flags;
      this.headAt = headAt;
      this.valueAt = valueAt;
    }

    /** Empty if these are not such bytes. */
    static Optional<Parts> of(byte[] bytes) {
      if (bytes == null || bytes.length == 0 || bytes[0] != VERSION) return Optional.empty();
      try {
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        int flags = in.get() & 0xff;
        int length = ByteUtils.readUnsignedVarint(in);
        if (flags > MOST_FLAGS || length < 0 || length > in.remaining()) return Optional.empty();
        return Optional.of(new Parts(bytes, flags, in.position(), in.position() + length));
      } catch (BufferUnderflowException | IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    byte[] head() {
      return Arrays.copyOfRange(bytes, headAt, valueAt);
    }

    byte[] value() {
      return (flags & HAS_VALUE) == 0 ? null : Arrays.copyOfRange(bytes, valueAt, bytes.length);
    }
  }
}
