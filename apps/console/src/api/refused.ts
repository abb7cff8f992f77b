import type { Envelope } from '@voltdeck/contract/envelope';
import type { ErrorCode, FieldFault } from '@voltdeck/contract/errors';

export type FieldRefusal = FieldFault & { message: string };

/** The server refused. `message` is in the language of the request and fit to show. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** The envelope's status: the HTTP status, or one of `lostSessionStatuses`. */
  readonly status: number;
  /** The envelope's numeric code. */
  readonly envelopeCode: number;
  /** The reason, if the server named one. */
  readonly code: ErrorCode | undefined;
  readonly fields: readonly FieldRefusal[];
  readonly requestId: string | undefined;
  /** Seconds to wait before trying again, if the server named them (a locked sign-in, too many requests). */
  readonly retryAfterSeconds: number | undefined;
  /** Whether the message has been shown; it is shown once. */
  isShown = false;

  constructor(message: Envelope<unknown>['message'], retryAfterSeconds?: number) {
    super(message.message);
    this.status = message.status;
    this.envelopeCode = message.code;
    this.code = message.error;
    this.fields = message.fields ?? [];
    this.requestId = message.requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer came: a network failure, a timeout, or an answer that is not from our server. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly isTimeout: boolean;

  constructor(isTimeout: boolean, cause?: unknown) {
    super(isTimeout ? 'timeout' : 'unreachable', { cause });
    this.isTimeout = isTimeout;
  }
}

/** The act waits for a second person, and nothing was changed yet. The notice of it has been shown. */
export class Waiting extends Error {
  override readonly name = 'Waiting';
}

export type CallFailure = Refused | Unreachable | Waiting;
