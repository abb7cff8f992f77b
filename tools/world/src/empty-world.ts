import type pg from 'pg';
import { positions } from './people.ts';

/** Tables that users refer to, who stay: emptied row by row. */
const emptiedByRow = ['files', 'customers', 'dividers', 'agents'];
/** What an installation has from the start. */
const kept = ['migrations', 'menus', 'configs', 'positions', 'users', 'sessions', 'login_failures', ...emptiedByRow];

/** Whether a server uses this database. `ownName` is the caller's application name. */
export async function isServed(pool: pg.Pool, ownName: string): Promise<boolean> {
  const { rows } = await pool.query<{ served: boolean }>(
    `select exists (select 1 from pg_stat_activity
                     where datname = current_database() and application_name like 'voltdeck%'
                       and application_name <> $1 and pid <> pg_backend_pid()) as served`,
    [ownName],
  );
  return rows[0]?.served === true;
}

/**
 * Empties every table except those of the installation itself, in one transaction; administrators stay. The nightly
 * sweep removes the files' bytes. The books are append-only for everybody; only their owner can lift that, and only for
 * this.
 */
export async function emptyWorld(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    const { rows } = await client.query<{ name: string; partition: boolean; guarded: boolean }>(
      `select quote_ident(c.relname) as name, c.relispartition as partition,
              exists (select 1 from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as guarded
         from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and c.relname <> all ($1::text[])
        order by c.relname`,
      [kept],
    );
    // Partitions are emptied with their table, but each has a guard of its own.
    const whole = rows.filter((table) => !table.partition);
    const guarded = rows.filter((table) => table.guarded);
    for (const { name } of guarded) await client.query(`alter table ${name} disable trigger user`);
    await client.query(`truncate ${whole.map(({ name }) => name).join(', ')} restart identity`);
    for (const { name } of guarded) await client.query(`alter table ${name} enable trigger user`);
    await client.query('delete from users where not admin');
    await client.query(
      'update users set agent_id = null, divider_id = null, customer_id = null, avatar_file_id = null',
    );
    for (const table of emptiedByRow) await client.query(`delete from ${table}`);
    await client.query('delete from positions where name = any ($1::text[])', [positions.map(({ name }) => name)]);
    await client.query("delete from configs where key like 'demo.%'");
    await client.query('commit');
    broken = false;
  } finally {
    client.release(broken);
  }
}
