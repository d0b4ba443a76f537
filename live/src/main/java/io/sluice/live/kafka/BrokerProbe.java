package io.sluice.live.kafka;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** Probe of an address, which tells what kind of server listens, for error messages. */
final class BrokerProbe {
  private static final int MOST_CONNECTING_MS = 3_000;
  private static final int MOST_WAIT_MS = 10_000;

  /** API key of Kafka's request for supported versions, the only request that needs no login. */
  private static final short API_VERSIONS = 18;

  /** API key of a request after which a broker closes the connection if it requires a login. */
  private static final short DESCRIBE_CLUSTER = 60;

  private static final byte[] CLIENT = "sluice-probe".getBytes(US_ASCII);

  /** First two bytes of a TLS alert: the record type and the major version. */
  private static final int TLS_ALERT = 0x1503;

  /** Result of a probe: the kind of server that answered, or why none did. */
  enum Answer {
    UNKNOWN_HOST,
    NO_SERVER,
    /** A server that did not understand the request, or did not answer it. */
    OTHER_SERVER,
    TLS,
    /** A Kafka broker that closes connections of clients that do not log in. */
    CLOSED_KAFKA,
    /** A Kafka broker that needs no login, also if it is slow to answer. */
    OPEN_KAFKA
  }

  private BrokerProbe() {}

  /**
   * Sends unencrypted requests to an address. A TLS server, a broker that requires a login, and a
   * broker that does not, answer them differently.
   */
  static Answer ask(InetSocketAddress address) {
    if (address.isUnresolved()) return Answer.UNKNOWN_HOST;
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(MOST_WAIT_MS);
      socket.connect(address, MOST_CONNECTING_MS);
      return ask(socket);
    } catch (IOException e) {
      return Answer.NO_SERVER;
    }
  }

  private static Answer ask(Socket socket) {
    try {
      OutputStream out = socket.getOutputStream();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      send(out, API_VERSIONS, new byte[0]);
      int first = in.readUnsignedShort();
      if (first == TLS_ALERT) return Answer.TLS;
      // A broker's response begins with its length in four bytes, which is below 64 KiB here.
      if (first != 0) return Answer.OTHER_SERVER;
      in.skipNBytes(in.readUnsignedShort());
      return isOpen(out, in) ? Answer.OPEN_KAFKA : Answer.CLOSED_KAFKA;
    } catch (IOException e) {
      return Answer.OTHER_SERVER;
    }
  }

  private static boolean isOpen(OutputStream out, DataInputStream in) {
    try {
      // The three bytes of the request are empty tags, no options, and empty tags.
      send(out, DESCRIBE_CLUSTER, new byte[3]);
      in.readInt();
      return true;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Sends a request in one write: a server that closes the connection after the first bytes would
   * otherwise reset it when more bytes follow.
   */
  private static void send(OutputStream out, short request, byte[] rest) throws IOException {
    int size = Short.BYTES * 3 + Integer.BYTES + CLIENT.length + rest.length;
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + size).putInt(size);
    bytes.putShort(request).putShort((short) 0).putInt(0);
    bytes.putShort((short) CLIENT.length).put(CLIENT).put(rest);
    out.write(bytes.array());
  }
}
