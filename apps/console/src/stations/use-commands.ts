import type { CommandOutcome } from '@voltdeck/charging/station-command';
import { listConnectors } from '@voltdeck/contract/connectors';
import { type commandStation, commandStation as route } from '@voltdeck/contract/station-commands';
import { getStation, listStations } from '@voltdeck/contract/stations';
import type { StationId } from '@voltdeck/units/id';
import { useCallback, useRef, useState } from 'react';
import { type CallInput, call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { failureText } from '../ui/failure-text.ts';
import type { Tone } from '../ui/state-colours.ts';
import { isOutcome, outcomeView } from './outcome.ts';

export type StationCommandBody = CallInput<typeof commandStation>['body'];

/** A command and its outcome. */
export type CommandEntry = {
  key: number;
  askedAt: string;
  /** The command in words. */
  label: string;
  answer: { tone: Tone; text: string; details: string | null; tookMs: number } | null;
};

/** Older ones are in the interaction log. */
const entriesMax = 20;

export type Commands = {
  entries: readonly CommandEntry[];
  isBusy: boolean;
  /** Sends a command; the answer appears as an entry and is returned, null where there is none. */
  send: (label: string, body: StationCommandBody) => Promise<CommandOutcome | null>;
  /** The same for other requests that the station answers: a start, a stop. */
  ask: (label: string, act: () => Promise<{ tone: Tone; text: string }>) => Promise<void>;
};

/** Commands to one station with its answers, kept while the page is open. */
export function useCommands(stationId: StationId): Commands {
  const [entries, setEntries] = useState<readonly CommandEntry[]>([]);
  const [waiting, setWaiting] = useState(0);
  const next = useRef(1);
  const refresh = useRefresh();

  const ask = useCallback(
    async (label: string, act: () => Promise<{ tone: Tone; text: string; details?: string | null }>) => {
      const key = next.current;
      next.current += 1;
      const startedMs = performance.now();
      const entry: CommandEntry = { key, askedAt: new Date().toISOString(), label, answer: null };
      setEntries((current) => [entry, ...current].slice(0, entriesMax));
      setWaiting((count) => count + 1);
      const answered = (answer: { tone: Tone; text: string; details?: string | null }) => {
        const tookMs = Math.round(performance.now() - startedMs);
        setEntries((current) =>
          current.map((one) => (one.key === key ? { ...one, answer: { details: null, ...answer, tookMs } } : one)),
        );
      };
      try {
        answered(await act());
      } catch (failure) {
        const { text, requestId } = failureText(failure);
        answered({
          tone: 'fault',
          text,
          details: requestId === undefined ? null : phrase('shell.requestId', { requestId }),
        });
      } finally {
        setWaiting((count) => count - 1);
      }
      await refresh(getStation, listConnectors, listStations);
    },
    [refresh],
  );

  const send = useCallback(
    async (label: string, body: StationCommandBody) => {
      let outcome: CommandOutcome | null = null;
      await ask(label, async () => {
        const answer: unknown = await call(route, { params: { id: stationId }, body, quiet: true });
        if (!isOutcome(answer)) {
          return { tone: 'charging', text: phrase('command-outcome.raw'), details: JSON.stringify(answer) };
        }
        outcome = answer;
        const view = outcomeView(answer);
        return { tone: view.tone, text: phrase(`command-outcome.${view.kind}`), details: view.details };
      });
      return outcome;
    },
    [ask, stationId],
  );

  return { entries, isBusy: waiting > 0, send, ask };
}
