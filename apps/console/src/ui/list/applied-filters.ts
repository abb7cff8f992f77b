import { unreachable } from '@voltdeck/units/result';
import { phrase } from '../../phrases.ts';
import { moneyText } from '../figures.ts';
import { isoDateTime } from '../instants.ts';
import { parametersOf } from './list-query.ts';
import type { ListFilter, ListRoute } from './list-view.ts';

export type AppliedFilter = { name: string; label: string; text: string; parameters: readonly string[] };

/** "2026-11-21 15:04" */
export const minuteText = (iso: string) => isoDateTime(iso)?.slice(0, 16) ?? iso;

function periodText(from: string | undefined, to: string | undefined): string {
  if (from !== undefined && to !== undefined) {
    return phrase('list.fromUntil', { from: minuteText(from), to: minuteText(to) });
  }
  if (from !== undefined) return phrase('list.since', { from: minuteText(from) });
  return phrase('list.until', { to: minuteText(to ?? '') });
}

/** The applied filters in words. `names` has the names of records and regions, of which the address has only ids. */
export function appliedFilters<R extends ListRoute>(
  filters: readonly ListFilter<R>[],
  values: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): AppliedFilter[] {
  return filters.flatMap((filter): AppliedFilter[] => {
    const parameters = parametersOf(filter);
    const applied = (label: string, text: string) => [{ name: filter.name, label, text, parameters }];
    if (filter.kind === 'period') {
      const from = values[filter.from];
      const to = values[filter.to];
      if (from === undefined && to === undefined) return [];
      const { which } = filter;
      const chosen = which?.choices.find((choice) => choice.value === values[which.name]) ?? which?.choices[0];
      return applied(chosen?.label ?? filter.label, periodText(from, to));
    }
    const value = values[filter.name];
    if (value === undefined) return [];
    switch (filter.kind) {
      case 'text':
        return applied(filter.label, filter.suggestions?.find((offered) => offered.value === value)?.label ?? value);
      case 'money':
        return applied(filter.label, moneyText(Number(value)));
      case 'choice': {
        const labels = value.split(',').map((part) => filter.choices.find((choice) => choice.value === part)?.label);
        return applied(filter.label, labels.join(phrase('list.comma')));
      }
      case 'flag': {
        const own = value === 'true' ? filter.yes : filter.no;
        // Its own wording is complete without the label.
        return own === undefined
          ? applied(filter.label, phrase(value === 'true' ? 'list.yes' : 'list.no'))
          : applied('', own);
      }
      case 'record':
      case 'region':
        return applied(filter.label, names[`${filter.name}=${value}`] ?? value);
      default:
        return unreachable(filter);
    }
  });
}
