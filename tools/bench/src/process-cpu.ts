import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second of /proc/<pid>/stat; 100 on every Linux that Node runs on (proc(5), sysconf(_SC_CLK_TCK)). */
const ticksPerSecond = 100;

type Stat = { pid: number; parent: number; ticks: number; childTicks: number; residentBytes: number };

function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // Fields counted from the state, field 3 of proc(5): parent 4, utime 14, stime 15, cutime 16, cstime 17, rss 24.
    const at = (field: number): number => fields[field - 3] ?? 0;
    return { pid, parent: at(4), ticks: at(14) + at(15), childTicks: at(16) + at(17), residentBytes: at(24) * 4096 };
  } catch {
    return null;
  }
}

function treeOf(roots: readonly number[]): Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat !== null);
  const members = new Set(roots);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent } of all) {
      if (members.has(parent) && !members.has(pid)) {
        members.add(pid);
        grew = true;
      }
    }
  }
  return all.filter(({ pid }) => members.has(pid));
}

/** CPU seconds, user and system, of these processes, their descendants and their ended children. */
export function cpuSecondsOf(roots: readonly number[]): number {
  return treeOf(roots).reduce((sum, { ticks, childTicks }) => sum + ticks + childTicks, 0) / ticksPerSecond;
}

/** Resident memory of one process in bytes. */
export function residentBytesOf(pid: number): number {
  return readStat(pid)?.residentBytes ?? 0;
}

/** CPU time of this process for a piece of work, user and system, in nanoseconds. */
export function cpuNs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1_000;
}
