import { text } from 'node:stream/consumers';
import type { Caller } from '@voltdeck/server/caller/caller';
import type { Database } from '@voltdeck/server/database/database';
import { laneSizes } from '@voltdeck/server/database/lanes';
import { ExportThread } from '@voltdeck/server/exports/export-thread';
import type { WrittenRehearsal } from '@voltdeck/server/rehearsals/write-rehearsal';
import type { UserId } from '@voltdeck/units/id';
import { dayMs, instant, toIso } from '@voltdeck/units/instant';
import { fillCharges } from './fill-charges.ts';
import { cpuSecondsOf } from './process-cpu.ts';
import { openBenchDatabase } from './product.ts';
import { benchTariff } from './seed-stations.ts';
import { spread } from './spread.ts';

const charges = 100_000;
const rounds = 3;
/** The bounds that rehearsals are built for, of all processes together. */
const cpuSecondsMax = 30;
const overBareMax = 4;

const platform: Caller = {
  userId: 1 as UserId,
  userName: 'bench',
  admin: true,
  permissions: new Set(),
  menuCodes: new Set(),
  dataScope: 'platform',
  agents: 'all',
  customerId: null,
  dividerId: null,
  language: 'en',
  remoteAddress: '',
};

/**
 * A month of charges priced again by the rule that priced them, in the thread that does it in the product, against
 * reading the same orders and readings by pg and adding up their energies.
 * @returns a line for every bound that was missed.
 */
export async function benchRehearsal(seed: number): Promise<string[]> {
  const bench = await openBenchDatabase();
  try {
    const { database } = bench;
    const now = Date.now();
    const readings = await fillCharges(database, charges, seed, now);
    const filter = { from: toIso(instant(now - 31 * dayMs)), to: toIso(instant(now)) };
    const pids = [process.pid, bench.postgresPid];
    const measured = async (work: () => Promise<void>): Promise<number> => {
      const before = cpuSecondsOf(pids);
      await work();
      return cpuSecondsOf(pids) - before;
    };
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await measured(() => readBare(database)));
      ours.push(
        await measured(async () => {
          const thread = new ExportThread({ databaseUrl: database.url, connections: laneSizes.exports });
          try {
            const rehearsal = { tariff: benchTariff, filter };
            const written = await text(thread.write({ caller: platform, rehearsal }));
            await prove(database, JSON.parse(written) as WrittenRehearsal);
          } finally {
            await thread.close();
          }
        }),
      );
    }
    const ratios = ours.map((seconds, round) => seconds / (bare[round] ?? Number.NaN));
    console.log(
      `a rehearsal of ${charges.toLocaleString('en')} charges with ${readings.toLocaleString('en')} readings, ${rounds} rounds`,
    );
    console.log(`  CPU-seconds of all processes   ${spread(ours, 1)}, bound ${cpuSecondsMax}`);
    console.log(`  the same rows read by pg       ${spread(bare, 1)}`);
    console.log(`  ratio                          ${spread(ratios)}, bound ${overBareMax}`);
    return [
      ...(Math.max(...ours) <= cpuSecondsMax ? [] : [`rehearsal: ${spread(ours, 1)} CPU-seconds`]),
      ...(Math.min(...ratios) <= overBareMax ? [] : [`rehearsal: ${spread(ratios)} times the bare reading`]),
    ];
  } finally {
    await bench.close();
  }
}

const bareRows = 500;

async function readBare({ pool }: Database): Promise<void> {
  let sumWh = 0;
  for (let from = 0; from < charges; from += bareRows) {
    const span = [from + 1, from + bareRows];
    const orders = await pool.query<{ energy_wh: number }>(
      'select id, tariff, started_at, ended_at, energy_wh, amount_fen from orders where id between $1 and $2',
      span,
    );
    const readings = await pool.query(
      'select order_id, at, energy_wh, power_w from readings where order_id between $1 and $2 order by order_id, at',
      span,
    );
    sumWh += orders.rows.reduce((sum, row) => sum + row.energy_wh, 0) + readings.rows.length;
  }
  if (sumWh === 0) throw new Error('nothing was read');
}

/** A fast rehearsal with wrong figures does not count. */
async function prove({ pool }: Database, { result }: WrittenRehearsal): Promise<void> {
  const { rows } = await pool.query<{ amount: number; charges: number }>(
    'select sum(amount_fen)::bigint as amount, count(*)::int as charges from orders',
  );
  const { amount, charges: stored } = rows[0] ?? {};
  if (result.beforeFen !== amount || result.afterFen !== amount || result.charges !== stored) {
    throw new Error(`rehearsed ${JSON.stringify(result)}, stored ${JSON.stringify(rows[0])}`);
  }
}
