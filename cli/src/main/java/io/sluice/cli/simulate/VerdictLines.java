package io.sluice.cli.simulate;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.limiter.PlainText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Buffered writer of verdicts as JSON lines, in UTF-8 independent of the terminal's encoding. */
final class VerdictLines {
  private static final int KEPT_BACK = 1 << 16;

  private final OutputStream out;
  private final StringBuilder kept = new StringBuilder(KEPT_BACK + 1024);

  /** Thrown if the program that reads the output has closed its end of the pipe. */
  static final class OutputClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputClosedException(IOException cause) {
      super("the reader of the output has ended", cause);
    }
  }

  VerdictLines(OutputStream out) {
    this.out = out;
  }

  void write(String line) {
    kept.append(PlainText.json(line)).append('\n');
    if (kept.length() >= KEPT_BACK) flush();
  }

  void flush() {
    if (kept.length() == 0) return;
    byte[] bytes = kept.toString().getBytes(StandardCharsets.UTF_8);
    kept.setLength(0);
    try {
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("Broken pipe"))
        throw new OutputClosedException(e);
      throw new CommandFailedException("cannot write: " + e.getMessage(), e);
    }
  }
}
