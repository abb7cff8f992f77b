import { type InteractionLog, listInteractionLogs, tailEvent, tailInteractionLogs } from '@voltdeck/contract/logs';
import { startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';
import { addressOf } from '../../api/address.ts';
import { call } from '../../api/call.ts';
import { keepStream, type StreamState } from '../../api/server-stream.ts';
import { hear, newestFirst, noTailRows, resume, skip, type TailRows } from './tail-rows.ts';
import type { LogQuery } from './use-log-pages.ts';

/** Batch interval, so that a busy network does not render the table for every frame. */
const gatherMs = 300;
/** One event may hold several long frames. */
const eventLengthMax = 4 * 1024 * 1024;
/** Rows fetched to cover what was logged before the stream was connected. */
const caughtUpRows = 100;

export type LogTail = {
  rows: TailRows;
  state: StreamState;
  /** Shows waiting rows at once, held or not. */
  showWaiting: () => void;
  clear: () => void;
};

/** The live log while `isOn` and the page is visible; `newestKey` is the newest row of the list below. */
export function useLogTail(query: LogQuery, isOn: boolean, isHeld: boolean, newestKey: string | undefined): LogTail {
  const [rows, setRows] = useState(noTailRows);
  const [state, setState] = useState<StreamState>('connecting');
  const gathered = useRef<InteractionLog[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const flush = useEffectEvent(() => {
    timer.current = undefined;
    const came = gathered.current.splice(0);
    // User input takes precedence.
    startTransition(() => setRows((before) => hear(before, came, isHeld)));
  });
  const gather = useEffectEvent((came: readonly InteractionLog[]) => {
    gathered.current.push(...came);
    timer.current ??= setTimeout(() => flush(), gatherMs);
  });

  const catchUp = useEffectEvent(async (signal: AbortSignal) => {
    const known = rows.shown[0]?.key ?? newestKey;
    const { items, nextBefore } = await call(listInteractionLogs, {
      query: { ...query, pageSize: caughtUpRows },
      signal,
      quiet: true,
    });
    const oldest = items.at(-1);
    const isGap =
      known !== undefined && nextBefore !== null && oldest !== undefined && newestFirst(oldest, { key: known }) < 0;
    // After a gap the view starts again from complete rows.
    if (isGap) setRows(() => hear({ ...noTailRows, isCut: true }, items, false));
    else gather(items);
  });

  const address = addressOf(tailInteractionLogs.path, {}, query);
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    setState('connecting');
    const stopStream = keepStream(address, {
      eventLengthMax,
      // Watching the stream is still worthwhile when the catch-up fails.
      onOpen: () => void catchUp(stop.signal).catch(() => undefined),
      onEvent: (data) => {
        const event = tailEvent.safeParse(data);
        if (!event.success) return;
        if (event.data.kind === 'logged') gather(event.data.items);
        else {
          const { count } = event.data;
          setRows((before) => skip(before, count));
        }
      },
      onState: setState,
    });
    return () => {
      stop.abort();
      stopStream();
      clearTimeout(timer.current);
      timer.current = undefined;
      gathered.current = [];
    };
  }, [address, isOn]);
  // Drop the rows of another query.
  const [shownAddress, setShownAddress] = useState(address);
  if (shownAddress !== address) {
    setShownAddress(address);
    setRows(noTailRows);
  }
  useEffect(() => {
    if (!isHeld) setRows(resume);
  }, [isHeld]);

  return { rows, state, showWaiting: () => setRows(resume), clear: () => setRows(noTailRows) };
}
