package io.sluice.cli.simulate;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.schemas.ActionFile;
import io.sluice.schemas.UndecodableException;
import io.sluice.schemas.UserActionCodec;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the events of an Avro object container file, and encodes each as a record in single-object
 * encoding.
 */
final class ActionEntries implements Entries {
  private final InputStream in;
  private ActionFile file;
  private byte[] record = {};
  private long number;

  ActionEntries(InputStream in) {
    this.in = in;
  }

  @Override
  public boolean next() throws IOException {
    try {
      if (file == null) file = ActionFile.open(in);
      if (!file.hasNext()) return false;
      record = UserActionCodec.encode(file.next());
      number++;
      return true;
    } catch (UndecodableException e) {
      throw damaged(e);
    }
  }

  /**
   * Creates the exception for a damaged file. Reading cannot continue, since the position of the
   * next record is unknown.
   */
  private CommandFailedException damaged(UndecodableException e) {
    String where = file == null ? "the Avro file" : "the Avro file after record " + number;
    return new CommandFailedException(
        where + " cannot be read: " + e.getMessage() + "; its records must be UserAction", e);
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public boolean isTooLong() {
    return false;
  }

  @Override
  public byte[] bytes() {
    return record;
  }

  @Override
  public EntryKind kind() {
    return EntryKind.RECORD;
  }
}
