import type { Database } from '@voltdeck/server/database/database';
import { benchProduct } from './settle.ts';
import { median, spread } from './spread.ts';

const rounds = 3;
const stations = 100;
const ratioMax = 1.15;

/**
 * What a whole charge costs with everything that statistics have of it: the changes of sums, the job that adds them, and
 * its attempt to begin. Compared with one that notes neither.
 * @returns what is above its bound.
 */
export async function benchSales(): Promise<string[]> {
  const without: number[] = [];
  const kept: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    without.push(1_000 / (await benchProduct(stations, noteNothing)));
    kept.push(1_000 / (await benchProduct(stations)));
  }
  const ratio = median(kept) / median(without);
  console.log(`charges of ${stations} stations, CPU-milliseconds of server and database, ${rounds} rounds in turns`);
  console.log(`  nothing noted   ${spread(without)}`);
  console.log(`  sums are kept   ${spread(kept)}`);
  console.log(`  ratio           ${ratio.toFixed(2)} (bound ${ratioMax})`);
  return ratio > ratioMax ? [`sales: ${ratio.toFixed(2)} above ${ratioMax}`] : [];
}

const triggers = {
  orders: ['orders_note_sale', 'orders_note_sale_changed', 'orders_begin_attempt', 'orders_follow_attempt'],
  order_shares: ['order_shares_note_sale'],
} as const;

async function noteNothing({ pool }: Database): Promise<void> {
  for (const [table, names] of Object.entries(triggers)) {
    for (const name of names) await pool.query(`alter table ${table} disable trigger ${name}`);
  }
}
