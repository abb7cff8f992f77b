import type { ErrorCode, FieldFault } from './errors.ts';

/**
 * The specification's envelope around every answer. Success is status 200, code 0. A refusal repeats the HTTP status
 * in both, except for a lost session, whose status is one of `lostSessionStatuses`.
 */
export type Envelope<Data> = {
  message: {
    status: number;
    code: number;
    message: string;
    /** Our additions to the specification's three: the error code, the faulty fields, and a reference to quote. */
    error?: ErrorCode;
    fields?: readonly (FieldFault & { message: string })[];
    requestId?: string;
  };
  data: Data;
};

/** Specification section 8: these statuses open the re-login dialog. */
export const lostSessionStatuses = {
  'session.missing': 50008,
  'session.replaced': 50012,
  'session.expired': 50014,
} as const satisfies Partial<Record<ErrorCode, number>>;

/** Specification section 8: this code signs out and reloads. */
export const signOutCode = 201;

/** Specification section 9. */
export const loginPlatform = 4;
export const tokenHeader = 'token';
export const languageHeader = 'language';
export const tokenCookie = 'zhny_token';
export const idempotencyHeader = 'idempotency-key';
