import type { RecordChoices, RecordKind } from './list-view.ts';

/** Loaded with the first question: the routes of every kind of record are more than a list needs to show. */
const load = () => import('./record-sources.ts');

const choicesOf = (kind: RecordKind): RecordChoices => ({
  search: async (text, signal) => (await load()).recordSources[kind].search(text, signal),
  nameOf: async (value, signal) => (await load()).recordSources[kind].nameOf(value, signal),
});

/** The records that filters and forms choose from by typing. */
export const recordChoices: Readonly<Record<RecordKind, RecordChoices>> = {
  site: choicesOf('site'),
  station: choicesOf('station'),
  agent: choicesOf('agent'),
  tariff: choicesOf('tariff'),
  user: choicesOf('user'),
  position: choicesOf('position'),
  card: choicesOf('card'),
  customer: choicesOf('customer'),
  divider: choicesOf('divider'),
  group: choicesOf('group'),
  partner: choicesOf('partner'),
};
