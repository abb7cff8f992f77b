import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import type { IdentityBases } from './plan-history.ts';

/** Increases whenever the same seed gives another history: one started by another version is left unchanged. */
export const worldVersion = 2;

/** The database's record of its demo network, stored with the system parameters. */
export type WorldMark = {
  version: number;
  seed: string;
  /** When the network was created; its history ends then. */
  now: Instant;
  bases: IdentityBases;
  /** Recharges are all written first, so that no wallet is short while older days are missing. */
  hasRecharges: boolean;
  /** Days whose orders are still missing: they are written from the newest to the oldest, day 0. */
  daysLeft: number;
};

export const seedKey = 'demo.seed';
const stateKey = 'demo.world';

export async function readMark(client: pg.ClientBase | pg.Pool): Promise<WorldMark | null> {
  const { rows } = await client.query<{ value: string }>('select value from configs where key = $1', [stateKey]);
  return rows[0] === undefined ? null : (JSON.parse(rows[0].value) as WorldMark);
}

export async function writeMark(client: pg.ClientBase, mark: WorldMark): Promise<void> {
  await client.query(
    `insert into configs (key, name, value, remark)
     values ($1, '演示数据种子', $2, '由演示网络写入'), ($3, '演示数据状态', $4, '由演示网络写入')
     on conflict (key) do update set value = excluded.value, changed_at = now()`,
    [seedKey, mark.seed, stateKey, JSON.stringify(mark)],
  );
}
