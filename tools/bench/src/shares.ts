import type { Database } from '@voltdeck/server/database/database';
import { benchProduct } from './settle.ts';
import { median, spread } from './spread.ts';

const rounds = 3;
const stations = 100;
const ratioMax = 1.3;

/**
 * What a whole charge costs where four parties share in it (the platform's commission, an agent, the agent below it and
 * a divider of each), compared with one that is the platform's alone.
 * @returns what is above its bound.
 */
export async function benchShares(): Promise<string[]> {
  const alone: number[] = [];
  const shared: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(1_000 / (await benchProduct(stations)));
    shared.push(1_000 / (await benchProduct(stations, seedParties)));
  }
  const ratio = median(shared) / median(alone);
  console.log(`charges of ${stations} stations, CPU-milliseconds of server and database, ${rounds} rounds in turns`);
  console.log(`  the platform's alone       ${spread(alone)}`);
  console.log(`  shared among five parties  ${spread(shared)}`);
  console.log(`  ratio                      ${ratio.toFixed(2)} (bound ${ratioMax})`);
  return ratio > ratioMax ? [`shares: ${ratio.toFixed(2)} above ${ratioMax}`] : [];
}

async function seedParties({ pool }: Database): Promise<void> {
  await pool.query("insert into agents (name, rate_e4) values ('Province', 9000)");
  await pool.query("insert into agents (name, parent_id, rate_e4) select 'City', id, 8500 from agents");
  await pool.query('update stations set agent_id = (select max(id) from agents)');
  await pool.query(`insert into share_terms (channel_fee_e4, service_e4, changed_at) values (60, 500, now())`);
  await pool.query(
    "insert into dividers (name, agent_id, created_at) select 'Owner of ' || name, id, now() from agents",
  );
  await pool.query(
    `insert into divider_terms (divider_id, agent_id, electricity_e4, service_e4, occupancy_e4, from_at, created_at)
     select id, agent_id, 1000, 3000, 0, now() - interval '1 year', now() from dividers`,
  );
}
