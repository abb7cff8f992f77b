import type { Tariff as Rule } from '@voltdeck/contract/tariffs';
import { parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import { phrase } from '../phrases.ts';

/** What became of a saved rule: in force at how many stations, or waiting until when. */
export function savedText({ name, version, state, effectiveAt, stationCount }: Rule): string {
  const at = parseIso(effectiveAt);
  if (state === 'waiting' && at !== null) {
    return phrase('tariffs.savedLater', { name, version, at: shanghaiDateTime(at).slice(0, 16) });
  }
  return phrase('tariffs.saved', { name, version, count: stationCount });
}
