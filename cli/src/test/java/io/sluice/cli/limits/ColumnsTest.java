package io.sluice.cli.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnsTest {
  @Test
  void columnsLineUpAndEmptyOnesAreLeftOut() {
    Columns columns = new Columns("limit", "by", "quota");
    columns.row(List.of("reply", "", "5/60s"));
    columns.row(List.of("transfer", "", "1/1h"));
    StringWriter text = new StringWriter();
    columns.print(new PrintWriter(text, true));
    assertThat(text.toString().lines())
        .containsExactly("limit     quota", "reply     5/60s", "transfer  1/1h");
  }
}
