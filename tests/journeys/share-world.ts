import type { Database } from '@voltdeck/server/database/database';
import { makePlace, type Place } from '@voltdeck/server/http/test-records';
import type { AgentId } from '@voltdeck/units/id';
import type { Dice } from './dice.ts';

const agentsMax = 5;
const dividersOfHolder = 3;

/** Sites of the platform and of a random tree of agents, whose rates and dividers `changeRates` draws anew. */
export async function makeSharedPlaces(database: Database, chance: Dice): Promise<Place[]> {
  const places = [await makePlace(database, null, 'money')];
  const agents: (AgentId | null)[] = [null];
  for (let index = 1; index <= agentsMax; index += 1) {
    const { id } = await database.db
      .insertInto('agents')
      .values({ name: `Agent ${index}`, parent_id: chance.pick(agents) })
      .returning('id')
      .executeTakeFirstOrThrow();
    agents.push(id);
    places.push(await makePlace(database, id, `money ${index}`));
  }
  for (const agentId of agents) {
    for (let index = 0; index < dividersOfHolder; index += 1) {
      await database.db
        .insertInto('dividers')
        .values({ name: `Divider ${index}`, agent_id: agentId, created_at: Date.now() as never })
        .execute();
    }
  }
  await changeRates(database, places, chance);
  return places;
}

/** Draws who shares in orders that settle from now on. */
export async function changeRates({ pool }: Database, places: readonly Place[], chance: Dice): Promise<void> {
  const rate = (max = 10_000) => (chance.next() < 0.2 ? chance.pick([0, max]) : chance.whole(0, max));
  const { rows: agents } = await pool.query<{ id: number }>('select id from agents order by id');
  for (const { id } of agents) {
    await pool.query('update agents set rate_e4 = $2, settlement_cycle = $3 where id = $1', [
      id,
      rate(),
      chance.pick(['t1', 't7', 'm1']),
    ]);
  }
  await pool.query('delete from share_terms');
  for (const siteId of [null, ...places.map((place) => place.siteId)]) {
    if (chance.next() < 0.5) continue;
    await pool.query(
      `insert into share_terms (site_id, channel_fee_e4, electricity_e4, service_e4, changed_at)
       values ($1, $2, $3, $4, now())`,
      [siteId, rate(100), rate(), rate()],
    );
  }
  await pool.query('delete from divider_terms');
  const { rows: dividers } = await pool.query<{ id: number; agent_id: number | null }>(
    'select id, agent_id from dividers order by id',
  );
  for (const { id, agent_id: agentId } of dividers) {
    const place = chance.pick([null, ...places]);
    await pool.query(
      `insert into divider_terms (divider_id, agent_id, site_id, station_id, electricity_e4, service_e4, occupancy_e4,
                                  from_at, to_at, created_at)
       values ($1, $2, $3, $4, $5, $6, 0, now() - interval '1 day', $7, now())`,
      [
        id,
        agentId,
        place !== null && chance.next() < 0.5 ? place.siteId : null,
        null,
        rate(3_333),
        rate(3_333),
        chance.next() < 0.2 ? new Date(Date.now() - 3_600_000) : null,
      ],
    );
  }
}
