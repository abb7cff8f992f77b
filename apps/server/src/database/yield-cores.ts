import { readFile, writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** How far behind this process one stands that yields (nice(2)): where cores are short it gets about a tenth. */
const yieldedBy = 10;
const nicenessMax = 19;
/** The kernel lets somebody who is not its administrator set a group's niceness once in a tenth of a second, all of them together. */
const groupTries = { atMost: 50, everyMs: 120 } as const;

/** The thread that calls it stands behind the others of this process, where the system schedules threads each by its own niceness. */
export function standBackThread(): void {
  // Elsewhere the whole process would.
  if (process.platform !== 'linux') return;
  setPriority(Math.min(getPriority() + yieldedBy, nicenessMax));
}

/** A connection of pg as far as this needs it; the types leave out the process that serves it. */
type Served = { processID?: number | null; connection?: { stream?: { localPort?: number } } };

/**
 * Puts the PostgreSQL process of a connection behind those of other connections where it runs on this machine: what
 * people search for takes the cores that stations leave. Elsewhere, and where the system forbids it, nothing changes.
 */
export async function yieldCores(client: unknown): Promise<void> {
  const { processID, connection } = client as Served;
  const localPort = connection?.stream?.localPort;
  if (processID === undefined || processID === null || localPort === undefined) return;
  // The number may be one of another machine; its title on Linux names the connection that it serves.
  const title = await readFile(`/proc/${processID}/cmdline`, 'utf8').catch(() => '');
  if (!title.startsWith('postgres:') || !title.includes(`(${localPort})`)) return;
  await standBack(processID);
}

/**
 * Puts a process of this user behind others, as far as the system allows. Every PostgreSQL process leads a session of
 * its own, and where Linux schedules by sessions (sched(7), autogroups) a process's niceness only counts within its
 * session, so the session gets the same.
 */
export async function standBack(processID: number): Promise<void> {
  const niceness = Math.min(getPriority() + yieldedBy, nicenessMax);
  try {
    setPriority(processID, niceness);
  } catch {
    // Another user's process, or gone: a wish, not a need.
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
