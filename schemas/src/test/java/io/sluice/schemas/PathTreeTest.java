package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PathTreeTest {
  private final PathTree.Builder builder = new PathTree.Builder();

  private int add(String path) {
    return builder.add(SamplePaths.steps(path), PathTree.Use.ANY);
  }

  /** Returns the node at a path, found step by step. */
  private static PathNode at(PathTree tree, String path) {
    PathNode node = tree.root();
    for (PathStep step : SamplePaths.steps(path)) {
      node = step.isName() ? node.child(step.name()) : node.element(step.index());
    }
    return node;
  }

  @Test
  void aPathThatIsGivenTwiceHasOneSlot() {
    int first = add("a.b");

    assertThat(add("a.c")).isNotEqualTo(first);
    assertThat(add("a")).isNotEqualTo(first);
    assertThat(add("a.b")).isEqualTo(first);
    Values values = builder.build().values();
    assertThat(values.get(2)).isNull();
    assertThatThrownBy(() -> values.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aNodeSaysWhetherPathsEndAtItOrBelowIt() {
    add("a.b");
    add("l[2]");
    PathTree tree = builder.build();

    assertThat(tree.root().names()).containsExactlyInAnyOrder("a", "l");
    assertThat(tree.root().isLeaf()).isFalse();
    PathNode inner = at(tree, "a");
    assertThat(inner.isWanted() && inner.isInner() && inner.hasNames()).isTrue();
    assertThat(inner.isLeaf() || inner.hasElements()).isFalse();
    PathNode leaf = at(tree, "a.b");
    assertThat(leaf.isWanted() && leaf.isLeaf()).isTrue();
    assertThat(leaf.isInner()).isFalse();
    assertThat(leaf.path()).isEqualTo("a.b");
    PathNode list = at(tree, "l");
    assertThat(list.hasElements() && list.isInner()).isTrue();
    assertThat(list.hasNames()).isFalse();
    assertThat(at(tree, "l[2]").path()).isEqualTo("l[2]");
    assertThat(list.highestElement()).isEqualTo(2);
  }

  @Test
  void whatIsOnNoPathIsUnwanted() {
    add("a.b");
    PathTree tree = builder.build();

    for (String path : List.of("b", "a.a", "a.b.c", "a[0]", "a.b[0]", "x.y.z")) {
      assertThat(at(tree, path).isWanted()).as(path).isFalse();
    }
  }

  @Test
  void aFieldMayBeAmongTheAttributes() {
    builder.addAttributes(SamplePaths.steps("attributes"));
    int slot = add("attributes.user");
    PathTree tree = builder.build();
    PathNode attributes = at(tree, "attributes");

    assertThat(attributes.isAttributes()).isTrue();
    assertThat(attributes.isWanted()).isTrue();
    assertThat(attributes.child("user").slots()).containsExactly(slot);
    assertThat(attributes.child("user").path()).isEqualTo("attributes.user");
    assertThat(attributes.child("user").isAttributes()).isFalse();
    assertThat(attributes.child("other").isLeaf()).isFalse();
  }

  @Test
  void theRecordItselfMayHaveTheAttributes() {
    builder.addAttributes(List.of());

    assertThat(builder.build().root().isAttributes()).isTrue();
  }

  @Test
  void aPathMayLeadThroughAnother() {
    int outer = add("a");
    int inner = add("a.b");
    PathTree tree = builder.build();

    assertThat(at(tree, "a").slots()).containsExactly(outer);
    assertThat(at(tree, "a").isInner()).isTrue();
    assertThat(at(tree, "a.b").slots()).containsExactly(inner);
  }

  @Test
  void anElementWithAPathOfItsOwnIsOneOfAllToo() {
    int all = add("l[].id");
    int first = add("l[0].id");
    PathTree tree = builder.build();
    Values values = tree.values();

    values.openList(at(tree, "l"));
    for (int i = 0; i < 3; i++) values.put(at(tree, "l[" + i + "].id"), "v" + i);
    assertThat(values.get(first)).isEqualTo("v0");
    assertThat(values.get(all)).isEqualTo(List.of("v0", "v1", "v2"));
    assertThat(at(tree, "l[7].id").path()).isEqualTo("l[].id");
  }

  @Test
  void aListOfNoElementsIsAListAndAMissingOneIsNot() {
    int all = add("l[]");
    int deep = add("m[].n[]");
    PathTree tree = builder.build();
    Values values = tree.values();
    values.openList(at(tree, "l"));

    assertThat(values.get(all)).isEqualTo(List.of());
    assertThat(values.get(deep)).isNull();
    values.openList(at(tree, "m"));
    assertThat(values.get(deep)).isEqualTo(List.of());
  }

  @Test
  void theFieldsOfANodeAreNumbered() {
    List<String> names = IntStream.range(0, 100).mapToObj(i -> "f" + i).toList();
    names.forEach(name -> add("a." + name));
    PathNode node = at(builder.build(), "a");

    assertThat(names.stream().map(name -> node.child(name).ordinal()))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 100).boxed().toList());
  }

  @Test
  void anIndexIsNotNegative() {
    assertThatThrownBy(() -> PathStep.element(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(PathStep.element(0).isEach() || PathStep.element(0).isName()).isFalse();
    assertThat(PathStep.each().isEach()).isTrue();
    assertThat(PathStep.name("").isName()).isTrue();
  }
}
