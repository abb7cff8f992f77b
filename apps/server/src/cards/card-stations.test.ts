import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { getCardStations, getStationCards } from '@voltdeck/contract/card-stations';
import type { Card } from '@voltdeck/contract/cards';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { StationId, TaskId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace, type Place } from '../http/test-records.ts';
import { runTask } from '../tasks/run-task.ts';
import { clearBlockedCards } from './clear-blocked-cards.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));

let api: TestApi;
let place: Place;
const ends: (() => void)[] = [];
beforeAll(async () => {
  api = await openTestApi();
  api.clock.now = now;
  place = await makePlace(api.database, null, 'lists');
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
});
afterAll(() => api.close());

/** A YKC station that says yes to every card; offline where it has no list of what it was asked. */
async function addStation(number: string, asked?: StationCommand[]): Promise<StationId> {
  const { id } = await api.database.db
    .insertInto('stations')
    .values({
      number,
      name: `Pile ${number}`,
      type: 'fast',
      equipment_type: 'four-wheel',
      protocol: 'ykc',
      site_id: place.siteId,
      max_power_w: 120_000 as never,
      online: asked !== undefined,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (asked !== undefined) {
    const answer = async (command: StationCommand): Promise<CommandOutcome> => {
      asked.push(command);
      const numbers =
        command.kind === 'store-cards'
          ? command.cards.map(({ physicalNumber }) => physicalNumber)
          : command.kind === 'clear-cards'
            ? command.physicalNumbers
            : [];
      return { kind: 'cards', cards: numbers.map((physicalNumber) => ({ physicalNumber, done: true })) };
    };
    ends.push(playHolder(api.context.bus, number, answer));
  }
  return id;
}

const stationsOf = async ({ id }: Card) =>
  (await api.get<AnswerOf<typeof getCardStations>>(`/cards/${id}/stations`)).data;
const cardsOf = async (id: StationId) =>
  (await api.get<AnswerOf<typeof getStationCards>>(`/stations/${id}/cards`)).data;

async function sync({ id }: Card): Promise<{ stations: number }> {
  const started = await api.post<{ taskId: TaskId; stations: number }>(`/cards/${id}/station-syncs`);
  expect(started.envelope.message).toMatchObject({ status: 200 });
  await runTask(api.context, started.data.taskId, new AbortController().signal);
  return started.data;
}

test('an offline card belongs into the list of every station of its agent that keeps one, and a sync gives it to those that lack it', async () => {
  const asked: StationCommand[] = [];
  const near = await addStation('32010600000001', asked);
  await addStation('32010600000002');
  const card = (await api.post<Card>('/cards', { number: 'CA00000000000001', type: 'offline' })).data;
  expect(await stationsOf(card)).toMatchObject({ isWanted: true, storedCount: 0, missingCount: 2, toClearCount: 0 });
  expect(await sync(card)).toMatchObject({ stations: 2 });
  expect(asked).toEqual([
    { kind: 'store-cards', cards: [{ number: card.number, physicalNumber: card.physicalNumber }] },
  ]);
  const after = await stationsOf(card);
  expect(after).toMatchObject({ storedCount: 1, missingCount: 1 });
  expect(after.stations).toMatchObject([
    { number: '32010600000002', state: 'missing', givenAt: null, online: false },
    { number: '32010600000001', state: 'stored', givenAt: '2026-11-21T04:00:00.000Z', siteName: 'Site lists' },
  ]);
  expect(await cardsOf(near)).toMatchObject({
    keepsList: true,
    storedCount: 1,
    missingCount: 0,
    cards: [{ cardNumber: card.number, cardState: 'active', state: 'stored' }],
  });
  expect(await cardsOf(place.stationId)).toMatchObject({ keepsList: false, cards: [] });
});

test('a lost card is taken out of the lists of stations that are online at once, and of the others when they are back', async () => {
  const asked: StationCommand[] = [];
  const near = await addStation('32010600000003', asked);
  const away = await addStation('32010600000004');
  const card = (await api.post<Card>('/cards', { number: 'CA00000000000002', type: 'offline' })).data;
  for (const station_id of [near, away]) {
    await api.database.db
      .insertInto('station_cards')
      .values({ station_id, physical_number: card.physicalNumber, given_at: now })
      .execute();
  }
  await api.post(`/cards/${card.id}/losses`);
  const { rows } = await api.database.pool.query(
    "select key from graphile_worker.jobs where key like 'clear-blocked-card:%'",
  );
  expect(rows).toEqual([{ key: `clear-blocked-card:${card.id}` }]);
  expect(await stationsOf(card)).toMatchObject({ isWanted: false, storedCount: 0, toClearCount: 2 });
  await clearBlockedCards(api.context, card.id);
  expect(asked).toEqual([{ kind: 'clear-cards', physicalNumbers: [card.physicalNumber] }]);
  expect((await stationsOf(card)).stations).toMatchObject([{ number: '32010600000004', state: 'to_clear' }]);
  await api.database.db.updateTable('stations').set({ online: true }).where('id', '=', away).execute();
  const back: StationCommand[] = [];
  ends.push(
    playHolder(api.context.bus, '32010600000004', async (command) => {
      back.push(command);
      return { kind: 'cards', cards: [{ physicalNumber: card.physicalNumber, done: true }] };
    }),
  );
  await clearBlockedCards(api.context);
  expect(back).toHaveLength(1);
  expect(await stationsOf(card)).toMatchObject({ toClearCount: 0, stations: [] });
  const nothingLeft = await api.post(`/cards/${card.id}/station-syncs`);
  expect(nothingLeft.envelope.message).toMatchObject({ status: 409, error: 'card.in_sync' });
});
