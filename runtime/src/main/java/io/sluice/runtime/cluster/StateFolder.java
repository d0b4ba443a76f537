package io.sluice.runtime.cluster;

import io.sluice.live.kafka.KafkaAccess;
import io.sluice.rules.StartException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Folder of the state that Kafka Streams keeps on disk. */
final class StateFolder {
  /** Size in bytes of the test file. A smaller file may fit even if the file system is full. */
  private static final int BYTES = 1 << 16;

  private StateFolder() {}

  /**
   * Checks that the folder can be written to, since the error of Kafka Streams would be misleading.
   *
   * @throws StartException if the folder cannot be written to
   */
  static void check(Properties streams) {
    String given = streams.getProperty(StreamsConfig.STATE_DIR_CONFIG);
    String folder = given == null ? byDefault() : given;
    // The folder is a reference, which only a config provider can resolve.
    if (folder.contains("${")) return;
    try {
      Path file = Files.createTempFile(Files.createDirectories(Path.of(folder)), "sluice-", ".try");
      try {
        Files.write(file, new byte[BYTES]);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new StartException("state.dir=" + folder + " cannot be written to: " + why(e), e);
    }
  }

  /**
   * Whether a store failed to open because its files are missing or damaged. If a process is killed
   * while Kafka Streams deletes a store, the remaining files are taken for a store.
   */
  static boolean isDamaged(ProcessorStateException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof RocksDBException rocks && isDamaged(rocks)) return true;
    }
    return false;
  }

  private static boolean isDamaged(RocksDBException failure) {
    Status status = failure.getStatus();
    if (status != null && status.getCode() == Status.Code.Corruption) return true;
    return String.valueOf(failure.getMessage()).contains("No such file or directory");
  }

  private static String byDefault() {
    return (String) StreamsConfig.configDef().defaultValues().get(StreamsConfig.STATE_DIR_CONFIG);
  }

  /** Reason of a failed write, since Java's message is often only the name of the file. */
  private static String why(IOException e) {
    if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
      return "there is a file of that name, not a folder";
    }
    return e instanceof AccessDeniedException ? "no permission" : KafkaAccess.innermost(e);
  }
}
