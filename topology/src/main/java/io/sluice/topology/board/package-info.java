/**
 * What is shown of a running application: which keys had most events, over all instances, and the
 * last quarter of an hour of one, as it goes on. Start at {@link io.sluice.topology.board.Board}.
 * It answers requests of the room {@code web} from those below.
 */
package io.sluice.topology.board;
