import { auditActions } from '@voltdeck/contract/audit-actions';
import { type PhraseKey, phrase } from '../../phrases.ts';
import { energyText, moneyText, nothingText, priceText } from '../../ui/figures.ts';
import { isoDateTime } from '../../ui/instants.ts';

/** The text of a key that the server named; a word that this console does not know yet is shown as it came. */
function wordFor(prefix: string, name: string): string {
  const key = `${prefix}.${name}`;
  const text = phrase(key as PhraseKey);
  return text === key ? name : text;
}

const commandPrefix = 'station.command.';

/** "Renewed the password of a station", from the word of the code. */
export function actionText(action: string): string {
  if (!action.startsWith(commandPrefix)) return wordFor('audit-action', action);
  return phrase('audit.command', { command: wordFor('command', action.slice(commandPrefix.length)) });
}

export const actionChoices = () =>
  Object.keys(auditActions).map((value) => ({ value, label: wordFor('audit-action', value) }));

/** A list that was exported is known by its name in the contract; every other record by its number. */
export function recordNumber({ recordKind, recordId }: { recordKind: string; recordId: string }): string {
  return recordKind === 'export' ? wordFor('task-list', recordId) : recordId;
}

export const recordText = (recordKind: string) => wordFor('audit-record', recordKind);

/** The name of a field: by its whole path, by its last word, or as the code calls it. */
export function fieldText(path: string): string {
  const parts = path.split('.');
  return parts
    .map((part) =>
      /^\d+$/.test(part) ? phrase('audit.item', { number: Number(part) + 1 }) : wordFor('audit-field', part),
    )
    .join(phrase('audit.pathMark'));
}

/** One value in words; the unit stands last in the name of its field. */
export function valueText(path: string, value: unknown): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path;
  if (value === null || value === undefined || value === '') return nothingText;
  if (typeof value === 'boolean') return phrase(value ? 'list.yes' : 'list.no');
  if (typeof value === 'number') {
    if (name.endsWith('Wh')) return `${energyText(value, 3)} kWh`;
    if (name.endsWith('Fen')) return moneyText(value);
    if (name.endsWith('E5') || path.startsWith('prices.')) return `¥${priceText(value)}`;
    return String(value);
  }
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return isoDateTime(value) ?? value;
    return name === 'dataScope' ? wordFor('data-scope', value) : wordFor(`audit-value.${name}`, value);
  }
  if (Array.isArray(value)) return value.map(String).join(phrase('list.comma'));
  return JSON.stringify(value);
}
