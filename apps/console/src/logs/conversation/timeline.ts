import type { InteractionLog } from '@voltdeck/contract/logs';
import { parseIso, secondMs } from '@voltdeck/units/instant';
import { isHeartbeat } from '../message-kinds.ts';

/** Shorter silences are not shown. */
export const gapMinMs = 5 * secondMs;

export type TimelineItem =
  | { kind: 'gap'; key: string; lengthMs: number }
  | { kind: 'exchange'; key: string; log: InteractionLog }
  /** Consecutive heartbeats. */
  | { kind: 'heartbeats'; key: string; logs: readonly InteractionLog[] };

const msOf = (log: InteractionLog): number => parseIso(log.at) ?? 0;

/**
 * A conversation for reading: oldest first, with heartbeats folded and silences shown. A failed heartbeat is not
 * folded.
 */
export function timelineOf(exchanges: readonly InteractionLog[]): TimelineItem[] {
  const items: TimelineItem[] = [];
  let lastMs: number | null = null;
  for (const log of exchanges) {
    const atMs = msOf(log);
    const isFolded = isHeartbeat(log) && log.fault === null && log.answer !== null;
    const last = items.at(-1);
    if (isFolded && last?.kind === 'heartbeats') {
      items[items.length - 1] = { ...last, logs: [...last.logs, log] };
    } else {
      if (lastMs !== null && atMs - lastMs >= gapMinMs) {
        items.push({ kind: 'gap', key: `gap ${log.key}`, lengthMs: atMs - lastMs });
      }
      items.push(
        isFolded
          ? { kind: 'heartbeats', key: `heartbeats ${log.key}`, logs: [log] }
          : { kind: 'exchange', key: log.key, log },
      );
    }
    lastMs = atMs;
  }
  return items;
}
