package io.sluice.events;

/**
 * Text of IP addresses and networks: IPv4 in dotted decimal, IPv6 as in RFC 5952. An IPv4-mapped
 * IPv6 address is its IPv4 address.
 */
final class IpText {
  /** Both kinds of addresses as they are, not their networks. */
  static final Bits WHOLE = new Bits(-1, -1);

  private static final int GROUPS = 8;
  private static final int GROUP_BITS = 16;
  private static final int V4_BITS = 32;
  private static final int LONGEST = 45; // an IPv6 address that ends with an IPv4 address

  private final String text;
  private final int[] groups = new int[GROUPS];
  private int at;

  private IpText(String text) {
    this.text = text;
  }

  /**
   * Number of leading bits that make the network.
   *
   * @param v4 0 to 32; negative for the address without its network
   * @param v6 0 to 128; negative for the address without its network
   */
  record Bits(int v4, int v6) {}

  /**
   * Returns an address in its only form, or its network, such as {@code 10.0.0.0/24}; null if the
   * text is not an address. Parts of IPv4 addresses with leading zeros are not accepted, since some
   * programs read them as octal numbers.
   */
  static String of(String text, Bits bits) {
    if (text.length() > LONGEST) return null;
    IpText address = new IpText(text);
    if (text.indexOf(':') < 0) {
      long v4 = address.v4();
      return v4 < 0 || address.at < text.length() ? null : v4Text(v4, bits.v4);
    }
    if (!address.v6()) return null;
    return address.isMapped()
        ? v4Text(((long) address.groups[6] << GROUP_BITS) | address.groups[7], bits.v4)
        : address.v6Text(bits.v6);
  }

  /** Reads an IPv4 address at the current place; returns -1 if there is none. */
  private long v4() {
    long address = 0;
    for (int part = 0; part < 4; part++) {
      if (part > 0 && !takes('.')) return -1;
      int start = at;
      int number = 0;
      while (at < text.length() && at - start < 3 && isDigit(text.charAt(at))) {
        number = number * 10 + text.charAt(at++) - '0';
      }
      boolean leadingZero = at - start > 1 && text.charAt(start) == '0';
      if (at == start || leadingZero || number > 255) return -1;
      address = address << 8 | number;
    }
    return address;
  }

  /** Reads an IPv6 address that is the whole text; returns whether it is one. */
  private boolean v6() {
    int count = 0;
    int gap = -1; // index of the group before which :: stands
    if (text.startsWith("::")) {
      at = 2;
      gap = 0;
    }
    while (at < text.length()) {
      if (count == GROUPS) return false;
      int end = text.indexOf(':', at);
      if (end < 0 && text.indexOf('.', at) >= 0) {
        long v4 = count > GROUPS - 2 ? -1 : v4();
        if (v4 < 0 || at < text.length()) return false;
        groups[count++] = (int) (v4 >>> GROUP_BITS);
        groups[count++] = (int) (v4 & 0xffff);
        break;
      }
      int group = group(end < 0 ? text.length() : end);
      if (group < 0) return false;
      groups[count++] = group;
      if (at == text.length()) break;
      at++; // the colon
      if (takes(':')) {
        if (gap >= 0) return false;
        gap = count;
      } else if (at == text.length()) {
        return false;
      }
    }
    return spread(count, gap);
  }

  /** Moves the groups behind {@code ::} to the end. */
  private boolean spread(int count, int gap) {
    if (gap < 0) return count == GROUPS;
    if (count == GROUPS) return false;
    int behind = count - gap;
    System.arraycopy(groups, gap, groups, GROUPS - behind, behind);
    for (int i = gap; i < GROUPS - behind; i++) groups[i] = 0;
    return true;
  }

  private int group(int end) {
    if (end == at || end - at > 4) return -1;
    int number = 0;
    for (; at < end; at++) {
      char c = text.charAt(at);
      int digit = c < 0x80 ? Character.digit(c, GROUP_BITS) : -1;
      if (digit < 0) return -1;
      number = number << 4 | digit;
    }
    return number;
  }

  private boolean takes(char c) {
    if (at >= text.length() || text.charAt(at) != c) return false;
    at++;
    return true;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private boolean isMapped() {
    for (int i = 0; i < 5; i++) if (groups[i] != 0) return false;
    return groups[5] == 0xffff;
  }

  private static String v4Text(long address, int bits) {
    long network = bits < 0 ? address : address & -1L << (V4_BITS - bits);
    StringBuilder v4 = new StringBuilder(LONGEST);
    for (int shift = 24; shift >= 0; shift -= 8) {
      v4.append(network >>> shift & 0xff);
      if (shift > 0) v4.append('.');
    }
    return network(v4, bits);
  }

  private static String network(StringBuilder address, int bits) {
    return bits < 0 ? address.toString() : address.append('/').append(bits).toString();
  }

  private String v6Text(int bits) {
    for (int i = 0; bits >= 0 && i < GROUPS; i++) {
      int kept = Math.max(0, Math.min(GROUP_BITS, bits - i * GROUP_BITS));
      groups[i] &= 0xffff << (GROUP_BITS - kept) & 0xffff;
    }
    int gap = longestZeros();
    StringBuilder v6 = new StringBuilder(LONGEST);
    for (int i = 0; i < GROUPS; ) {
      if (i == gap) {
        v6.append("::");
        while (i < GROUPS && groups[i] == 0) i++;
        continue;
      }
      v6.append(Integer.toHexString(groups[i++]));
      if (i < GROUPS && i != gap) v6.append(':');
    }
    return network(v6, bits);
  }

  /** Returns the index of the first longest run of at least two groups of 0; -1 if none. */
  private int longestZeros() {
    int longest = 1;
    int found = -1;
    int begin = 0;
    for (int i = 0; i <= GROUPS; i++) {
      if (i < GROUPS && groups[i] == 0) continue;
      if (i - begin > longest) {
        longest = i - begin;
        found = begin;
      }
      begin = i + 1;
    }
    return found;
  }
}
