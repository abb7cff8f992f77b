import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate, migrationsDir, readMigrations } from '../database/migrate.ts';
import { emptyDatabaseUrl } from '../database/test-database.ts';
import { withClient } from '../database/test-database-setup.ts';

test('records from an earlier version have the product’s names unless a person changed them', async () => {
  const url = await emptyDatabaseUrl();
  const folder = await mkdtemp(join(tmpdir(), 'voltdeck-names-'));
  for (const { number, name } of await readMigrations(migrationsDir)) {
    const file = `${String(number).padStart(4, '0')}_${name}.sql`;
    if (number < 22) await copyFile(join(migrationsDir, file), join(folder, file));
  }
  await migrate(url, folder);
  await rm(folder, { recursive: true });
  await withClient(url, (client) =>
    client.query(`
      insert into positions (name, data_scope, menu_codes)
      values ('平台运营', 'platform', '{}'), ('代理商', 'agent', '{}'), ('注册用户', 'self', '{}'), ('值班', 'self', '{}');
      insert into users (user_name, real_name, password_hash, admin)
      values ('admin', '系统管理员', '', true), ('other', '系统管理员', '', false);
      insert into configs (key, name, remark, value, built_in)
      values ('sys_title', '系统标题', '我们自己的说明', '', true),
             ('debt_limit_fen', '欠费', '欠费超过此金额的卡或用户不能再启动充电。', '', true),
             ('screen_url', '数据大屏地址', '', '', false)`),
  );
  await migrate(url);
  const told = (text: string) =>
    withClient(url, async (client) => (await client.query({ text, rowMode: 'array' })).rows as unknown[]);
  expect(await told('select name, name_key from positions order by id')).toEqual([
    ['平台运营', 'position.platform'],
    ['代理商', null],
    ['注册用户', 'position.registered'],
    ['值班', null],
    ['分成方', 'position.divider'],
  ]);
  expect(await told('select user_name, real_name_key from users order by id')).toEqual([
    ['admin', 'user.administrator'],
    ['other', null],
  ]);
  expect(await told('select key, name_key, remark_key from configs order by id')).toEqual([
    ['sys_title', 'config.sys_title', null],
    ['debt_limit_fen', null, 'config.debt_limit_fen.remark'],
    ['screen_url', null, null],
  ]);
});
