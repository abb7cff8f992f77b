import type { Divider, DividerTerm } from '@voltdeck/contract/dividers';
import { listSites } from '@voltdeck/contract/sites';
import { listStations } from '@voltdeck/contract/stations';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import type { RecordChoices } from '../ui/list/list-view.ts';
import { recordChoices } from '../ui/list/record-choices.ts';

/** The fields of terms that every form for them has: a rate for each fee, and from when to when. */
export function termFields(holder: string | null, { past }: { past: boolean }) {
  const hint = () => phrase('dividers.percentHint', { holder: holder ?? phrase('dividers.platform') });
  return {
    electricityPercent: { label: 'dividers.electricityPercent', isShort: true },
    servicePercent: { label: 'dividers.servicePercent', isShort: true },
    occupancyPercent: { label: 'dividers.occupancyPercent', hint },
    fromOn: {
      label: 'dividers.fromOn',
      hint: past ? 'dividers.fromOnHint' : 'dividers.followFromHint',
      isShort: true,
    },
    lastOn: { label: 'dividers.lastOn', hint: 'dividers.lastOnHint', isShort: true },
  } as const;
}

export const noRates = { electricityPercent: 0, servicePercent: 0, occupancyPercent: 0 } as const;

export const termFieldOf = {
  'divider.nothing_shared': 'electricityPercent',
} as const;

/** Sites and stations where the dividers of a holder may share, by part of the name; the platform's may anywhere. */
export function placeChoices({ agentId }: Pick<Divider, 'agentId'>) {
  const holderId = agentId ?? undefined;
  const site: RecordChoices = {
    ...recordChoices.site,
    search: async (name, signal) => {
      const { items } = await call(listSites, { query: { holderId, name }, signal });
      return items.map(({ id, name: label }) => ({ value: String(id), label }));
    },
  };
  const station: RecordChoices = {
    ...recordChoices.station,
    search: async (name, signal) => {
      const { items } = await call(listStations, { query: { holderId, name }, signal });
      return items.map(({ id, name: label, number }) => ({ value: String(id), label: `${label} · ${number}` }));
    },
  };
  return { site, station };
}

/** What asks for the division of the place where terms hold. */
export function placeOf({ place, siteId, stationId }: DividerTerm) {
  return place === 'site' ? { siteId: siteId ?? undefined } : { stationId: stationId ?? undefined };
}

/** Where terms hold, in words. */
export function placeText({
  place,
  siteName,
  stationName,
}: Pick<DividerTerm, 'place' | 'siteName' | 'stationName'>): string {
  if (place === 'everywhere') return phrase('dividers.everywhere');
  return place === 'site' ? (siteName ?? '') : `${siteName ?? ''} · ${stationName ?? ''}`;
}

export type TermForm = { divider: Divider; open: boolean; onClose: () => void; onSaved: (told: string) => void };
