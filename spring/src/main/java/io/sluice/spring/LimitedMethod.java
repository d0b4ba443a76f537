package io.sluice.spring;

import java.lang.reflect.Method;
import java.util.List;

/**
 * A method and all that it is limited by.
 *
 * @param cost what a call needs of each limit
 */
record LimitedMethod(Method method, List<MethodLimit> limits, CostSource cost) {
  LimitedMethod {
    limits = List.copyOf(limits);
  }

  List<Ask> asks(Call call) {
    return limits.stream().map(limit -> limit.ask(call)).toList();
  }

  boolean asksRedis() {
    return limits.stream().anyMatch(MethodLimit::isRemote);
  }
}
