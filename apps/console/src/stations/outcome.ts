import { isAgreed } from '@voltdeck/charging/abilities';
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { Tone } from '../ui/state-colours.ts';

/** What a station answered, ready to show: in which tone, which outcome, and what it said beyond that. */
export type OutcomeView = { tone: Tone; kind: CommandOutcome['kind']; details: string | null };

/** The contract leaves the answer open; anything that is not an outcome is told as a bare answer. */
export function isOutcome(value: unknown): value is CommandOutcome {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

export function outcomeView(outcome: CommandOutcome): OutcomeView {
  return { tone: toneOf(outcome), kind: outcome.kind, details: detailsOf(outcome) };
}

function toneOf(outcome: CommandOutcome): Tone {
  if (isAgreed(outcome)) return 'free';
  switch (outcome.kind) {
    case 'configuration':
    case 'data':
    case 'raw':
      return 'charging';
    case 'offline':
      return 'offline';
    case 'busy':
    case 'timed-out':
    case 'not-supported':
      return 'occupied';
    default:
      return 'fault';
  }
}

function detailsOf(outcome: CommandOutcome): string | null {
  switch (outcome.kind) {
    case 'station-error':
      return [outcome.code, outcome.description].filter((part) => part !== '').join(': ');
    case 'data':
      return [outcome.status, outcome.data ?? ''].filter((part) => part !== '').join(': ');
    case 'raw':
      return JSON.stringify(outcome.payload);
    case 'configuration':
      return outcome.entries.map(({ key, value }) => `${key} = ${value ?? ''}`).join('\n');
    default:
      return null;
  }
}
