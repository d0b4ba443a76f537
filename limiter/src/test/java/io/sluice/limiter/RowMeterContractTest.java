package io.sluice.limiter;

import java.util.List;

class RowMeterContractTest extends RateLimiterContract {
  @Override
  protected Subject subject(Quota quota, Algorithm algorithm) {
    WatchedRows rows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    Rule rule = Rule.policing("limit", quota, algorithm);
    return new Subject() {
      @Override
      public Decision meter(String key, Arrival arrival) {
        return meter.meter(arrival, List.of(new Bucket(rule, key))).decision(0);
      }

      @Override
      public Object stored() {
        return rows.content();
      }
    };
  }
}
