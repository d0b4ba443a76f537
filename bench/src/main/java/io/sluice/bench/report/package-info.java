/**
 * Tables, pictures and files, whatever is measured. Start at {@link
 * io.sluice.bench.report.MarkdownTable}. It calls no other room.
 */
package io.sluice.bench.report;
