package io.sluice.topology.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** A first word with whoever listens at an address, to tell what kind of server it is. */
final class BrokerProbe {
  private static final int MOST_CONNECTING_MS = 3_000;
  private static final int MOST_WAIT_MS = 10_000;

  /** Kafka's request for the versions that a broker knows; the one that needs no log-in. */
  private static final short API_VERSIONS = 18;

  /** One that who has not logged in where that is wanted is hung up on for. */
  private static final short DESCRIBE_CLUSTER = 60;

  private static final byte[] CLIENT = "sluice-probe".getBytes(US_ASCII);

  /** A record of TLS begins with its type and the major version. */
  private static final int TLS_ALERT = 0x1503;

  /** The kind of server that answers, if one does. */
  enum Answer {
    UNKNOWN_HOST,
    NOBODY,
    /** Somebody who did not understand, or did not answer. */
    SOMEBODY,
    TLS,
    /** A broker that hangs up on who has not logged in. */
    CLOSED_KAFKA,
    /** A broker that answers, or would in time. */
    OPEN_KAFKA
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
      OutputStream out = socket.getOutputStream();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      send(out, API_VERSIONS, new byte[0]);
      int first = in.readUnsignedShort();
      if (first == TLS_ALERT) return Answer.TLS;
      if (first != 0) return Answer.SOMEBODY; // the answer's length, well below 64 KiB
      in.skipNBytes(in.readUnsignedShort());
      return isOpen(out, in) ? Answer.OPEN_KAFKA : Answer.CLOSED_KAFKA;
    } catch (IOException e) {
      return Answer.SOMEBODY;
    }
  }

  private static boolean isOpen(OutputStream out, DataInputStream in) {
    try {
      send(out, DESCRIBE_CLUSTER, new byte[3]); // no tags, nothing wanted besides, no tags
      in.readInt();
      return true;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** With one write: a server that hangs up after the first bytes resets what comes behind. */
  private static void send(OutputStream out, short request, byte[] rest) throws IOException {
    int size = Short.BYTES * 3 + Integer.BYTES + CLIENT.length + rest.length;
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + size).putInt(size);
    bytes.putShort(request).putShort((short) 0).putInt(0);
    bytes.putShort((short) CLIENT.length).put(CLIENT).put(rest);
    out.write(bytes.array());
  }
}
