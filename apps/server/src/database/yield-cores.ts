import { readFile, writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** The niceness of low-priority work (nice(2)): where cores are short it gets about a tenth. */
const yieldedBy = 10;
const nicenessMax = 19;
/**
 * Without administrator rights, the kernel allows setting a group's niceness once per tenth of a second, for all groups
 * together.
 */
const groupTries = { atMost: 50, everyMs: 120 } as const;

/**
 * Lowers the priority of the calling thread below the process's other threads, where the system schedules threads
 * separately.
 */
export function lowerThreadPriority(): void {
  // Elsewhere this would affect the whole process.
  if (process.platform !== 'linux') return;
  setPriority(Math.min(getPriority() + yieldedBy, nicenessMax));
}

/** The part of pg's connection needed here; its types omit the serving process. */
type Served = { processID?: number | null; connection?: { stream?: { localPort?: number } } };

/**
 * Lowers the priority of a connection's PostgreSQL process where it runs on this machine, so that people's searches get
 * the cores that stations leave. Elsewhere, and where the system forbids it, nothing changes.
 */
export async function yieldCores(client: unknown): Promise<void> {
  const { processID, connection } = client as Served;
  const localPort = connection?.stream?.localPort;
  if (processID === undefined || processID === null || localPort === undefined) return;
  // The pid may be one of another machine; on Linux its title names the connection it serves.
  const title = await readFile(`/proc/${processID}/cmdline`, 'utf8').catch(() => '');
  if (!title.startsWith('postgres:') || !title.includes(`(${localPort})`)) return;
  await lowerPriority(processID);
}

/**
 * Lowers the priority of a process of this user, as far as the system allows. Every PostgreSQL process leads a session
 * of its own, and where Linux schedules by sessions (sched(7), autogroups) a process's niceness only counts within its
 * session, so the session gets the same.
 */
export async function lowerPriority(processID: number): Promise<void> {
  const niceness = Math.min(getPriority() + yieldedBy, nicenessMax);
  try {
    setPriority(processID, niceness);
  } catch {
    // Another user's process, or gone: best effort.
    return;
  }
  for (let tries = 0; tries < groupTries.atMost; tries += 1) {
    try {
      return await writeFile(`/proc/${processID}/autogroup`, String(niceness));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      await wait(groupTries.everyMs, undefined, { ref: false });
    }
  }
}
