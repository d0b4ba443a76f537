package io.sluice.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.utils.internals.ByteUtils;

/**
 * Binary format of a record's value between the entry and the exit of a throttled stream: the
 * action, or a description of the fault, followed by the bytes of the value's own serde. So the
 * application's function, which returns the action, is called once for each record, and a retry
 * meters the same action.
 */
final class Wrapped {
  /*
   * Format: a byte each for version and flags, the length of the head as a varint, the head, and
   * the value if there is one. The head is a UserAction in Avro's single-object encoding; for a
   * record without a valid action it is the name of the kind of fault, a line feed and a message.
   * Topics and changelogs of delayed events contain this format: a new layout needs a new version.
   */
  static final int VERSION = 1;
  private static final int HAS_VALUE = 1;
  private static final int FAULTY = 2;
  private static final int MOST_FLAGS = HAS_VALUE + FAULTY;
  private static final int MOST_LENGTH_BYTES = 5;

  private Wrapped() {}

  /** Encodes a value with its action; an action without a time gets the record's timestamp. */
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

  /** Encodes the value of a record that has no valid action. */
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
   * Returns the action as Avro in single-object encoding.
   *
   * @throws UnreadableEventException if the bytes contain no action; the message names the fault
   */
  static byte[] action(byte[] bytes) throws UnreadableEventException {
    Parts parts = Parts.of(bytes).orElseThrow(Wrapped::foreign);
    if ((parts.flags & FAULTY) == 0) return parts.head();
    String[] lines = new String(parts.head(), UTF_8).split("\n", 2);
    throw new UnreadableEventException(FaultKind.valueOf(lines[0]), lines[1]);
  }

  private static UnreadableEventException foreign() {
    return new UnreadableEventException(FaultKind.UNKNOWN_FORMAT, "written by another application");
  }

  /**
   * Returns the value's own bytes; null if the value was null. Bytes in another format are returned
   * whole.
   */
  static byte[] value(byte[] bytes) {
    Optional<Parts> parts = Parts.of(bytes);
    return parts.isEmpty() ? bytes : parts.get().value();
  }

  /** Positions of the head (the action or the fault) and the value in the encoded bytes. */
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

    /** Finds the positions in encoded bytes; empty if the bytes are not in this format. */
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
