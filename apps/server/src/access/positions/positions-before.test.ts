import type { Permission } from '@voltdeck/contract/permissions';
import { expect, test } from 'vitest';
import { freshDatabase } from '../../database/test-database.ts';
import { withClient } from '../../database/test-database-setup.ts';
import { migratedWith } from '../../database/test-migrated.ts';
import { prepareFirstRun } from '../first-run.ts';
import { codesGranting } from '../menus/product-menus.ts';

/** What positions could grant before they named menus. */
const before = [
  'overview.read',
  'site.read',
  'site.edit',
  'station.read',
  'station.command',
  'connector.read',
  'log.read',
  'order.read',
  'order.refund',
  'tariff.read',
  'customer.read',
  'card.read',
  'recharge.read',
  'recharge.create',
  'ledger.read',
  'agent.read',
] as const satisfies readonly Permission[];

test('positions that named permissions now grant the menus and buttons that carry them', async () => {
  const url = await migratedWith(
    7,
    `insert into positions (name, data_scope, permissions) values ('all', 'platform', $1), ('none', 'self', '{}')`,
    [[...before]],
  );
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string; menu_codes: string[] }>('select name, menu_codes from positions order by id'),
  );
  // Positions that handle money keep full numbers, see who shares in it, and read what differs from the books.
  const money = ['order.shares', 'settlement.read', 'reconciliation.read', 'finance.read', 'finance.holdings'] as const;
  const figures = ['statistics.read', 'statistics.rebuild', 'total.read'] as const;
  expect(rows[0]?.menu_codes.sort()).toEqual(
    codesGranting([...before, 'personal.reveal', ...money, ...figures]).sort(),
  );
  expect(rows[1]?.menu_codes).toEqual([]);
});

test('readers of the books lose the grid’s bills, and clerks who refund what is settled; who does either keeps it', async () => {
  const bills = ['finance.grid_bill', 'finance.grid_bill_lock'];
  const positions = {
    reader: ['ledgerList', 'financeList', ...bills],
    accountant: ['ledgerList', 'ledger.reverse', 'financeList', ...bills],
    clerk: ['orderListHistory', 'order.refund', 'order.shares', 'settlementList'],
    manager: ['order.refund', 'order.shares', 'settlementList', 'operatorList'],
  };
  const url = await migratedWith(
    93,
    `insert into positions (name, data_scope, menu_codes)
       select name, 'platform', array(select jsonb_array_elements_text(codes)) from jsonb_each($1::jsonb) p (name, codes)`,
    [JSON.stringify(positions)],
  );
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string; menu_codes: string[] }>('select name, menu_codes from positions'),
  );
  expect(Object.fromEntries(rows.map(({ name, menu_codes }) => [name, menu_codes]))).toEqual({
    ...positions,
    // Whoever reads finance reads what it is made of.
    reader: ['ledgerList', 'financeList', 'statisticsList', 'totalList'],
    accountant: [...positions.accountant, 'statisticsList', 'totalList'],
    // Whoever reads orders reads those of groups.
    clerk: ['orderListHistory', 'order.refund', 'order.shares', 'groupOrderList'],
  });
});

test('of the built-in positions, the platform’s and the agents’ have the grid’s bills and settlements', async () => {
  const database = await freshDatabase();

  await prepareFirstRun(database.db, { dataDir: '/nowhere', adminPassword: 'correct horse battery' });
  const positions = await database.db.selectFrom('positions').select(['name_key', 'menu_codes']).execute();
  const asked = ['finance.grid_bill', 'finance.grid_bill_lock', 'settlementList', 'settlement.settle', 'ledgerList'];
  expect(
    Object.fromEntries(
      positions.map((each) => [each.name_key, asked.filter((code) => each.menu_codes.includes(code))]),
    ),
  ).toEqual({
    'position.platform': asked,
    'position.agent': ['finance.grid_bill', 'finance.grid_bill_lock', 'settlementList'],
    'position.divider': [],
    'position.registered': [],
  });

  await database.close();
});
