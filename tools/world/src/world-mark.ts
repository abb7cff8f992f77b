import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import type { IdentityBases } from './plan-history.ts';

/** Rises whenever the same seed would give another history: one that was begun by another version is left as it is. */
export const worldVersion = 1;

/** What the database knows about its demo network, kept beside the parameters of the system. */
export type WorldMark = {
  version: number;
  seed: string;
  /** When the network was made; its history ends there. */
  now: Instant;
  bases: IdentityBases;
  /** Recharges are all written first, so that no wallet is ever short while older days are still missing. */
  hasRecharges: boolean;
  /** Days whose orders are missing still: they are written from the newest to the oldest, day 0. */
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
