package io.sluice.schemas;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileStream;

/**
 * Reader of user actions in an Avro object container file. The file's header contains the writer
 * schema, which can be any schema that Avro's rules of resolution turn into a {@link UserAction}.
 */
public final class ActionFile implements AutoCloseable {
  /** First bytes of an Avro object container file. */
  private static final byte[] MAGIC = DataFileConstants.MAGIC;

  /** Number of bytes from a file's beginning that {@link #isOne} needs. */
  public static final int MAGIC_BYTES = MAGIC.length;

  private final ContainerStream container;
  private final DataFileStream<UserAction> actions;

  private ActionFile(ContainerStream container, DataFileStream<UserAction> actions) {
    this.container = container;
    this.actions = actions;
  }

  /** Whether a file with these first bytes is an Avro object container file. */
  public static boolean isOne(byte[] beginning) {
    return Arrays.equals(beginning, MAGIC);
  }

  /**
   * Opens a file, and reads it from its beginning.
   *
   * @throws UndecodableException if it is not an Avro object container file, or if its records
   *     cannot be user actions
   */
  public static ActionFile open(InputStream in) throws IOException {
    return read(
        () -> {
          ContainerStream container = ContainerStream.of(in);
          return new ActionFile(
              container,
              new DataFileStream<>(
                  container,
                  new RecordModel<>(UserAction.class, UserAction.getClassSchema()).readerOfAny()));
        });
  }

  /**
   * Whether the file has another action.
   *
   * @throws UndecodableException if the file is damaged at this point
   */
  public boolean hasNext() throws IOException {
    boolean has = read(actions::hasNext);
    if (!has && !container.mayEndHere()) throw new UndecodableException("it ends too early");
    return has;
  }

  /**
   * Returns the next action of the file.
   *
   * @throws UndecodableException if the file is damaged at this point
   */
  public UserAction next() throws IOException {
    return read(() -> actions.next(null));
  }

  @FunctionalInterface
  private interface Step<T> {
    T take() throws IOException;
  }

  /**
   * Runs a step of the reading, and turns all that Avro throws for hostile bytes, such as an
   * OutOfMemoryError for a length of gigabytes, into an {@link UndecodableException}.
   */
  private static <T> T read(Step<T> step) throws IOException {
    try {
      return step.take();
    } catch (RuntimeException | EOFException e) {
      throw undecodable(e);
    } catch (LinkageError e) {
      throw new UndecodableException("its compression is not supported: " + e, e);
    } catch (StackOverflowError e) {
      throw new UndecodableException("a value is nested too deeply", e);
    } catch (OutOfMemoryError e) {
      throw new UndecodableException("a part of it is larger than this machine's memory", e);
    }
  }

  private static UndecodableException undecodable(Exception e) {
    Throwable cause = e;
    while (cause.getCause() != null) cause = cause.getCause();
    boolean says = cause.getMessage() != null && isOfAvro(cause);
    String why = says ? cause.getMessage() : "it is damaged, or ends too early";
    return new UndecodableException(why.replaceAll("\\s+", " "), e);
  }

  private static boolean isOfAvro(Throwable cause) {
    return cause instanceof AvroRuntimeException || cause instanceof IOException;
  }

  @Override
  public void close() throws IOException {
    actions.close();
  }
}
