import type { Exchange, ExchangeFault } from '@voltdeck/charging/exchange';
import type { ConnectionEffect } from '@voltdeck/charging/station-connection';
import type { Instant } from '@voltdeck/units/instant';

/** A frame for the interaction log; `at` is when it arrived or was sent. */
export type LoggedFrame = Readonly<Pick<Exchange, 'action' | 'messageId'>> & {
  readonly text: string;
  readonly at: Instant;
};

/** How a frame was replied to, if at all, and what was wrong. */
export type Ending = { replyText: string | null; fault: ExchangeFault | null };

/** A frame and its reply for the interaction log. */
export function exchangeOf<Wire>(
  direction: Exchange['direction'],
  { action, messageId, text, at }: LoggedFrame,
  { replyText, fault }: Ending,
  now: Instant,
): ConnectionEffect<Wire> {
  const latencyMs = replyText === null ? null : now - at;
  const exchange: Exchange = {
    direction,
    action,
    messageId,
    requestText: text,
    requestedAt: at,
    replyText,
    latencyMs,
    fault,
  };
  return { kind: 'exchange', exchange };
}
