package io.sluice.schemas;

import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** A way past one value of a body, which takes along what is wanted of it. */
interface Step {
  void pass(BodyCursor cursor, RecordView view);

  /** Takes nothing. */
  record Skip(Schema schema, String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      BodyCheck.pass(schema, field, cursor);
    }
  }

  /** Refuses the event, though others of its schema are fine: one branch of a union is no use. */
  record Refuse(String what) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      throw new UndecodableException(what);
    }
  }

  /** Takes a text. */
  record TakeText(Schema schema, Role role, String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.take(role, Scalar.text(schema, cursor, field));
    }
  }

  /** Takes the cost. */
  record TakeCost(String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.takeCost(cursor.readLong(field));
    }
  }

  /** Takes a time that is a number. */
  record TakeTime(String field, long perMilli) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.takeTime(EpochMillis.ofNumber(cursor.readLong(field), perMilli));
    }
  }

  /** Takes a time that is a text. */
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

  /** Notes where the attributes are, and goes through them. */
  record TakeAttributes(Schema schema, Step through) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      view.takeAttributes(schema, cursor.position());
      through.pass(cursor, view);
    }
  }

  /** Goes through the fields of a record. */
  record Fields(List<Step> fields) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      // By index: an iterator here would be an allocation for every record.
      for (int i = 0; i < fields.size(); i++) fields.get(i).pass(cursor, view);
    }
  }

  /** Goes the way of the branch that is there. */
  record Branches(List<Step> branches, String field) implements Step {
    @Override
    public void pass(BodyCursor cursor, RecordView view) {
      branches.get(cursor.readIndex(field, branches.size())).pass(cursor, view);
    }
  }

  /** Goes through the entries of a map, of which some are wanted. */
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
