package io.sluice.schemas;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileStream;

/**
 * Reads actions from an Avro object container file, whose header has the schema that they were
 * written with: any from which Avro's rules of resolution give a {@link UserAction}.
 */
public final class ActionFile implements AutoCloseable {
  /** What such a file begins with. */
  private static final byte[] MAGIC = DataFileConstants.MAGIC;

  /** How many bytes tell whether it is one. */
  public static final int MAGIC_BYTES = MAGIC.length;

  private final ContainerStream container;
  private final DataFileStream<UserAction> actions;

  private ActionFile(ContainerStream container, DataFileStream<UserAction> actions) {
    this.container = container;
    this.actions = actions;
  }

  /** Whether a file that begins so is an object container. */
  public static boolean isOne(byte[] beginning) {
    return Arrays.equals(beginning, MAGIC);
  }

  /**
   * Opens a file, from its beginning.
   *
   * @throws UndecodableException if it is no such file, or its records can be no actions
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
   * Whether there is another action.
   *
   * @throws UndecodableException if the file is damaged from here on
   */
  public boolean hasNext() throws IOException {
    boolean has = read(actions::hasNext);
    if (!has && !container.mayEndHere()) throw new UndecodableException("it ends too early");
    return has;
  }

  /**
   * The next action.
   *
   * @throws UndecodableException if the file is damaged from here on
   */
  public UserAction next() throws IOException {
    return read(() -> actions.next(null));
  }

  @FunctionalInterface
  private interface Step<T> {
    T take() throws IOException;
  }

  /** Whatever Avro throws at bytes made to break it, and a length of gigabytes is no exception. */
  private static <T> T read(Step<T> step) throws IOException {
    try {
      return step.take();
    } catch (RuntimeException | EOFException e) {
      throw undecodable(e);
    } catch (LinkageError e) {
      throw new UndecodableException("it is compressed in a way that is not read here: " + e, e);
    } catch (StackOverflowError e) {
      throw new UndecodableException("a value has too many others within it", e);
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
