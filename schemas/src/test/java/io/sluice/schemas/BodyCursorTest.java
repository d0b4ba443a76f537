package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BodyCursorTest {
  @Test
  void readsEveryNumberAsAvroWritesIt() {
    for (int bit = 0; bit < Long.SIZE; bit++) {
      for (long delta = -1; delta <= 1; delta++) {
        long number = (1L << bit) + delta;
        byte[] bytes =
            Bytes.body(
                out -> {
                  out.writeLong(number);
                  out.writeLong(~number);
                });
        BodyCursor cursor = new BodyCursor(bytes, 0, bytes.length);
        assertThat(cursor.readLong("n")).isEqualTo(number);
        assertThat(cursor.readLong("n")).isEqualTo(~number);
        cursor.requireEnd();
      }
    }
  }

  @Test
  void readsNothingOutsideItsPart() {
    byte[] bytes = {2, 'a', 2, 'b'};

    assertThat(new BodyCursor(bytes, 2, 2).readString("s")).isEqualTo("b");
    assertThatThrownBy(() -> new BodyCursor(bytes, 0, 1).readString("s"))
        .isInstanceOf(UndecodableException.class)
        .hasMessage("s: 1 bytes announced, 0 left");
    assertThatThrownBy(() -> new BodyCursor(bytes, 1, 0).readLong("n"))
        .isInstanceOf(UndecodableException.class);
  }

  @Test
  void readsANumberInMoreBytesThanItNeeds() {
    byte[] one = {(byte) 0x82, (byte) 0x80, 0};

    assertThat(new BodyCursor(one, 0, one.length).readLong("n")).isEqualTo(1);
  }
}
