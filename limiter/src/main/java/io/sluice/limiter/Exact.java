package io.sluice.limiter;

import java.math.BigInteger;

/** Exact arithmetic on products of two longs, without overflow and without floating point. */
final class Exact {
  private Exact() {}

  /**
   * Returns {@code floor(a * b / c)}, capped at {@code Long.MAX_VALUE}, for a and b of at least 0
   * and c of at least 1.
   */
  static long mulDivFloor(long a, long b, long c) {
    if (Math.multiplyHigh(a, b) == 0 && a * b >= 0) return a * b / c;
    BigInteger quotient =
        BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).divide(BigInteger.valueOf(c));
    return quotient.bitLength() > 63 ? Long.MAX_VALUE : quotient.longValue();
  }

  /**
   * Returns {@code ceil(a * b / c)}, capped at {@code Long.MAX_VALUE}, for a and b of at least 0
   * and c of at least 1.
   */
  static long mulDivCeil(long a, long b, long c) {
    if (Math.multiplyHigh(a, b) == 0 && a * b >= 0) {
      long product = a * b;
      return product / c + (product % c == 0 ? 0 : 1);
    }
    BigInteger[] parts =
        BigInteger.valueOf(a)
            .multiply(BigInteger.valueOf(b))
            .divideAndRemainder(BigInteger.valueOf(c));
    long quotient = parts[0].bitLength() > 63 ? Long.MAX_VALUE : parts[0].longValue();
    return parts[1].signum() == 0 || quotient == Long.MAX_VALUE ? quotient : quotient + 1;
  }

  /** Whether {@code a * b / c <= most}, for a and b of at least 0 and c of at least 1. */
  static boolean productFits(long a, long b, long c, long most) {
    return mulDivCeil(a, b, c) <= most;
  }

  /** Whether {@code a * b <= c * d}, for arguments of at least 0. */
  static boolean productAtMost(long a, long b, long c, long d) {
    long left = Math.multiplyHigh(a, b);
    long right = Math.multiplyHigh(c, d);
    return left != right ? left < right : Long.compareUnsigned(a * b, c * d) <= 0;
  }
}
