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

/** What a position can grant; groups come along by themselves. */
const everything = productMenus.filter(({ kind, frontendUrl }) => kind === 'button' || frontendUrl !== null);
/** The platform's alone: its books, its set-up, its partners and what it publishes. */
const platformCodes: ReadonlySet<string> = new Set([
  'finance',
  'promotion',
  'hlht',
  'advert',
  'news',
  'file',
  'config',
  'menu',
  'station.command_raw',
  'agent.recharge',
]);
/** What an agent's people do with the agent's own records, their own staff and positions among them. */
const agentsMenus = everything.filter(
  ({ code }) => !wayUp(productMenus, code).some((above) => platformCodes.has(above)),
);

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
  /** `path` where the first password still lies in its file; it may have been changed since. */
  | { kind: 'exists'; path: string | null }
  | { kind: 'created'; passwordFrom: 'setting' }
  | { kind: 'created'; passwordFrom: 'file'; path: string };

/**
 * Gives an empty database what the first person needs: an administrator, menus, positions and the public configuration.
 * Later starts only add menus that a newer version brought.
 */
export async function prepareFirstRun(
  db: Kysely<Tables>,
  options: { dataDir: string; adminPassword: string | null },
): Promise<Administrator> {
  return db.transaction().execute(async (trx) => {
    // Nodes that start together take turns.
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
          data_scope: 'platform',
          menu_codes: everything.map(({ code }) => code),
        },
        {
          name: say('zh-CN', 'position.agent'),
          data_scope: 'agent_tree',
          menu_codes: agentsMenus.map(({ code }) => code),
        },
        // For whoever registered: what is theirs, once somebody gives it to them.
        { name: say('zh-CN', 'position.registered'), data_scope: 'self', menu_codes: [...ownRecordsMenus] },
      ])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const password = options.adminPassword ?? randomBytes(12).toString('base64url');
    // Before the commit: an administrator whose password nobody has would be worse than a file without one.
    if (options.adminPassword === null) await writeFile(path, `${password}\n`, { mode: 0o600 });
    await trx
      .insertInto('users')
      .values({
        user_name: administratorName,
        real_name: say('zh-CN', 'user.administrator'),
        password_hash: await hashPassword(password),
        admin: true,
      })
      .execute();
    return options.adminPassword === null
      ? { kind: 'created', passwordFrom: 'file', path }
      : { kind: 'created', passwordFrom: 'setting' };
  });
}
