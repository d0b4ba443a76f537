package io.sluice.cli.ask;

import io.sluice.live.change.NamedValues;
import io.sluice.rules.revision.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Query for events that wait in line.
 *
 * @param scope values that the events have
 * @param event id of the events; empty for all
 * @param limit limit for which the events wait; empty for any
 * @param most largest number of events in the answer
 */
record WaitingQuery(Scope scope, String event, String limit, int most) {
  private static final int MOST = 200;

  /**
   * Reads the options of a command.
   *
   * @throws IllegalArgumentException if an option is not valid; the message names it
   */
  static WaitingQuery of(List<String> values, String event, String limit, int most) {
    List<String> mistakes = new ArrayList<>();
    Scope scope = NamedValues.scope("--for", values, mistakes);
    if (!mistakes.isEmpty()) throw new IllegalArgumentException(String.join("; ", mistakes));
    if (most < 0 || most > MOST)
      throw new IllegalArgumentException("--max is a number from 0 to " + MOST);
    return new WaitingQuery(scope, event, limit, most);
  }

  /** Returns the parameters of a request to the API. */
  Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int i = 0; i < scope.values().size(); i++)
      parameters.put(scope.fields().fields().get(i).toString(), scope.values().get(i));
    if (!event.isEmpty()) parameters.put("event", event);
    if (!limit.isEmpty()) parameters.put("limit", limit);
    parameters.put("max", "" + most);
    return parameters;
  }
}
