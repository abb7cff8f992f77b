import { type ConsoleEvent, streamEvents } from '@voltdeck/contract/events';
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { addressOf } from './address.ts';
import { isEnvelope, judge } from './envelope.ts';
import { eventReader } from './event-lines.ts';
import { reactTo } from './reactions.ts';
import { callerHeaders } from './send.ts';

const firstDelayMs = 1_000;
const delayMaxMs = 30_000;
/** The server sends a sign of life more often than this; silence means that the connection is dead. */
const silenceMaxMs = 60_000;
/** A browser window nobody looks at gives its connection back after this. */
const hiddenMaxMs = 60_000;

export type StreamState = 'connecting' | 'open' | 'lost';
export const useStreamState = create<{ state: StreamState }>(() => ({ state: 'connecting' }));

type Kind = ConsoleEvent['kind'];
type EventOf<K extends Kind> = Extract<ConsoleEvent, { kind: K }>;
const listeners = new Map<Kind, Set<(event: ConsoleEvent) => void>>();

function tell(event: ConsoleEvent): void {
  for (const listener of listeners.get(event.kind) ?? []) listener(event);
}

/** Hears events of `kind` while the page that uses it is visible. */
export function useConsoleEvents<K extends Kind>(kind: K, handler: (event: EventOf<K>) => void): void {
  const onEvent = useEffectEvent(handler);
  useEffect(() => listen(kind, (event) => onEvent(event as EventOf<K>)), [kind]);
}

/** Hears events of `kind` until the function that it gives is called. */
export function listen(kind: Kind, handler: (event: ConsoleEvent) => void): () => void {
  const set = listeners.get(kind) ?? new Set();
  listeners.set(kind, set);
  set.add(handler);
  return () => set.delete(handler);
}

/** How long to wait before the next attempt: doubling, half of it by chance so that consoles do not return at once. */
export function reconnectDelayMs(failures: number, chance: number): number {
  const whole = Math.min(delayMaxMs, firstDelayMs * 2 ** Math.min(failures, 10));
  return whole / 2 + (whole / 2) * chance;
}

function isEvent(value: unknown): value is ConsoleEvent {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

type Ending = 'ended' | 'refused';

/** One connection, until it ends. Token and language travel as headers, which EventSource cannot send. */
async function readStream(signal: AbortSignal, onOpen: () => void): Promise<Ending> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMaxMs);
  try {
    const response = await fetch(addressOf(streamEvents.path), {
      headers: { ...callerHeaders(), accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silence.signal]),
      cache: 'no-store',
    });
    if (!response.ok || response.body === null) {
      const answer: unknown = await response.json();
      if (!isEnvelope(answer)) return 'ended';
      const verdict = judge(answer);
      if (verdict.kind === 'accepted' || verdict.kind === 'refused') return 'ended';
      reactTo(verdict, true);
      return 'refused';
    }
    onOpen();
    const read = eventReader();
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMaxMs);
      for (const data of read(chunk)) {
        const event: unknown = JSON.parse(data);
        if (isEvent(event)) tell(event);
      }
    }
    return 'ended';
  } catch {
    return 'ended';
  } finally {
    clearTimeout(timer);
  }
}

/** Keeps the stream connected until the function that it gives is called. A gap is told as `missed`. */
export function startEvents(): () => void {
  const stop = new AbortController();
  let wake = () => {};
  const setState = (state: StreamState) => {
    if (!stop.signal.aborted) useStreamState.setState({ state });
  };

  const run = async () => {
    let failures = 0;
    let hadConnection = false;
    while (!stop.signal.aborted) {
      const connection = new AbortController();
      let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
      const onVisibility = () => {
        clearTimeout(hiddenTimer);
        if (document.hidden) hiddenTimer = setTimeout(() => connection.abort(), hiddenMaxMs);
      };
      document.addEventListener('visibilitychange', onVisibility);
      const ending = await readStream(AbortSignal.any([stop.signal, connection.signal]), () => {
        setState('open');
        failures = 0;
        if (hadConnection) tell({ kind: 'missed' });
        hadConnection = true;
      });
      document.removeEventListener('visibilitychange', onVisibility);
      clearTimeout(hiddenTimer);
      if (stop.signal.aborted || ending === 'refused') return;
      if (!connection.signal.aborted) setState('lost');
      const delay = reconnectDelayMs(failures, Math.random());
      failures += 1;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (!document.hidden) setTimeout(resolve, delay);
      });
    }
  };
  const onWake = () => {
    if (!document.hidden) wake();
  };
  document.addEventListener('visibilitychange', onWake);
  window.addEventListener('online', onWake);
  void run();
  return () => {
    stop.abort();
    wake();
    document.removeEventListener('visibilitychange', onWake);
    window.removeEventListener('online', onWake);
  };
}
