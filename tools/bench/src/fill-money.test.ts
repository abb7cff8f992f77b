import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { beforeAll, expect, test } from 'vitest';
import { fillMoney, purses } from './fill-money.ts';

const count = 20_000;
let database: Database;
let before: unknown;

const describeTables = async () =>
  (
    await database.pool.query(
      `select indrelid::regclass::text as parent, pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid in ('recharges'::regclass, 'movements'::regclass)
       union all select conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where conrelid in ('recharges'::regclass, 'movements'::regclass)
       union all select tgrelid::regclass::text, tgname || ' ' || tgenabled::text from pg_trigger
        where tgrelid in ('recharges'::regclass, 'movements'::regclass) and not tgisinternal
       order by 1, 2`,
    )
  ).rows;

beforeAll(async () => {
  database = await freshDatabase();
  before = await describeTables();
  await fillMoney(database, count);
});

test('money filled in by the thousand leaves indexes, constraints and triggers as the product has them', async () => {
  expect(await describeTables()).toEqual(before);
});

test('recharges and movements filled in by the thousand are of all types and belong to whom the product would say', async () => {
  const { rows } = await database.pool.query<{ small: number }>(
    `select (select count(*) from recharges)::integer as recharges, (select count(*) from movements)::integer as movements,
            (select count(distinct type) from movements)::integer as types,
            (select count(*) from recharges r left join cards c on c.id = r.card_id
              where r.owner_agent_id is distinct from coalesce(c.agent_id, r.agent_id))::integer as strays,
            (select count(*) from movements m left join cards c on c.id = m.card_id
              where m.agent_id is distinct from c.agent_id)::integer as stray_movements,
            (select count(*) from movements where agent_id = ${purses.smallAgent})::integer as small`,
  );
  expect(rows[0]).toMatchObject({ recharges: count, movements: count, types: 9, strays: 0, stray_movements: 0 });
  expect(rows[0]?.small).toBeGreaterThan(0);
  expect(rows[0]?.small).toBeLessThan(100);
});
