import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Permission } from '@voltdeck/contract/permissions';
import { expect, test } from 'vitest';
import { migrate, migrationsDir, readMigrations } from '../../database/migrate.ts';
import { emptyDatabaseUrl } from '../../database/test-database.ts';
import { withClient } from '../../database/test-database-setup.ts';
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
  const url = await emptyDatabaseUrl();
  const folder = await mkdtemp(join(tmpdir(), 'voltdeck-before-'));
  for (const { number, name } of await readMigrations(migrationsDir)) {
    const file = `${String(number).padStart(4, '0')}_${name}.sql`;
    if (number < 7) await copyFile(join(migrationsDir, file), join(folder, file));
  }
  await migrate(url, folder);
  await rm(folder, { recursive: true });
  await withClient(url, (client) =>
    client.query(
      `insert into positions (name, data_scope, permissions) values ('all', 'platform', $1), ('none', 'self', '{}')`,
      [[...before]],
    ),
  );
  await migrate(url);
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string; menu_codes: string[] }>('select name, menu_codes from positions order by id'),
  );
  // Positions that handle money keep full numbers.
  expect(rows[0]?.menu_codes.sort()).toEqual(codesGranting([...before, 'personal.reveal']).sort());
  expect(rows[1]?.menu_codes).toEqual([]);
});
