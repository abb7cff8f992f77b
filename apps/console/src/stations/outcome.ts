import { isAgreed } from '@voltdeck/charging/abilities';
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import { phrase } from '../phrases.ts';
import { isoDateTime } from '../ui/instants.ts';
import type { Tone } from '../ui/state-colours.ts';

/** A station's answer to show: its tone, its outcome and further details. */
export type OutcomeView = { tone: Tone; kind: CommandOutcome['kind']; details: string | null };

/** The contract leaves the answer open; anything that is not an outcome is shown unchanged. */
export function isOutcome(value: unknown): value is CommandOutcome {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

export function outcomeView(outcome: CommandOutcome): OutcomeView {
  return { tone: toneOf(outcome), kind: outcome.kind, details: detailsOf(outcome) };
}

function toneOf(outcome: CommandOutcome): Tone {
  if (isAgreed(outcome)) return 'free';
  switch (outcome.kind) {
    case 'cards':
      return outcome.cards.every(({ done }) => done) ? 'free' : 'occupied';
    case 'clock':
      return 'free';
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
    case 'rejected':
      return outcome.reason === undefined ? null : phrase(`rejection-reason.${outcome.reason}`);
    case 'cards':
      return outcome.cards
        .map(({ physicalNumber, done, reason }) => {
          const result = phrase(done ? 'stations.cardDone' : 'stations.cardNotDone');
          return `${physicalNumber}  ${reason === undefined ? result : phrase(`rejection-reason.${reason}`)}`;
        })
        .join('\n');
    case 'clock':
      return outcome.stationTime === null ? null : isoDateTime(new Date(outcome.stationTime).toISOString());
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
