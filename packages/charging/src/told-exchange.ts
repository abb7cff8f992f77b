import type { Authorization, ConnectorState } from './states.ts';
import type { RejectionReason } from './station-command.ts';
import type { TransactionReference } from './transaction.ts';

/** An exchange of the interaction log, as far as its protocol has to read it. */
export type LoggedTexts = { direction: 'from-station' | 'to-station'; request: string; answer: string | null };

/** What became of something that was asked of a station. */
export type AskedOutcome =
  | { kind: 'accepted' }
  /** It will be done when the vehicle is plugged in, or the running charge ends. */
  | { kind: 'scheduled' }
  | { kind: 'refused'; reason: RejectionReason | null }
  | { kind: 'unanswered' };

/**
 * What a logged exchange was about, in our own words: the kinds that the story of a charge is made of. Gun ports count
 * from 1 and are null where the protocol does not name one, as is the name of the charge; `authorization` is null where no answer was read.
 */
export type ToldExchange =
  | { kind: 'booted'; isAccepted: boolean }
  | { kind: 'card-shown'; connectorNumber: number | null; cardNumber: string; authorization: Authorization | null }
  | { kind: 'began'; connectorNumber: number | null; transaction: TransactionReference | null }
  | { kind: 'ended'; connectorNumber: number | null; transaction: TransactionReference; isAnswered: boolean }
  | { kind: 'start-asked'; connectorNumber: number | null; outcome: AskedOutcome }
  | {
      kind: 'stop-asked';
      connectorNumber: number | null;
      transaction: TransactionReference | null;
      outcome: AskedOutcome;
    }
  | { kind: 'port-changed'; connectorNumber: number; state: ConnectorState; faultCode: string | null };
