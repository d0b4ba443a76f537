package io.sluice.bench.inprocess;

import io.sluice.bench.report.MarkdownTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs {@link InProcessBenchmark} with JMH, and returns its results as a table. */
public final class InProcess {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private InProcess() {}

  public static List<String> run(boolean quick, Path folder, PrintWriter progress)
      throws RunnerException {
    Path log = folder.resolve("in-process.log");
    progress.println("JMH measures; what it says goes to " + log);
    progress.flush();
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(InProcessBenchmark.class.getName())
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .output(log.toString())
            .resultFormat(ResultFormatType.JSON)
            .result(folder.resolve("in-process.json").toString());
    if (quick) {
      TimeValue moment = TimeValue.milliseconds(200);
      options.warmupTime(moment).measurementTime(moment).measurementIterations(2);
    }
    return new MarkdownTable<>(List.copyOf(new Runner(options.build()).run()))
        .text(
            "in process, 10k keys, one thread",
            each -> Library.valueOf(each.getParams().getParam("library")).title)
        .text("traffic", each -> each.getParams().getParam("traffic").toLowerCase(Locale.ROOT))
        .text("ns", each -> figure("%.1f", each.getPrimaryResult().getScore()))
        .text("+/-", each -> figure("%.1f", each.getPrimaryResult().getScoreError()))
        .text("bytes", each -> figure("%.0f", bytes(each)))
        .lines();
  }

  private static double bytes(RunResult result) {
    Result<?> bytes = result.getSecondaryResults().get(ALLOCATED);
    return bytes == null ? Double.NaN : bytes.getScore();
  }

  private static String figure(String format, double figure) {
    return Double.isNaN(figure) ? "?" : String.format(Locale.ROOT, format, figure);
  }
}
