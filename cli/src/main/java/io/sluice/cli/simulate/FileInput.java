package io.sluice.cli.simulate;

import io.sluice.schemas.ActionFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Tells what a file of events has in it: lines, or Avro records. */
final class FileInput {
  private FileInput() {}

  /**
   * @param beforeWaiting is run before the file is asked for more, which may take a while
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
