package io.sluice.events;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.sluice.events.Selector.Stage;
import io.sluice.events.Selector.UnfitValueException;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.PathStep;
import io.sluice.schemas.PathTree;
import io.sluice.schemas.Values;
import java.io.IOException;
import java.util.List;

/** Function {@code json} with the path behind it: the value at the path of a JSON text. */
final class JsonStage implements Stage {
  private static final JsonFactory JSON = new JsonFactory();

  private final PathTree tree;
  private final int slot;
  private final List<PathStep> path;

  private JsonStage(List<PathStep> path) {
    this.path = List.copyOf(path);
    PathTree.Builder builder = new PathTree.Builder();
    slot = builder.add(path, PathTree.Use.ANY);
    tree = builder.build();
  }

  /** Returns the function without a path: the whole value. */
  static JsonStage whole() {
    return new JsonStage(List.of());
  }

  /** Returns the function with a path behind it. */
  JsonStage at(List<PathStep> behind) {
    if (!path.isEmpty()) throw new IllegalStateException("the function has a path");
    return new JsonStage(behind);
  }

  boolean isWhole() {
    return path.isEmpty();
  }

  @Override
  public Object apply(Object value) throws UnfitValueException {
    if (!(value instanceof String text)) throw new UnfitValueException("json needs text");
    Values values = tree.values();
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() == null) throw new UnfitValueException("has no JSON");
      new JsonReader(parser, values, null).read(tree.root());
      if (parser.nextToken() != null) throw new UnfitValueException("has more than one JSON value");
    } catch (UnreadableEventException e) {
      throw new UnfitValueException(e.kind(), e.getMessage());
    } catch (IOException e) {
      throw new UnfitValueException("is not JSON: " + JsonReader.why(e));
    }
    return values.get(slot);
  }

  @Override
  public boolean makesText() {
    return false;
  }
}
