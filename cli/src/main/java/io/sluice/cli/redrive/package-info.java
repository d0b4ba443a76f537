/**
 * Command that sends dead letters back to their input topics. Start at {@link
 * io.sluice.cli.redrive.RedriveCommand}, then {@code LetterCheck}, which decides on each letter.
 */
package io.sluice.cli.redrive;
