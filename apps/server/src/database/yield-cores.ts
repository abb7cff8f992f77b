import { readFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';

/** How far behind this process one stands that yields (nice(2)): where cores are short it gets about a tenth. */
const yieldedBy = 10;
const nicenessMax = 19;

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
  try {
    setPriority(processID, Math.min(getPriority() + yieldedBy, nicenessMax));
  } catch {
    // Another user's process, or gone: a wish, not a need.
  }
}
