import type { Language } from '@voltdeck/contract/languages';
import type { CustomerId, Id } from '@voltdeck/units/id';

export type CustomerSessionId = Id<'customer_session'>;

/**
 * A customer who calls for themselves. They reach no agent's records, so that `scoped` leaves what belongs to them, as
 * for a registered user of the console: that one place decides whose records an answer holds.
 */
export type CustomerCaller = {
  customerId: CustomerId;
  agents: readonly [];
  phone: string;
  nickname: string;
  createdAt: string;
  sessionId: CustomerSessionId;
  language: Language;
  remoteAddress: string;
  /** For the audit log: no user of the console acts. */
  userId: null;
};
