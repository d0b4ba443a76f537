/**
 * Tables, pictures and files for all measurements. Start at {@link
 * io.sluice.bench.report.MarkdownTable}. The package depends on no other one.
 */
package io.sluice.bench.report;
