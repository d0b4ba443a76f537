package io.sluice.schemas;

import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** Step that reads one value of a body, and passes the needed parts to a view. */
interface Step {
  void pass(BodyCursor cursor, RecordView view);

  /** Skips a value. */
  record Skip(Schema schema, String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      BodyCheck.pass(schema, field, cursor);
    }
  }

  /**
   * Refuses the event, because its branch of a union is unfit; other events of the schema can be
   * read.
   */
  record Refuse(String what) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      throw new UndecodableException(what);
    }
  }

  /** Reads a text. */
  record TakeText(Schema schema, Role role, String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.take(role, Scalar.text(schema, cursor, field));
    }
  }

  /** Reads the cost. */
  record TakeCost(String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.takeCost(cursor.readLong(field));
    }
  }

  /** Reads a time that is a number. */
  record TakeTime(String field, long perMilli) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.takeTime(EpochMillis.ofNumber(cursor.readLong(field), perMilli));
    }
  }

  /** Reads a time that is a text. */
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

  /** Notes where the attributes begin, and reads through them. */
  record TakeAttributes(Schema schema, Step through) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.takeAttributes(schema, cursor.position());
      through.pass(cursor, view);
    }
  }

  /** Reads the fields of a record. */
  record Fields(List<Step> fields) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      // Uses an index, because an iterator would be an allocation for every record.
      for (int i = 0; i < fields.size(); i++) fields.get(i).pass(cursor, view);
    }
  }

  /** Reads the branch of a union that is present. */
  record Branches(List<Step> branches, String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      branches.get(cursor.readIndex(field, branches.size())).pass(cursor, view);
    }
  }

  /** Reads the entries of a map, some of which are needed. */
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
