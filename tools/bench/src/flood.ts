import { exportThreadLimits } from '@voltdeck/server/exports/export-thread';
import { logLimits } from '@voltdeck/server/journal/log-allowance';
import { type Child, startChild } from './child-answers.ts';
import type { CrowdOrder, CrowdReport } from './flood-crowd.ts';
import type { NeighboursOrder, NeighboursReport } from './flood-neighbours.ts';
import { type FloodNetwork, seedFloodNetwork, signInUsers } from './flood-network.ts';
import type { FloodStationsOrder, FloodStationsReport } from './flood-stations.ts';
import { cpuSecondsOf, residentBytesOf } from './process-cpu.ts';
import { type Product, startProduct } from './product.ts';
import { percentile, spread } from './spread.ts';

/** The bounds that the gateways are built for. */
const overCalmMax = 2;
const grownMaxMiB = 64;
const residentMaxMiB = 512;

const warmUpMs = 5_000;
const phaseMs = 20_000;
/** The number of parts of a phase that give the spread of its percentiles. */
const parts = 4;
/**
 * Long enough for garbage collection, for what the flooders left in their sockets, and for the exports' thread to end.
 */
const restMs = exportThreadLimits.idleMs + 15_000;
const sampleEveryMs = 100;

const groups = { neighbours: { ocpp: 20, ykc: 10 }, flooders: { ocpp: 2, ykc: 2 } };
const searchers = ['searcher 1', 'searcher 2', 'searcher 3', 'searcher 4', 'searcher 5'];

const questions = { ocpp: 'OCPP neighbour', ykc: 'YKC neighbour', orderList: 'order list', order: 'order' } as const;
type Question = keyof typeof questions;
/** Those who must not notice the flood; the console is measured beside them. */
const bounded = ['ocpp', 'ykc'] as const satisfies readonly Question[];

type Children = {
  neighbours: Child<NeighboursOrder, NeighboursReport>;
  stations: Child<FloodStationsOrder, FloodStationsReport>;
  crowd: Child<CrowdOrder, CrowdReport>;
};

type Used = Record<'server' | 'PostgreSQL' | 'neighbours' | 'flooders' | 'crowd', number>;
type Flooded = { stations: FloodStationsReport; crowd: CrowdReport; memory: Memory; used: Used };
type Memory = { beforeMiB: number; peakMiB: number; afterMiB: number };

/**
 * What thirty honest stations and a person at the console feel of a flood: twenty quiet seconds, then twenty in which
 * four stations send valid frames as fast as their sockets take them, ten thousand connections try invented numbers, 1,024
 * at a time, and five users keep a hundred searches of the log and twenty exports going; then twenty calm ones. All of it
 * comes from one address.
 *
 * The time from a neighbour's frame to its answer is measured in the neighbours' process, from when the frame was due.
 * Server, PostgreSQL and the load share the machine's cores. The two processes of the flood stand back behind all others, as
 * they would run on other machines; how much of their flood the server has taken is printed. The flood is compared with a calm
 * in which both burn as much CPU as their flood has cost them, evenly: what is left of the ratio is the server's. The
 * quiet before the flood, without such a competitor, is printed beside it.
 * @returns a line for every bound that was missed.
 */
export async function benchFlood(): Promise<string[]> {
  let network: FloodNetwork | null = null;
  let tokens: string[] = [];
  const product = await startProduct(async (database) => {
    network = await seedFloodNetwork(database, groups);
  });
  const children: Children = {
    neighbours: await startChild('./flood-neighbours.ts'),
    stations: await startChild('./flood-stations.ts', { standsBack: true }),
    crowd: await startChild('./flood-crowd.ts', { standsBack: true }),
  };
  try {
    if (network === null) throw new Error('nothing was seeded');
    tokens = await signInUsers(product.database, ['neighbour', ...searchers]);
    return await measure(product, network, tokens, children);
  } finally {
    await Promise.all(Object.values(children).map((child) => child.end()));
    await product.stop();
  }
}

async function measure(
  product: Product,
  { neighbours, flooders, orderIds }: FloodNetwork,
  [token = '', ...tokens]: readonly string[],
  children: Children,
): Promise<string[]> {
  const { port, ykcPort, serverPid } = product;
  await children.neighbours.ask({ kind: 'connect', port, ykcPort, ...neighbours, token, orderIds });
  await children.stations.ask({ kind: 'connect', port, ykcPort, ...flooders });
  await children.neighbours.ask({ kind: 'run', forMs: warmUpMs });
  const quiet = await children.neighbours.ask({ kind: 'run', forMs: phaseMs });
  const memory: Memory = { beforeMiB: residentMiB(serverPid), peakMiB: 0, afterMiB: 0 };
  const watch = setInterval(() => {
    memory.peakMiB = Math.max(memory.peakMiB, residentMiB(serverPid));
  }, sampleEveryMs);
  const cpu = cpuOf(product, children);
  const [flood, stations, crowd] = await Promise.all([
    children.neighbours.ask({ kind: 'run', forMs: phaseMs }),
    children.stations.ask({ kind: 'run', forMs: phaseMs }),
    children.crowd.ask({ kind: 'run', port, ykcPort, forMs: phaseMs, tokens: [...tokens] }),
  ]);
  const used = cpu();
  // They continue as before: a pile that is silent this long counts as dead.
  await children.neighbours.ask({ kind: 'run', forMs: restMs });
  clearInterval(watch);
  memory.afterMiB = residentMiB(serverPid);
  const burn = (seconds: number) => ({
    kind: 'burn' as const,
    share: Math.min(1, (seconds * 1_000) / phaseMs),
    forMs: phaseMs,
  });
  const [calm] = await Promise.all([
    children.neighbours.ask({ kind: 'run', forMs: phaseMs }),
    children.stations.ask(burn(used.flooders)),
    children.crowd.ask(burn(used.crowd)),
  ]);
  const ended = await children.neighbours.ask({ kind: 'end-charges' });

  tell({ quiet, flood, calm }, { stations, crowd, memory, used });
  const lost = await findLost(product, neighbours, ended.confirmed);
  return [
    ...bounded.flatMap((question) => slower(question, calm, flood)),
    ...ended.troubles.map((trouble) => `flood: ${trouble}`),
    ...lost,
    ...(await tellLog(product, flooders)),
    ...tellMemory(memory),
  ];
}

function slower(question: Question, calm: NeighboursReport, flood: NeighboursReport): string[] {
  const ratio = percentile(flood[question], 0.99) / percentile(calm[question], 0.99);
  return ratio <= overCalmMax
    ? []
    : [`flood: ${questions[question]} p99 is ${ratio.toFixed(2)} times the calm one, bound ${overCalmMax}`];
}

function tell(
  phases: Readonly<Record<'quiet' | 'flood' | 'calm', NeighboursReport>>,
  { stations, crowd, memory, used }: Flooded,
): void {
  const seconds = phaseMs / 1_000;
  console.log(
    `flood, ${groups.neighbours.ocpp} OCPP and ${groups.neighbours.ykc} YKC neighbours, one person at the console; ms, of ${seconds} s, and the spread over ${parts} parts of it`,
  );
  for (const question of Object.keys(questions) as Question[]) {
    for (const [phase, { [question]: times }] of Object.entries(phases)) {
      const at = (share: number) =>
        `p${share * 100} ${percentile(times, share).toFixed(1)}, ${spread(percentilesOfParts(times, share), 1)}`;
      console.log(`  ${questions[question].padEnd(15)} ${phase.padEnd(6)} ${at(0.5)}; ${at(0.99)}`);
    }
    const ratio = (of: NeighboursReport) =>
      (percentile(phases.flood[question], 0.99) / percentile(of[question], 0.99)).toFixed(2);
    console.log(
      `  ${''.padEnd(15)} p99 of the flood over calm ${ratio(phases.calm)}, over quiet ${ratio(phases.quiet)}`,
    );
  }
  const perSecond = (count: number) => Math.round(count / seconds).toLocaleString('en');
  console.log(
    `  flooders  ${perSecond(stations.sent)} frames a second taken, ${perSecond(stations.answered)} answered, ${stations.cut} cut`,
  );
  for (const [what, outcomes] of Object.entries(crowd)) console.log(`  ${what.padEnd(9)} ${outcomesOf(outcomes)}`);
  console.log(
    `  CPU of the flood's ${seconds} s  ${Object.entries(used)
      .map(([name, share]) => `${name} ${share.toFixed(1)} s`)
      .join(', ')}`,
  );
  console.log(
    `  server    ${memory.beforeMiB.toFixed(0)} MiB before, ${memory.peakMiB.toFixed(0)} at the most, ${memory.afterMiB.toFixed(0)} after`,
  );
}

function outcomesOf(outcomes: Record<string, number>): string {
  return Object.entries(outcomes)
    .map(([outcome, count]) => `${outcome}: ${count.toLocaleString('en')}`)
    .join(', ');
}

function percentilesOfParts(times: readonly number[], share: number): number[] {
  const size = Math.ceil(times.length / parts);
  return Array.from({ length: parts }, (_, part) => percentile(times.slice(part * size, (part + 1) * size), share));
}

/** Returns a function for the CPU seconds that each has used since. */
function cpuOf(product: Product, { neighbours, stations, crowd }: Children): () => Used {
  const seconds = (): Used => ({
    server: cpuSecondsOf([product.serverPid]),
    PostgreSQL: cpuSecondsOf([product.postgresPid]),
    neighbours: cpuSecondsOf([neighbours.pid]),
    flooders: cpuSecondsOf([stations.pid]),
    crowd: cpuSecondsOf([crowd.pid]),
  });
  const before = seconds();
  return () => {
    const now = seconds();
    return {
      server: now.server - before.server,
      PostgreSQL: now.PostgreSQL - before.PostgreSQL,
      neighbours: now.neighbours - before.neighbours,
      flooders: now.flooders - before.flooders,
      crowd: now.crowd - before.crowd,
    };
  };
}

/** What was confirmed to a neighbour must be stored, and its charge settled. */
async function findLost(
  { database }: Product,
  { ocpp, ykc }: FloodNetwork['neighbours'],
  confirmed: Readonly<Record<string, number>>,
): Promise<string[]> {
  const { rows } = await database.pool.query<{ number: string; readings: number; unsettled: number }>(
    `select s.number, count(r.*)::int as readings,
            count(distinct o.id) filter (where s.protocol = 'ocpp1.6' and o.state <> 'completed')::int as unsettled
       from stations s join orders o on o.station_id = s.id and o.placed_at > now() - interval '10 minutes'
       left join readings r on r.order_id = o.id
      where s.number = any($1::text[]) group by s.number`,
    [[...ocpp, ...ykc].map(({ number }) => number)],
  );
  const stored = new Map(rows.map((row) => [row.number, row]));
  return Object.entries(confirmed).flatMap(([number, readings]) => {
    const found = stored.get(number) ?? { readings: 0, unsettled: 0 };
    const lines: string[] = [];
    if (found.readings < readings)
      lines.push(`flood: ${number} has ${found.readings} of ${readings} confirmed readings`);
    if (found.unsettled > 0) lines.push(`flood: the charge of ${number} was not settled`);
    return lines;
  });
}

/**
 * Prints how much of each flooding station was logged, compared with its daily allowance and the truncated rows beyond
 * it.
 */
async function tellLog({ database }: Product, { ocpp, ykc }: FloodNetwork['flooders']): Promise<string[]> {
  const { bytesPerStationDay, cutCharacters, rowBytes, rowsPerMinuteBeyond } = logLimits;
  const { rows } = await database.pool.query<{ number: string; rows: number; bytes: number }>(
    `select s.number, count(*)::int as rows,
            sum($2::int + octet_length(request) + coalesce(octet_length(answer), 0))::float8 as bytes
       from stations s join interaction_logs l on l.station_id = s.id and l.at > now() - interval '10 minutes'
      where s.number = any($1::text[]) group by s.number order by s.number`,
    [[...ocpp, ...ykc].map(({ number }) => number), rowBytes],
  );
  const minutes = Math.ceil((warmUpMs + 3 * phaseMs + restMs) / 60_000) + 1;
  const bound = bytesPerStationDay + minutes * rowsPerMinuteBeyond * (2 * cutCharacters + rowBytes) + largestFrameBytes;
  const mebibytes = (bytes: number) => (bytes / 1_048_576).toFixed(1);
  for (const { number, rows: count, bytes } of rows) {
    console.log(
      `  log of ${number}  ${count.toLocaleString('en')} rows, ${mebibytes(bytes)} MiB, bound ${mebibytes(bound)}`,
    );
  }
  return rows
    .filter(({ bytes }) => bytes > bound)
    .map(({ number, bytes }) => `flood: ${mebibytes(bytes)} MiB of log for ${number}, bound ${mebibytes(bound)}`);
}

const largestFrameBytes = 256 * 1024;

function tellMemory({ beforeMiB, peakMiB, afterMiB }: Memory): string[] {
  const misses: string[] = [];
  if (afterMiB > beforeMiB + grownMaxMiB) {
    misses.push(`flood: the server keeps ${(afterMiB - beforeMiB).toFixed(0)} MiB more after it, bound ${grownMaxMiB}`);
  }
  if (peakMiB > residentMaxMiB) {
    misses.push(`flood: the server took ${peakMiB.toFixed(0)} MiB in it, bound ${residentMaxMiB}`);
  }
  return misses;
}

function residentMiB(pid: number): number {
  return residentBytesOf(pid) / 1_048_576;
}
