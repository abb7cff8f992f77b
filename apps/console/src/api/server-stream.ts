import { isEnvelope, judge } from './envelope.ts';
import { eventReader } from './event-lines.ts';
import { pageEnd } from './page-end.ts';
import { reactTo } from './reactions.ts';
import { callerHeaders } from './send.ts';

const firstDelayMs = 1_000;
const delayMaxMs = 30_000;
/** The server sends a keep-alive more often than this; longer silence means a dead connection. */
const silenceMaxMs = 60_000;
/** A hidden window gives up its connection after this. */
const hiddenMaxMs = 60_000;

export type StreamState = 'connecting' | 'open' | 'lost';

/**
 * Delay before reconnecting: doubles each time, and half of it is random so that consoles do not return all at once.
 */
export function reconnectDelayMs(failures: number, chance: number): number {
  const whole = Math.min(delayMaxMs, firstDelayMs * 2 ** Math.min(failures, 10));
  return whole / 2 + (whole / 2) * chance;
}

export type StreamListener = {
  /** Connected, first or again: events in between were missed. */
  onOpen: () => void;
  /** The data of one event, parsed. */
  onEvent: (event: unknown) => void;
  onState: (state: StreamState) => void;
  /** Maximum length of one event in characters. */
  eventLengthMax?: number;
};

type Ending = 'ended' | 'refused';

/** Reads one connection to its end. Token and language travel as headers, which EventSource cannot send. */
async function readStream(address: string, listener: StreamListener, signal: AbortSignal): Promise<Ending> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMaxMs);
  try {
    const response = await fetch(address, {
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
    listener.onOpen();
    const read = eventReader(listener.eventLengthMax);
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMaxMs);
      for (const data of read(chunk)) listener.onEvent(JSON.parse(data));
    }
    return 'ended';
  } catch {
    return 'ended';
  } finally {
    clearTimeout(timer);
  }
}

/** Keeps a stream of server-sent events connected until the page ends or the returned function is called. */
export function keepStream(address: string, listener: StreamListener): () => void {
  const stop = new AbortController();
  const stopped = AbortSignal.any([stop.signal, pageEnd]);
  let wake = () => {};
  const setState = (state: StreamState) => {
    if (!stopped.aborted) listener.onState(state);
  };

  const run = async () => {
    let failures = 0;
    while (!stopped.aborted) {
      const connection = new AbortController();
      let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
      const onVisibility = () => {
        clearTimeout(hiddenTimer);
        if (document.hidden) hiddenTimer = setTimeout(() => connection.abort(), hiddenMaxMs);
      };
      document.addEventListener('visibilitychange', onVisibility);
      const heard = {
        ...listener,
        onOpen: () => {
          setState('open');
          failures = 0;
          listener.onOpen();
        },
      };
      const ending = await readStream(address, heard, AbortSignal.any([stopped, connection.signal]));
      document.removeEventListener('visibilitychange', onVisibility);
      clearTimeout(hiddenTimer);
      if (stopped.aborted || ending === 'refused') return;
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
