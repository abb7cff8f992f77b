import type { PriceChangeState, PriceChangeStation, PriceChangeStationState } from '@voltdeck/contract/price-changes';
import { knownPhrase } from '../phrases.ts';
import type { Tone } from '../ui/state-colours.ts';

export const priceChangeTones: Readonly<Record<PriceChangeState, Tone>> = {
  waiting: 'occupied',
  running: 'charging',
  done: 'free',
  partly: 'fault',
  cancelled: 'offline',
};

export const priceChangeStationTones: Readonly<Record<PriceChangeStationState, Tone>> = {
  waiting: 'occupied',
  sent: 'charging',
  taken: 'free',
  refused: 'fault',
  offline: 'offline',
  skipped: 'offline',
};

/** Why a station was skipped, or what it answered: "rejected:fault". */
export function reasonText({ state, reason }: Pick<PriceChangeStation, 'state' | 'reason'>): string {
  if (reason === null) return '';
  if (state === 'skipped') return knownPhrase(`price-change-skip.${reason}`) ?? reason;
  const [outcome = '', answer] = reason.split(':');
  const said = knownPhrase(`command-outcome.${outcome}`) ?? outcome;
  const because = answer === undefined ? undefined : (knownPhrase(`rejection.${answer}`) ?? answer);
  return because === undefined ? said : `${said} · ${because}`;
}
