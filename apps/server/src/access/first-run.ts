import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Permission } from '@voltdeck/contract/permissions';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { say } from '../http/say.ts';
import { seedConfigs } from '../settings/built-in-configs.ts';
import { wayUp } from './menus/menu-tree.ts';
import { type MenuCode, productMenus } from './menus/product-menus.ts';
import { seedMenus } from './menus/seed-menus.ts';
import { hashPassword } from './password.ts';

export const administratorName = 'admin';
const seedLock = 0x73656564;

/** What a position can grant; groups are included automatically. */
const everything = productMenus.filter(({ kind, frontendUrl }) => kind === 'button' || frontendUrl !== null);
/** Permissions of the platform only: its books, its own money, its set-up, its partners and what it publishes. */
const platformCodes: ReadonlySet<string> = new Set([
  'shareTermsList',
  'reconciliationList',
  'order.correct_shares',
  'settlement.settle',
  'settlement.change',
  'ledgerList',
  'finance.holdings',
  'statistics.rebuild',
  'invoice.settings',
  'promotion',
  'hlht',
  'advert',
  'news',
  'file',
  'config',
  'menu',
  'station.command_raw',
  'agent.recharge',
  'recharge.gift',
  'gift.create',
  'gift.deduct',
  'refund',
  'agent_withdrawal.review',
  'agent_withdrawal.pay',
  'agent_withdrawal.return',
  'debt.write_off',
  'customer.merge',
]);
/** What an agent's people may do with the agent's own records, staff and positions. */
const agentsMenus = everything.filter(
  ({ code }) => !wayUp(productMenus, code).some((above) => platformCodes.has(above)),
);

/** What a divider has: its own shares and withdrawals, and the files that it asked for. */
const dividersMenus = [
  'dividerIncome',
  'tixianRecods',
  'agent_withdrawal.create',
  'agent_withdrawal.account',
  'taskList',
] as const satisfies readonly (MenuCode | Permission)[];

const ownRecordsMenus = [
  'orderListReal',
  'orderListHistory',
  'order.export',
  'cardList',
  'registerUser',
  'chongzhiRecods',
  'taskList',
] as const satisfies readonly (MenuCode | Permission)[];

export type Administrator =
  /** `path` is set while the first password's file exists; the password may have been changed since. */
  | { kind: 'exists'; path: string | null }
  | { kind: 'created'; passwordFrom: 'setting' }
  | { kind: 'created'; passwordFrom: 'file'; path: string };

/**
 * Gives an empty database what the first person needs: an administrator, menus, positions and the public configuration.
 * Later starts only add the menus of newer versions.
 */
export async function prepareFirstRun(
  db: Kysely<Tables>,
  options: { dataDir: string; adminPassword: string | null },
): Promise<Administrator> {
  return db.transaction().execute(async (trx) => {
    // Nodes that start at the same time take turns.
    await trx.selectNoFrom((eb) => eb.fn('pg_advisory_xact_lock', [eb.val(seedLock)]).as('locked')).execute();
    await seedMenus(trx);
    await seedConfigs(trx);
    const anybody = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst();
    const path = join(options.dataDir, 'admin-password');
    if (anybody !== undefined) return { kind: 'exists', path: existsSync(path) ? path : null };

    await trx
      .insertInto('positions')
      .values([
        {
          name: say('zh-CN', 'position.platform'),
          name_key: 'position.platform',
          data_scope: 'platform',
          menu_codes: everything.map(({ code }) => code),
        },
        {
          name: say('zh-CN', 'position.agent'),
          name_key: 'position.agent',
          data_scope: 'agent_tree',
          menu_codes: agentsMenus.map(({ code }) => code),
        },
        {
          name: say('zh-CN', 'position.divider'),
          name_key: 'position.divider',
          data_scope: 'divider',
          menu_codes: [...dividersMenus],
        },
        // For registered users: their own records, once somebody gives them this position.
        {
          name: say('zh-CN', 'position.registered'),
          name_key: 'position.registered',
          data_scope: 'self',
          menu_codes: [...ownRecordsMenus],
        },
      ])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const password = options.adminPassword ?? randomBytes(12).toString('base64url');
    // Before the commit: an administrator whose password nobody knows would be worse than a stray file.
    if (options.adminPassword === null) await writeFile(path, `${password}\n`, { mode: 0o600 });
    await trx
      .insertInto('users')
      .values({
        user_name: administratorName,
        real_name: say('zh-CN', 'user.administrator'),
        real_name_key: 'user.administrator',
        password_hash: await hashPassword(password),
        admin: true,
      })
      .execute();
    return options.adminPassword === null
      ? { kind: 'created', passwordFrom: 'file', path }
      : { kind: 'created', passwordFrom: 'setting' };
  });
}
