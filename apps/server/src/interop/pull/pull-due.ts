import type { PartnerId } from '@voltdeck/units/id';
import { dayMs, instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../database/is-database-away.ts';
import { PartnerCaller } from '../deliver/partner-caller.ts';
import { pullSites } from './pull-sites.ts';

/**
 * Pulls what changed at every partner whose stations we show, and everything once a day, because only that finds what is
 * gone.
 * @returns the partners whose pull failed
 * @throws where the database is away
 */
export async function pullDue(context: Context<'console'>): Promise<number> {
  const since = instant(context.now() - dayMs);
  const { rows } = await sql<{ id: PartnerId; hasFull: boolean }>`
    select p.id, exists (select from partner_pulls l
                          where l.partner_id = p.id and l.kind = 'full' and l.state = 'done'
                            and l.started_at > to_timestamp(${since} / 1000.0)) as "hasFull"
      from partners p
     where p.enabled and p.pulling and p.role in ('infrastructure', 'both') and p.base_url <> '' order by p.id`.execute(
    context.database.db,
  );
  const caller = new PartnerCaller(context);
  let failed = 0;
  for (const { id, hasFull } of rows) {
    try {
      const pulled = await pullSites(context, caller, id, { kind: hasFull ? 'incremental' : 'full', userId: null });
      if (pulled.kind !== 'failed') continue;
      context.log.warn(
        { partnerId: id, fault: pulled.fault, because: pulled.because },
        'partners: stations could not be pulled',
      );
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // One partner does not hold up the others.
      context.log.error({ err: error, partnerId: id }, 'partners: a pull could not begin or end');
    }
    failed += 1;
  }
  return failed;
}
