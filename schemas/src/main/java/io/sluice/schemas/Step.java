package io.sluice.schemas;

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

  /** Reads a value as text, for a field with a role. */
  record TakeText(Schema schema, Role role, String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.take(role, Scalar.text(schema, cursor, field));
    }
  }

  /** Reads the cost of the event, in permits. */
  record TakeCost(String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.takeCost(cursor.readLong(field));
    }
  }

  /** Reads the time of the event from a number. */
  record TakeTime(String field, long perMilli) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.takeTime(EpochMillis.ofNumber(cursor.readLong(field), perMilli));
    }
  }

  /** Reads the time of the event from a text in ISO-8601. */
  record TakeTimeText(String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      try {
        view.takeTime(EpochMillis.ofText(cursor.readString(field)));
      } catch (IllegalArgumentException e) {
        throw new UndecodableException(field + ": " + e.getMessage(), e);
      }
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

  /** Reads the entries of a map, and skips those that are not needed. */
  record Entries(Map<String, Step> wanted, Step others, String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      Blocks entries = new Blocks(cursor, field);
      while (entries.next()) {
        String name = cursor.readString(field);
        wanted.getOrDefault(name, others).pass(cursor, view);
      }
    }
  }
}
