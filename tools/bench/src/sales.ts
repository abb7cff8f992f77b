import type { Database } from '@voltdeck/server/database/database';
import { benchProduct } from './settle.ts';
import { median, spread } from './spread.ts';

const rounds = 3;
const stations = 100;
const ratioMax = 1.15;

/**
 * What a whole charge costs with the sums of sales, the changes that it writes and the job that adds them included,
 * compared with one that notes no sale.
 * @returns what is above its bound.
 */
export async function benchSales(): Promise<string[]> {
  const without: number[] = [];
  const kept: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    without.push(1_000 / (await benchProduct(stations, noteNoSales)));
    kept.push(1_000 / (await benchProduct(stations)));
  }
  const ratio = median(kept) / median(without);
  console.log(`charges of ${stations} stations, CPU-milliseconds of server and database, ${rounds} rounds in turns`);
  console.log(`  no sale noted   ${spread(without)}`);
  console.log(`  sums are kept   ${spread(kept)}`);
  console.log(`  ratio           ${ratio.toFixed(2)} (bound ${ratioMax})`);
  return ratio > ratioMax ? [`sales: ${ratio.toFixed(2)} above ${ratioMax}`] : [];
}

async function noteNoSales({ pool }: Database): Promise<void> {
  await pool.query('alter table orders disable trigger orders_note_sale');
  await pool.query('alter table orders disable trigger orders_note_sale_changed');
  await pool.query('alter table order_shares disable trigger order_shares_note_sale');
}
