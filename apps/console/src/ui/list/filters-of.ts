import { type FilterKind, filterKindOf } from '@voltdeck/contract/fields';
import type { Column } from '@voltdeck/contract/list';
import type * as z from 'zod/mini';
import { type PhraseKey, phrase } from '../../phrases.ts';
import type { Session } from '../../session/session.ts';
import type { FilterLook, Filters, List, PeriodLook } from '../list-page.ts';
import { wordOf } from './Cell.tsx';
import type { Choice, ListFilter, RecordChoices, RecordKind } from './list-view.ts';
import { recordChoices } from './record-choices.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

function shapeOf(list: List): Shape {
  return (list.query as unknown as { shape: Shape }).shape;
}

/** @throws RangeError for a query field that cannot be a filter. */
function kindOf(list: List, name: string): FilterKind {
  const schema = shapeOf(list)[name];
  const kind = schema === undefined ? undefined : filterKindOf(schema);
  if (kind === undefined) throw new RangeError(`${list.path} has no filter ${name}`);
  return kind;
}

function periodOf<L extends List>(list: L, { title, which, isFine }: PeriodLook): ListFilter<L> {
  const choices = which === undefined ? undefined : kindOf(list, which.name);
  return {
    kind: 'period',
    name: 'period',
    label: phrase(title),
    from: 'from' as never,
    to: 'to' as never,
    ...(which === undefined || choices?.kind !== 'choice'
      ? {}
      : {
          which: {
            name: which.name as never,
            choices: choices.values.map((value) => ({ value, label: phrase(`${which.words}.${value}` as PhraseKey) })),
          },
        }),
    ...(isFine === undefined ? {} : { isFine }),
  };
}

function fieldOf<L extends List>(list: L, name: string, look: FilterLook): ListFilter<L> {
  const kind = kindOf(list, name);
  const column = list.columns[name] as Column | undefined;
  const title = look.title ?? (column?.title as PhraseKey | undefined);
  if (title === undefined) throw new RangeError(`the filter ${name} of ${list.path} has no title`);
  const field = { name: name as never, label: phrase(title) };
  const words = look.words ?? column?.words;
  switch (kind.kind) {
    case 'text':
      if (look.choices !== undefined) return { kind: 'choice', ...field, choices: look.choices(), single: true };
      return {
        kind: 'text',
        ...field,
        maxLength: kind.maxLength,
        ...(look.suggestions === undefined ? {} : { suggestions: look.suggestions() }),
      };
    case 'number':
      return { kind: 'text', ...field, maxLength: String(kind.max).length };
    case 'money':
      return { kind: 'money', ...field, maxFen: kind.maxFen };
    case 'choice': {
      const choices = (look.values ?? kind.values).map(
        (value): Choice => ({ value, label: wordOf({ kind: 'choice', words: words as string }, value) }),
      );
      return { kind: 'choice', ...field, choices, single: kind.isSingle };
    }
    case 'flag':
      return {
        kind: 'flag',
        ...field,
        ...(Array.isArray(words)
          ? {
              yes: wordOf({ kind: 'flag', words: words as never }, true),
              no: wordOf({ kind: 'flag', words: words as never }, false),
            }
          : {}),
      };
    case 'record': {
      const choices = recordChoices[kind.record as RecordKind] as RecordChoices | undefined;
      if (choices === undefined) throw new RangeError(`no ${kind.record} to choose from for ${name} of ${list.path}`);
      return { kind: 'record', ...field, ...choices };
    }
    case 'region':
      return { kind: 'region', ...field };
    case 'instant':
      throw new RangeError(`the filter ${name} of ${list.path} is one end of a period`);
  }
}

/** The filters of a list for its view; their types come from the list's query. */
export function filtersOf<L extends List>(list: L, filters: Filters<L>, session: Session): ListFilter<L>[] {
  return Object.entries(filters as Readonly<Record<string, FilterLook | PeriodLook>>).flatMap(([name, look]) => {
    if (name === 'from') return [periodOf(list, look as PeriodLook)];
    const field = look as FilterLook;
    return field.may?.(session) === false ? [] : [fieldOf(list, name, field)];
  });
}
