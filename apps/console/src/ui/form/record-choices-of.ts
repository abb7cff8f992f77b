import type { RecordChoices } from '../list/list-view.ts';
import { recordChoices } from '../list/record-choices.ts';

/**
 * The list of records for a field, by its name: "cardTariffId" is a tariff.
 * @throws RangeError for a kind of record that nothing can be chosen from yet.
 */
export function recordChoicesOf(name: string): RecordChoices {
  const found = Object.entries(recordChoices).find(([kind]) => name.toLowerCase().endsWith(`${kind}id`));
  if (found === undefined) throw new RangeError(`no records to choose from for ${name}`);
  return found[1];
}
