/**
 * Reports of how a configuration reads one record, for samples in files and for records in topics.
 * Start at {@link io.sluice.cli.event.EventReport}.
 */
package io.sluice.cli.event;
