import type { Protocol } from '@voltdeck/charging/states';
import type { FrameExplanation, InteractionLog } from '@voltdeck/contract/logs';

/** The request and, where there is one, the answer of an exchange, taken apart. */
export function explainExchange(_log: InteractionLog): FrameExplanation[] {
  return [];
}

/** Frames from anywhere, taken apart. */
export function explainPasted(_text: string, _protocol: Protocol | undefined): FrameExplanation[] {
  return [];
}
