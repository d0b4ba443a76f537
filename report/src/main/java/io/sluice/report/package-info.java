/** Reports how long the tests of a build took: {@link io.sluice.report.TestReport}. */
package io.sluice.report;
