package io.sluice.topology;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A first word with whoever listens at an address, to tell what kind of server it is. */
final class BrokerProbe {
  private static final int MOST_CONNECTING_MS = 3_000;
  private static final int MOST_WAIT_MS = 10_000;

  /** Kafka's request for the versions that a broker knows; the one that needs no log-in. */
  private static final short API_VERSIONS = 18;

  private static final byte[] CLIENT = "sluice-probe".getBytes(US_ASCII);

  /** A record of TLS begins with its type and the major version. */
  private static final int TLS_ALERT = 0x1503;

  /** Who answers, if anybody does. */
  enum Answer {
    UNKNOWN_HOST,
    NOBODY,
    /** Somebody who did not understand, or did not answer. */
    SOMEBODY,
    TLS,
    KAFKA
  }

  private BrokerProbe() {}

  /** Asks, in plain text, what a server of any security protocol has an answer of its own to. */
  static Answer ask(InetSocketAddress address) {
    if (address.isUnresolved()) return Answer.UNKNOWN_HOST;
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(MOST_WAIT_MS);
      socket.connect(address, MOST_CONNECTING_MS);
      return ask(socket);
    } catch (IOException e) {
      return Answer.NOBODY;
    }
  }

  private static Answer ask(Socket socket) {
    try {
      socket.getOutputStream().write(request());
      int first = new DataInputStream(socket.getInputStream()).readUnsignedShort();
      if (first == TLS_ALERT) return Answer.TLS;
      return first == 0 ? Answer.KAFKA : Answer.SOMEBODY; // the answer's length, well below 64 KiB
    } catch (IOException e) {
      return Answer.SOMEBODY;
    }
  }

  /** To be sent at once: who hangs up after the first bytes is not heard by who still sends. */
  private static byte[] request() {
    int length = 3 * Short.BYTES + Integer.BYTES + CLIENT.length;
    return ByteBuffer.allocate(Integer.BYTES + length)
        .putInt(length)
        .putShort(API_VERSIONS)
        .putShort((short) 0) // of this request
        .putInt(0) // which request
        .putShort((short) CLIENT.length)
        .put(CLIENT)
        .array();
  }
}
