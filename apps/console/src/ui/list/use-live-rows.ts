import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ConsoleEvent } from '@voltdeck/contract/events';
import { useEffect, useEffectEvent } from 'react';
import { listen } from '../../api/events.ts';
import type { ListRoute, LivePatches, RowOf } from '../list-page.ts';
import { type AnyPatch, type LivePage, patchedPage } from './live-page.ts';

/** New rows may come in bursts; the page is asked for again this often at the most. */
const refetchEveryMs = 3_000;

/** Moves the rows of one shown page by server push. */
export function useLiveRows<R extends ListRoute>(key: QueryKey, live: LivePatches<R> | undefined): void {
  const client = useQueryClient();
  const onEvent = useEffectEvent((event: ConsoleEvent, askAgain: () => void) => {
    const patch = live?.[event.kind] as AnyPatch<RowOf<R>> | undefined;
    const page = client.getQueryData<LivePage<RowOf<R>>>(key);
    if (patch === undefined || page === undefined) return;
    const after = patchedPage(page, event, patch);
    if (after !== page) client.setQueryData(key, after);
    else if (patch.mayAdd?.(event)) askAgain();
  });
  const kinds = Object.keys(live ?? {}).join();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askAgain = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: [key[0]] });
      }, refetchEveryMs);
    };
    const stops = kinds
      .split(',')
      .filter((kind) => kind !== '')
      .map((kind) => listen(kind as ConsoleEvent['kind'], (event) => onEvent(event, askAgain)));
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [client, kinds, key[0]]);
}
