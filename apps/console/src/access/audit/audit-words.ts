import { auditActions } from '@voltdeck/contract/audit-actions';
import { knownPhrase, phrase } from '../../phrases.ts';
import { energyText, moneyText, nothingText, priceText } from '../../ui/figures.ts';
import { isoDateTime } from '../../ui/instants.ts';

/** The text for a name from the server; a name that this console does not know is shown unchanged. */
function wordFor(prefix: string, name: string): string {
  return knownPhrase(`${prefix}.${name}`) ?? name;
}

const commandPrefix = 'station.command.';

/** An action in words: "Renewed the password of a station". */
export function actionText(action: string): string {
  if (!action.startsWith(commandPrefix)) return wordFor('audit-action', action);
  return phrase('audit.command', { command: wordFor('command', action.slice(commandPrefix.length)) });
}

export const actionChoices = () =>
  Object.keys(auditActions).map((value) => ({ value, label: wordFor('audit-action', value) }));

/** Exported lists are identified by their name in the contract, every other record by its number. */
export function recordNumber({ recordKind, recordId }: { recordKind: string; recordId: string }): string {
  return recordKind === 'export' ? wordFor('task-list', recordId) : recordId;
}

export const recordText = (recordKind: string) => wordFor('audit-record', recordKind);

/** A field's name, looked up by full path, then by last word; otherwise the path itself. */
export function fieldText(path: string): string {
  const parts = path.split('.');
  return parts
    .map((part) =>
      /^\d+$/.test(part) ? phrase('audit.item', { number: Number(part) + 1 }) : wordFor('audit-field', part),
    )
    .join(phrase('audit.pathMark'));
}

/** A value in words. The unit is the last word of the field name. */
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
