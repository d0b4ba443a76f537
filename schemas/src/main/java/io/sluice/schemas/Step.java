package io.sluice.schemas;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * Step that reads one value of a record in Avro's binary encoding, and passes the needed parts of
 * the value to a view.
 */
interface Step {
  void pass(BodyCursor cursor, RecordView view);

  /** Checks a value that is not needed, and skips it. */
  record Skip(Schema schema, String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      BodyCheck.pass(schema, field, cursor);
    }
  }

  /**
   * Refuses an event, because its branch of a union has a type that the field cannot be read from.
   * Other events of the schema can be read.
   */
  record Refuse(String what) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      throw new UndecodableException(what);
    }
  }

  /** Skips a value of a type that cannot be read, and notes that there is one. */
  record Note(Skip skipped, PathNode node, Object value) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      skipped.pass(cursor, view);
      view.values().put(node, value);
    }
  }

  /** Takes a scalar value. */
  record Take(Scalar.Reading reading, PathNode node) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.values().put(node, reading.value(cursor, node.path()));
    }
  }

  /** Takes a record, of which only the number of its fields is kept, and reads through it. */
  record TakeRecord(PathNode node, Fields through) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.values().put(node, new Values.Structure(false, through.fields.size()));
      through.pass(cursor, view);
    }
  }

  /** Reads the elements of a list, and takes their number if it is wanted. */
  record Elements(List<Step> first, Step others, PathNode node) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.values().openList(node);
      Blocks elements = new Blocks(cursor, node.path());
      int index = 0;
      for (; elements.next(); index++) {
        (index < first.size() ? first.get(index) : others).pass(cursor, view);
      }
      if (node.isLeaf()) view.values().put(node, new Values.Structure(true, index));
    }
  }

  /** Notes the position of the first byte of the attributes, and reads through them. */
  record TakeAttributes(Schema schema, Step through) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.takeAttributes(schema, cursor.position());
      through.pass(cursor, view);
    }
  }

  /** Reads all fields of a record, in order. */
  record Fields(List<Step> fields) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      // The loop uses an index, because an iterator would be an allocation for every record.
      for (int i = 0; i < fields.size(); i++) fields.get(i).pass(cursor, view);
    }
  }

  /** Reads the branch of a union that the value has. */
  record Branches(List<Step> branches, String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      branches.get(cursor.readIndex(field, branches.size())).pass(cursor, view);
    }
  }

  /**
   * Reads the entries of a map, and skips those that are not needed. A needed one must occur once:
   * two readers would see two values.
   */
  record Entries(Map<String, Step> wanted, Step others, PathNode node) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      Blocks entries = new Blocks(cursor, node.path());
      BitSet met = new BitSet();
      int size = 0;
      for (; entries.next(); size++) {
        String name = cursor.readString(node.path());
        Step step = wanted.get(name);
        if (step != null) noteOnce(met, node.child(name));
        (step == null ? others : step).pass(cursor, view);
      }
      if (node.isLeaf()) view.values().put(node, new Values.Structure(false, size));
    }

    private static void noteOnce(BitSet met, PathNode child) {
      if (met.get(child.ordinal())) throw new DuplicateNameException(child.path());
      met.set(child.ordinal());
    }
  }
}
