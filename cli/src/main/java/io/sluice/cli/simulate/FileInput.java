package io.sluice.cli.simulate;

import io.sluice.schemas.ActionFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Detects the format of an event file: lines, or an Avro object container file. */
final class FileInput {
  private FileInput() {}

  /**
   * Returns an iterator over the file's entries.
   *
   * @param beforeWaiting runs before each read of a file of lines, because a read may block
   */
  static Entries open(InputStream in, Runnable beforeWaiting) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(in, 1 << 16);
    buffered.mark(ActionFile.MAGIC_BYTES);
    byte[] beginning = buffered.readNBytes(ActionFile.MAGIC_BYTES);
    buffered.reset();
    return ActionFile.isOne(beginning)
        ? new ActionEntries(buffered)
        : new Lines(buffered, beforeWaiting);
  }
}
