import { useEffect, useState } from 'react';
import type { ListFilter, ListRoute } from './list-view.ts';
import { regionPathText } from './region-names.ts';

/** The names of records and regions whose ids are in the address, for chips and fields. */
export function useFilterNames<R extends ListRoute>(
  filters: readonly ListFilter<R>[],
  values: Readonly<Record<string, string>>,
): { names: Readonly<Record<string, string>>; learn: (key: string, name: string) => void } {
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const learn = (key: string, name: string) => setNames((known) => ({ ...known, [key]: name }));
  const unknown = filters.filter((filter) => {
    const value = values[filter.name];
    return (
      (filter.kind === 'record' || filter.kind === 'region') &&
      value !== undefined &&
      names[`${filter.name}=${value}`] === undefined
    );
  });
  const wanted = unknown.map((filter) => `${filter.name}=${values[filter.name]}`).join('&');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the wanted names suffice; filters are new in each render
  useEffect(() => {
    const asked = new AbortController();
    for (const filter of unknown) {
      const value = values[filter.name] ?? '';
      const answer =
        filter.kind === 'record'
          ? filter.nameOf(value, asked.signal)
          : filter.kind === 'region'
            ? regionPathText(value)
            : Promise.resolve(null);
      answer.then(
        (name) => {
          if (!asked.signal.aborted && name !== null) learn(`${filter.name}=${value}`, name);
        },
        // The number is shown instead of a name; a refusal has been shown already.
        () => {},
      );
    }
    return () => asked.abort();
  }, [wanted]);
  return { names, learn };
}
