import type { CommandOutcome } from '@voltdeck/charging/station-command';
import { startChargeSeq } from '@voltdeck/tcec102/conversation';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playHolder } from '../../bus/test-station-holder.ts';
import { type Floor, openFloor } from '../../charging/test-charging-floor.ts';
import { chargeFrom, type NamedStation, openNamedStation } from '../../charging/test-named-charge.ts';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { openTestPartner, type TestPartner } from '../test-partner.ts';

let api: TestApi;
let floor: Floor;
let partner: TestPartner;
beforeAll(async () => {
  api = await openTestApi();
  // The stations of the floor are held by this node.
  floor = await openFloor(api.database);
  api.clock.now = chargeFrom;
  floor.clock.now = chargeFrom;
  partner = await openTestPartner(api, { siteIds: [floor.siteId], depositFen: 200_000 });
});
afterAll(async () => {
  expect(await floor.proof()).toEqual({ sumFen: 0, mismatches: 0 });
  await partner.close();
  await floor.close();
  await api.close();
});

type HeldStation = NamedStation & {
  portId: string;
  commands: string[];
  /** Lets the station answer what it was asked. */
  answerWith(outcome: CommandOutcome): void;
  release(): void;
};

let stations = 0;
/** A station that answers a command only when the test says so. */
async function newStation(): Promise<HeldStation> {
  stations += 1;
  const station = await openNamedStation(floor, `330108${String(stations).padStart(8, '0')}`, { ports: 1 });
  const { pool } = api.database;
  await pool.query('update stations set online = true, online_at = to_timestamp($2 / 1000.0) where id = $1', [
    station.id,
    chargeFrom - minuteMs,
  ]);
  await pool.query(`update connectors set state = 'plugged_in' where station_id = $1`, [station.id]);
  const commands: string[] = [];
  let waiting: ((outcome: CommandOutcome) => void)[] = [];
  const take = ({ kind }: { kind: string }) => {
    commands.push(kind);
    return new Promise<CommandOutcome>((resolve) => waiting.push(resolve));
  };
  const releases = [floor.context.bus, api.context.bus].map((bus) => playHolder(bus, station.number, take));
  return {
    ...station,
    portId: String(station.connectorIds[0]),
    commands,
    answerWith(outcome) {
      const asked = waiting;
      waiting = [];
      for (const resolve of asked) resolve(outcome);
    },
    release() {
      for (const release of releases) release();
    },
  };
}

let charges = 0;
const newSequence = () => {
  charges += 1;
  return startChargeSeq(partner.operatorId, chargeFrom, charges);
};

const orderOf = (sequence: string) =>
  api.database.db
    .selectFrom('orders as o')
    .innerJoin('partner_charges as p', 'p.order_id', 'o.id')
    .select(['o.id', 'o.state', 'o.transaction_key', 'o.paid_fen', 'p.stop_asked_at'])
    .where('p.sequence', '=', sequence)
    .executeTakeFirstOrThrow();

/** A charge whose start was sent to the station and is not answered yet. */
async function startAt(station: HeldStation) {
  const named = { StartChargeSeq: newSequence(), ConnectorID: station.portId };
  expect((await partner.call('query_start_charge', named)).answer).toMatchObject({ SuccStat: 0 });
  await expect.poll(() => station.commands).toEqual(['start-charge']);
  const { transaction_key: transaction } = await orderOf(named.StartChargeSeq);
  return { named, transaction: transaction ?? '' };
}

const stopOf = async (named: { StartChargeSeq: string; ConnectorID: string }, token?: string) =>
  (await partner.call('query_stop_charge', named, token === undefined ? {} : { token })).answer;
const stageOf = async ({ StartChargeSeq }: { StartChargeSeq: string }) =>
  (await partner.call('query_equip_charge_status', { StartChargeSeq })).answer?.StartChargeSeqStat;

const stopping = { SuccStat: 0, FailReason: 0, StartChargeSeqStat: 3 };

describe('many stops of one charge', () => {
  test('are one command, until the station refuses it', async () => {
    const station = await newStation();
    const { named, transaction } = await startAt(station);
    station.answerWith({ kind: 'accepted' });
    await station.begin(transaction);
    const token = await partner.token();
    const answers = await Promise.all(Array.from({ length: 20 }, () => stopOf(named, token)));
    for (const answer of answers) expect(answer).toMatchObject(stopping);
    await expect.poll(() => station.commands).toEqual(['start-charge', 'stop-charge']);
    station.answerWith({ kind: 'rejected' });
    await expect.poll(async () => (await orderOf(named.StartChargeSeq)).stop_asked_at).toBeNull();
    expect(await stageOf(named)).toBe(2);
    expect(await stopOf(named)).toMatchObject(stopping);
    await expect.poll(() => station.commands).toEqual(['start-charge', 'stop-charge', 'stop-charge']);
    station.answerWith({ kind: 'accepted' });
    expect(await stopOf(named)).toMatchObject(stopping);
    api.clock.now = instant(chargeFrom + 2 * minuteMs);
    expect(await stopOf(named)).toMatchObject(stopping);
    api.clock.now = chargeFrom;
    await expect.poll(() => station.commands).toEqual(['start-charge', 'stop-charge', 'stop-charge', 'stop-charge']);
    station.release();
  });
});
