import { randomUUID } from 'node:crypto';
import type { Database } from '@voltdeck/server/database/database';
import { readPortStates } from '@voltdeck/server/interop/exposed-sites';
import { connectorStatusInfoOf } from '@voltdeck/tcec102/translate';
import type { SiteId } from '@voltdeck/units/id';
import { type Child, startChild } from './child-answers.ts';
import { openSession } from './open-session.ts';
import { cpuSecondsOf } from './process-cpu.ts';
import { type Product, startProduct } from './product.ts';
import { percentile, spread } from './spread.ts';
import { type SealedPosts, type StormPartner, startStormPartner, stormKeys } from './storm-partner.ts';

const sites = 50;
const stations = 1_000;
const portsOfStation = 20;
const ports = stations * portsOfStation;
/** Each storm changes every port so often, in waves that follow as fast as the database takes them. */
const waves = 3;
const portsAStatement = 1_000;
const storms = 4;
/** Both partners see every port; the slow one does not get to half of them before the fast one has all. */
const rates = { fast: 1_000, slow: 40 } as const;
const postsAtOnce = 200;
const drainLimitMs = 300_000;
/** The bounds: CPU of server and database for a state told, over that of a bare sealed post. */
const overBareMax = 10;
/** The heap that a storm leaves, over that of the first. */
const heapGrowthMax = 1.2;
/** A round takes what the rate allows at once, so that of the round before may fall into the same stretch of time. */
const rateWindowsS = [1, 10] as const;

type Partner = StormPartner & { id: number; rate: number };

/**
 * Storms of 60,000 changes of 20,000 gun ports, told to two partners: the rate of each at its own socket, the latest
 * state of every port against the database, the heap after each storm against the first, and the CPU of a state told
 * against a bare sealed HTTP post, in turns.
 * @returns a line for every bound that was missed.
 */
export async function benchPartnerStorm(): Promise<string[]> {
  const product = await startProduct(seedPorts);
  const sealedPosts = await startChild<SealedPosts, null>('./sealed-posts.ts');
  const partners: Partner[] = [];
  try {
    const token = await openSession(product.database);
    await product.database.pool.query(`update configs set value = 'MA1BENCH0' where key = 'own_operator_id'`);
    for (const [name, rate] of Object.entries(rates)) {
      partners.push(await addPartner(product, token, `MA1${name.toUpperCase().padEnd(6, '0')}`, rate));
    }
    const misses: string[] = [];
    const ratios: number[] = [];
    const heaps: number[] = [];
    for (let storm = 0; storm < storms; storm += 1) {
      const bareMs = await postBare(sealedPosts);
      const { cpuMs, heapBytes, line } = await takeStorm(product, partners, storm, misses);
      ratios.push(cpuMs / bareMs);
      heaps.push(heapBytes);
      console.log(`  storm ${storm + 1}: ${line}, bare post ${bareMs.toFixed(2)} ms CPU`);
    }
    return [...misses, ...report(ratios, heaps)];
  } finally {
    for (const partner of partners) partner.close();
    await sealedPosts.end();
    await product.stop();
  }
}

function report(ratios: readonly number[], heaps: readonly number[]): string[] {
  const growth = (heaps.at(-1) ?? 0) / (heaps[0] ?? 1);
  const megabytes = heaps.map((bytes) => (bytes / 2 ** 20).toFixed(0)).join(', ');
  console.log(`  CPU of a state told over a bare sealed post ${spread(ratios)}, bound ${overBareMax}`);
  console.log(
    `  heap in use of the server after each storm ${megabytes} MiB, ${growth.toFixed(2)}, bound ${heapGrowthMax}`,
  );
  const ratio = percentile(ratios, 0.5);
  return [
    ...(ratio > overBareMax ? [`partner-storm: ${ratio.toFixed(2)} of a bare post, bound ${overBareMax}`] : []),
    ...(growth > heapGrowthMax ? [`partner-storm: the heap grew to ${growth.toFixed(2)}, bound ${heapGrowthMax}`] : []),
  ];
}

async function seedPorts({ pool }: Database): Promise<void> {
  await pool.query(
    "select make_partitions('partner_exchanges', '1 day', now() - interval '2 days', now() + interval '2 days')",
  );
  await pool.query(
    `insert into sites (name, region_code, address, longitude, latitude, opened_at)
     select 'Site ' || n, '330106', 'Road ' || n, 120, 30, now() from generate_series(1, $1::int) n`,
    [sites],
  );
  await pool.query(
    `insert into stations (number, name, type, equipment_type, protocol, site_id, max_power_w)
     select 'STORM' || lpad(n::text, 6, '0'), 'Station ' || n, 'fast', 'four-wheel', 'ocpp1.6', 1 + n % $2::int, 120000
       from generate_series(1, $1::int) n`,
    [stations, sites],
  );
  await pool.query(
    `insert into connectors (station_id, number, name, state)
     select s.id, n, n, 'free' from stations s cross join generate_series(1, $1::int) n`,
    [portsOfStation],
  );
  await pool.query('analyze');
}

async function addPartner(
  { port, database }: Product,
  token: string,
  operatorId: string,
  rate: number,
): Promise<Partner> {
  const partner = await startStormPartner();
  const response = await fetch(`http://127.0.0.1:${port}/api/partners`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      operatorId,
      name: operatorId,
      role: 'demand',
      baseUrl: partner.url,
      ratePerSecond: rate,
      pushes: ['status'],
      inbound: stormKeys,
      outbound: stormKeys,
    }),
  });
  const answer = (await response.json()) as { data: { id: number } | null };
  if (answer.data === null) throw new Error(`the partner was refused: ${JSON.stringify(answer)}`);
  const { id } = answer.data;
  await database.pool.query(
    'insert into partner_sites (partner_id, site_id, opened_at) select $1, id, now() from sites',
    [id],
  );
  return { ...partner, id, rate };
}

/** CPU-milliseconds of a bare post: of the process that seals and opens, not of the partner. */
async function postBare(child: Child<SealedPosts, null>): Promise<number> {
  const partner = await startStormPartner();
  const before = cpuSecondsOf([child.pid]);
  await child.ask({ url: `${partner.url}/notification_stationStatus`, count: ports, atOnce: postsAtOnce });
  const tookMs = (cpuSecondsOf([child.pid]) - before) * 1_000;
  partner.close();
  return tookMs / ports;
}

type Storm = { cpuMs: number; heapBytes: number; line: string };

async function takeStorm(
  product: Product,
  partners: readonly Partner[],
  storm: number,
  misses: string[],
): Promise<Storm> {
  const { pool } = product.database;
  // Stations that are online without a connection: only what is told of them is measured.
  await pool.query('update stations set online = true');
  for (const partner of partners) {
    partner.cameAt.length = 0;
    await pool.query('update partners set rate_per_second = $2 where id = $1', [partner.id, partner.rate]);
  }
  const [fast, slow] = partners;
  if (fast === undefined || slow === undefined) throw new Error('there are two partners');
  const pids = [product.serverPid, product.postgresPid];
  const before = cpuSecondsOf(pids);
  const began = performance.now();
  const heap = watchHeap(product.port);
  for (let wave = 0; wave < waves; wave += 1) {
    for (let from = 0; from < ports; from += portsAStatement) {
      // Every wave gives every port another state than it has, and the last ones differ from port to port.
      await pool.query(
        `update connectors set state = (array['free', 'plugged_in', 'charging', 'fault'])[1 + ((id + $3::int) % 4)::int]
          where id > $1::int and id <= $1::int + $2::int`,
        [from, portsAStatement, storm * waves + wave + 1],
      );
    }
  }
  await untilTold(pool, fast);
  const fastMs = performance.now() - began;
  const cpuS = cpuSecondsOf(pids) - before;
  const states = fast.cameAt.length + slow.cameAt.length;
  const told = { fast: fast.cameAt.length, slow: slow.cameAt.length };
  for (const partner of partners) misses.push(...rateFaults(partner));
  // What the slow one still waits for is told at a higher rate, so that its latest states are seen as well.
  await pool.query('update partners set rate_per_second = 1000 where id = $1', [slow.id]);
  await untilTold(pool, slow);
  const heapBytes = await heap();
  for (const partner of partners) misses.push(...(await stateFaults(product.database, partner)));
  const changes = (ports * waves).toLocaleString('en');
  const rate = ((told.fast * 1_000) / fastMs).toFixed(0);
  return {
    cpuMs: (cpuS * 1_000) / states,
    heapBytes,
    line: `${changes} changes, ${told.fast} told at ${rate}/s and ${told.slow} at ${((told.slow * 1_000) / fastMs).toFixed(0)}/s, ${((cpuS * 1_000) / states).toFixed(2)} ms CPU each`,
  };
}

async function untilTold(pool: Database['pool'], { id }: Partner): Promise<void> {
  const until = performance.now() + drainLimitMs;
  while (performance.now() < until) {
    const { rows } = await pool.query(
      `select 1 from partner_deliveries where partner_id = $1 and state = 'pending' limit 1`,
      [id],
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`partner ${id} was not told everything within ${drainLimitMs / 1_000} s`);
}

/** In any stretch of time a partner gets what its rate allows for it, and one round more. */
function rateFaults({ cameAt, rate }: Partner): string[] {
  const sorted = cameAt.toSorted((a, b) => a - b);
  return rateWindowsS.flatMap((seconds) => {
    let most = 0;
    for (let first = 0, last = 0; last < sorted.length; last += 1) {
      while ((sorted[last] ?? 0) - (sorted[first] ?? 0) >= seconds * 1_000) first += 1;
      most = Math.max(most, last - first + 1);
    }
    const max = rate * (seconds + 1);
    return most > max ? [`partner-storm: ${most} requests within ${seconds} s at a rate of ${rate}/s`] : [];
  });
}

async function stateFaults({ db, pool }: Database, { id, latest }: Partner): Promise<string[]> {
  const { rows } = await pool.query<{ id: SiteId }>('select id from sites');
  const states = await readPortStates(db, { siteIds: rows.map((site) => site.id) });
  const present = states.map((port) => ({ portId: port.portId, status: connectorStatusInfoOf(port).Status }));
  if (present.length !== ports || new Set(present.map(({ status }) => status)).size < 4) {
    throw new Error('the ports do not have the states that they were given');
  }
  const wrong = present.filter(({ portId, status }) => latest.get(portId) !== status);
  return wrong.length > 0 ? [`partner-storm: partner ${id} was told another state of ${wrong.length} ports`] : [];
}

/** Samples the server's heap in use; the returned function ends it with the lowest of the last third of the time. */
function watchHeap(port: number): () => Promise<number> {
  const samples: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      samples.push(Number(/^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)/m.exec(metrics)?.[1] ?? Number.NaN));
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  })();
  // Without a server there is a failure to report that says more.
  watching.catch(() => undefined);
  return async () => {
    isOver = true;
    await watching;
    return Math.min(...samples.slice(-Math.ceil(samples.length / 3)));
  };
}
