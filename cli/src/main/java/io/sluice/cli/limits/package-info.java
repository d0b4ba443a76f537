/**
 * Commands that show and change limits while instances run. Start at {@link
 * io.sluice.cli.limits.LimitsCommand}: each subcommand that changes limits calls a method of {@code
 * RequestedChanges}.
 */
package io.sluice.cli.limits;
