import { type ConsoleEvent, streamEvents } from '@voltdeck/contract/events';
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { addressOf } from './address.ts';
import { keepStream, type StreamState } from './server-stream.ts';

export const useStreamState = create<{ state: StreamState }>(() => ({ state: 'connecting' }));

type Kind = ConsoleEvent['kind'];
type EventOf<K extends Kind> = Extract<ConsoleEvent, { kind: K }>;
const listeners = new Map<Kind, Set<(event: ConsoleEvent) => void>>();

function tell(event: ConsoleEvent): void {
  for (const listener of listeners.get(event.kind) ?? []) listener(event);
}

/** Handles events of `kind` while the page is visible. */
export function useConsoleEvents<K extends Kind>(kind: K, handler: (event: EventOf<K>) => void): void {
  const onEvent = useEffectEvent(handler);
  useEffect(() => listen(kind, (event) => onEvent(event as EventOf<K>)), [kind]);
}

/** Handles events of `kind` until the returned function is called. */
export function listen(kind: Kind, handler: (event: ConsoleEvent) => void): () => void {
  const set = listeners.get(kind) ?? new Set();
  listeners.set(kind, set);
  set.add(handler);
  return () => set.delete(handler);
}

function isEvent(value: unknown): value is ConsoleEvent {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

/** Keeps the event stream connected until the returned function is called. A gap is reported as `missed`. */
export function startEvents(): () => void {
  let hadConnection = false;
  return keepStream(addressOf(streamEvents.path), {
    onOpen: () => {
      if (hadConnection) tell({ kind: 'missed' });
      hadConnection = true;
    },
    onEvent: (event) => {
      if (isEvent(event)) tell(event);
    },
    onState: (state) => useStreamState.setState({ state }),
  });
}
