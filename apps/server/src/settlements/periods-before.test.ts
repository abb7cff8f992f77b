import { expect, test } from 'vitest';
import { withClient } from '../database/test-database-setup.ts';
import { migratedWith } from '../database/test-migrated.ts';

test('periods from an earlier version have the cycle that their days are of, whatever their party’s is now', async () => {
  const periods = [
    ['2026-10-01', '2026-10-31', 'm1'],
    ['2026-11-01', '2026-11-01', 't1'],
    ['2026-11-02', '2026-11-08', 't7'],
    // Cut, since the cycle was changed around them.
    ['2026-11-10', '2026-11-15', 't7'],
    ['2026-11-16', '2026-11-29', 'm1'],
    ['2026-12-28', '2026-12-31', 'm1'],
  ];
  const url = await migratedWith(
    99,
    `with party as (insert into agents (name, settlement_cycle) values ('Agent', 't7') returning id)
     insert into settlement_periods (party, agent_id, from_on, to_on, created_at, state, closed_at, paid_out_at,
                                     shares_fen, orders, carried_in_fen, paid_out_fen)
     select 'agent', party.id, days.from_on, days.to_on, now(), 'paid_out', now(), now(), 0, 0, 0, 0
       from party, unnest($1::date[], $2::date[]) days (from_on, to_on)`,
    [periods.map(([from]) => from), periods.map(([, to]) => to)],
  );
  const { rows } = await withClient(url, (client) =>
    client.query('select from_on::text, to_on::text, cycle from settlement_periods order by from_on'),
  );
  expect(rows).toEqual(periods.map(([from_on, to_on, cycle]) => ({ from_on, to_on, cycle })));
});
