package io.sluice.schemas;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * Stream of an Avro object container file that detects a truncated file: a complete file ends with
 * the marker that follows the header and every block. Avro itself takes some truncated files for
 * complete ones.
 */
final class ContainerStream extends FilterInputStream {
  private final byte[] marker;
  private final byte[] last;

  private ContainerStream(InputStream in, byte[] marker) {
    super(in);
    this.marker = marker;
    last = new byte[marker.length];
  }

  /** Reads the file's header. The returned stream begins with the header again. */
  static ContainerStream of(InputStream in) throws IOException {
    Copying copying = new Copying(in);
    BinaryDecoder header = DecoderFactory.get().directBinaryDecoder(copying, null);
    header.readFixed(new byte[DataFileConstants.MAGIC.length]);
    for (long left = header.readMapStart(); left != 0; left = header.mapNext()) {
      for (long i = 0; i < left; i++) {
        header.readString();
        header.readBytes(null);
      }
    }
    byte[] marker = new byte[DataFileConstants.SYNC_SIZE];
    header.readFixed(marker);
    InputStream again = new ByteArrayInputStream(copying.copy.toByteArray());
    return new ContainerStream(new SequenceInputStream(again, in), marker);
  }

  /** Whether the bytes read so far end with the marker, so that they can be a complete file. */
  boolean mayEndHere() {
    return Arrays.equals(last, marker);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    int kept = Math.min(Math.max(read, 0), last.length);
    System.arraycopy(last, kept, last, 0, last.length - kept);
    System.arraycopy(bytes, offset + Math.max(read, 0) - kept, last, last.length - kept, kept);
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    byte[] skipped = new byte[(int) Math.min(count, 1 << 13)];
    return Math.max(0, read(skipped, 0, skipped.length));
  }

  /** Stream that keeps a copy of the bytes that are read from it. */
  private static final class Copying extends FilterInputStream {
    final ByteArrayOutputStream copy = new ByteArrayOutputStream();

    Copying(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      if (read >= 0) copy.write(read);
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      if (read > 0) copy.write(bytes, offset, read);
      return read;
    }
  }
}
