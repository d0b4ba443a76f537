/**
 * The commands that show and change limits while instances run. Start at {@link
 * io.sluice.cli.limits.LimitsCommand}: each command drafts revisions, which {@code Publishing}
 * checks, explains and writes.
 */
package io.sluice.cli.limits;
