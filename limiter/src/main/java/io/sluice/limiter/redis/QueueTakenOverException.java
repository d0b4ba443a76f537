package io.sluice.limiter.redis;

/**
 * Thrown if a queue has a later owner, such as an instance to which its partition was assigned. The
 * caller must stop: what it releases would be released a second time.
 */
public class QueueTakenOverException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  QueueTakenOverException(QueueOwner owner) {
    super("another instance has taken over queue " + owner.queue() + " from " + owner.epoch());
  }
}
