import { type FoundKind, foundKinds } from '@voltdeck/contract/search';
import { wattHours } from '@voltdeck/units/energy';
import type { AgentId, DividerId, PartnerId, UserId } from '@voltdeck/units/id';
import { type Instant, instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementTimeoutsMs } from '../database/lanes.ts';
import { freshDatabase } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makeOrder, makePlace, type Place } from '../http/test-records.ts';
import type { SearchAnswer } from './search-records.ts';
import { ways } from './ways.ts';

let api: TestApi;
const connectionsMax = 5;
let mine: Place;
let tokens: Record<'own' | 'foreign' | 'masked', string>;
const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const plate = '浙AD12345';
const vin = 'LSVAA49J132047371';
const strayPlate = '苏E99887';
const strayVin = 'LFV2A21K0B4012345';

const readable = [...new Set(foundKinds.map((kind) => ways[kind].permission))];
const everything = [...readable, 'personal.reveal'] as const;

const ask = async (text: string, token?: string) =>
  (await api.get<SearchAnswer>(`/search?text=${encodeURIComponent(text)}`, token === undefined ? {} : { token })).data;
const kindsOf = async (text: string, token?: string) => (await ask(text, token)).kinds.map(({ kind }) => kind);

/** What finds a record of one agent, for each kind that is neither a place nor a setting. */
const texts: readonly [kind: FoundKind, words: string][] = [
  ['vehicle', plate],
  ['vehicle', vin],
  ['vehicle', '浙 A·D123'],
  ['order', strayPlate],
  ['order', strayVin],
  ['group', '巴士'],
  ['group', 'BBBB00000000C0DE'],
  ['group', '13700000001'],
  ['group_member', '13700000002'],
  ['group_member', '0002'],
  ['group_member', '司机'],
  ['divider', '物业'],
  ['invoice', 'I20261121000000000001'],
  ['invoice', '26332000000012345678'],
  ['invoice', '12345678'],
  ['invoice', '电力 贸易'],
  ['recharge', 'R20261121000000000002'],
  ['recharge', '20261121000000000002'],
  ['recharge', '0000000002'],
  ['recharge', '2026112100000000'],
  ['order_refund', 'B20261121000000000003'],
  ['recharge_refund', 'D20261121000000000004'],
  ['agent_withdrawal', 'E20261121000000000006'],
  ['transfer', 'T20261121000000000008'],
  ['gift', 'G20261121000000000009'],
];
/** The same for what belongs to the platform alone. */
const platformTexts: readonly [kind: FoundKind, words: string][] = [
  ['withdrawal', 'W20261121000000000005'],
  ['channel_payment', 'C20261121000000000007'],
  ['channel_payment', '4200002611202611210000000001'],
  ['partner', '绿电'],
  ['partner', 'MA1GREEN1'],
  ['partner_charge', 'MA1GREEN1000000000000000001'],
  ['partner_charge', 'EN1000000000000000001'],
  ['roaming_charge', 'MA1OURS01000000000000000002'],
];

beforeAll(async () => {
  api = await openTestApi({ database: await freshDatabase({ plansOnce: true, connectionsMax }) });
  const [own, foreign] = [await api.addAgent('own'), await api.addAgent('foreign')];
  mine = await makePlace(api.database, own, 'mine');
  const ofAgent = (name: string, agentId: AgentId) =>
    api.addUser({ name, permissions: everything, scope: 'agent', agentId });
  const seller = await ofAgent('seller', own);
  tokens = {
    own: seller.token,
    foreign: (await ofAgent('stranger', foreign)).token,
    masked: (await api.addUser({ name: 'masked', permissions: readable })).token,
  };
  await makeRecords(own, seller.id, now);
});
afterAll(() => api.close());

describe('the search of every record', () => {
  test.each(texts)(
    'a %s of an agent is found by "%s" for the platform and the agent, and for no other',
    async (kind, text) => {
      expect([await kindsOf(text), await kindsOf(text, tokens.own), await kindsOf(text, tokens.foreign)]).toEqual([
        expect.arrayContaining([kind]),
        expect.arrayContaining([kind]),
        [],
      ]);
    },
  );

  test.each(platformTexts)('a %s is found by "%s" for the platform alone', async (kind, text) => {
    expect(await kindsOf(text)).toContain(kind);
    expect([...(await kindsOf(text, tokens.own)), ...(await kindsOf(text, tokens.foreign))]).toEqual([]);
  });

  test('every kind of record is found by a test or by a part of its name', () => {
    const named = ['order', 'station', 'connector', 'site', 'card', 'customer', 'agent'] as const;
    const settings = ['tariff', 'user', 'position', 'article', 'config'] as const;
    const tested = new Set([...texts, ...platformTexts].map(([kind]) => kind));
    expect(new Set([...tested, ...named, ...settings])).toEqual(new Set(foundKinds));
  });

  test('the kind with the whole number comes first, then those that begin with it, then the rest', async () => {
    const { db } = api.database;
    const text = '77120011';
    await db
      .updateTable('group_members')
      .set({ name: `A ${text}` })
      .execute();
    await db
      .updateTable('groups')
      .set({ name: `${text} Fleet` })
      .execute();
    await db.updateTable('partners').set({ name: text }).execute();
    const { kinds } = await ask(text);
    expect(kinds.map(({ kind, match }) => [kind, match])).toEqual([
      ['partner', 'exact'],
      ['group', 'beginning'],
      ['group_member', 'part'],
    ]);
  });

  test('a site is found by several words of its name and address, whose order does not matter', async () => {
    const { db } = api.database;
    await db
      .updateTable('sites')
      .set({ name: '湖滨银泰', address: '延安路 98 号' })
      .where('id', '=', mine.siteId)
      .execute();
    for (const text of ['银泰', '延安路', '银泰 延安', '延安 湖滨', '98 银泰']) {
      expect([text, (await ask(text)).kinds.find(({ kind }) => kind === 'site')?.items]).toEqual([
        text,
        [expect.objectContaining({ id: mine.siteId })],
      ]);
    }
    expect(await kindsOf('银泰 解放路')).not.toContain('site');
    // Its list finds names as they are typed.
    const totalsOf = async (text: string) => (await ask(text)).kinds.find(({ kind }) => kind === 'site')?.totals;
    expect(await totalsOf('银泰')).toMatchObject([{ list: 'plotList', total: 1 }]);
    expect(await totalsOf('银泰 延安')).toEqual([]);
  });

  test('a station is found by the QR code of one of its ports and by the name of its site', async () => {
    const { kinds } = await ask(`${mine.stationNumber}-2`);
    expect(kinds.map(({ kind, match, items }) => [kind, match, items.map(({ id }) => id)])).toEqual([
      ['station', 'exact', [mine.stationId]],
      ['connector', 'exact', [mine.connectorId + 1]],
    ]);
    expect(await kindsOf('湖滨银泰')).toEqual(['site', 'station']);
  });

  test('plates, VINs and phones stay masked for callers who see them masked, who find them by what they see', async () => {
    const foundBy = async (text: string) =>
      (await ask(text, tokens.masked)).kinds.map(({ kind, items }) => [kind, items.map(({ title }) => title)]);
    const shownVin = 'LSVA*********7371';
    expect(await foundBy(plate)).toContainEqual(['vehicle', ['浙A****45']]);
    expect(await foundBy(vin)).toContainEqual(['vehicle', [shownVin]]);
    expect(await foundBy('7371')).toEqual([['vehicle', [shownVin]]]);
    expect(await foundBy('0002')).toContainEqual(['group_member', ['137****0002']]);
    expect(await foundBy('13700000001')).toEqual([['group', [expect.any(String)]]]);
    for (const text of ['浙AD12', 'LSVAA49J', '2047371', '137000000', '00000002', '12345']) {
      const kinds = (await foundBy(text)).map(([kind]) => kind);
      expect([text, kinds.filter((kind) => kind === 'vehicle' || kind === 'group_member' || kind === 'group')]).toEqual(
        [text, []],
      );
    }
    expect(await kindsOf('LSVAA49J')).toEqual(['vehicle']);
  });

  test('a kind that takes too long does not keep the others, and the answer says which it is', async () => {
    const { pool } = api.database;
    const [client, ...others] = await Promise.all(Array.from({ length: connectionsMax }, () => pool.connect()));
    if (client === undefined) throw new Error('no connection');
    // As in the lane of searches; records are made without it.
    for (const other of others) {
      await other.query(`set statement_timeout = ${statementTimeoutsMs.search}`);
      other.release();
    }
    try {
      await client.query('begin');
      await client.query('lock table wallet_gifts in access exclusive mode');
      const { kinds, unfinished } = await ask('2026112100000');
      expect(unfinished).toEqual(['gift']);
      expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['recharge', 'invoice', 'transfer']));
    } finally {
      await client.query('rollback');
      client.release();
    }
    const { kinds, unfinished } = await ask('2026112100000');
    expect([kinds.map(({ kind }) => kind).includes('gift'), unfinished]).toEqual([true, []]);
  });
});

async function makeRecords(agentId: AgentId, userId: UserId, at: Instant): Promise<void> {
  const { db } = api.database;
  const amount = { amount_fen: fen(1_000) };
  const receipt = (letter: string, serial: number) => `${letter}20261121${String(serial).padStart(12, '0')}`;
  await db.insertInto('vehicles').values({ vin, plate, card_id: mine.cardId, owner_id: mine.customerId }).execute();
  const orderId = await makeOrder(api.database, mine, at, { number: '2026112009000000004444', plate: strayPlate });
  await makeOrder(api.database, mine, at, { number: '2026112009000000005555', vin: strayVin });
  const group = await db
    .insertInto('groups')
    .values({
      name: '滨江巴士',
      contact: 'Li',
      contact_phone: '13700000001',
      card_number: 'BBBB00000000C0DE',
      agent_id: agentId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('group_members')
    .values({
      group_id: group.id,
      agent_id: agentId,
      phone: '13700000002',
      name: '司机王',
      state: 'not_bound',
      source: 'office',
      created_at: at,
    })
    .execute();
  const divider = await db
    .insertInto('dividers')
    .values({ name: '滨江物业', agent_id: agentId, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('invoices')
    .values({
      number: receipt('I', 1),
      invoice_number: '26332000000012345678',
      kind: 'blue',
      type: 'ordinary',
      agent_id: agentId,
      title_kind: 'company',
      title: '杭州电力贸易有限公司',
      order_count: 1,
      energy_wh: wattHours(1_000),
      ...amount,
      net_fen: fen(1_000),
      tax_fen: fen(0),
      electricity_fen: fen(600),
      electricity_tax_fen: fen(0),
      electricity_rate_bp: 0,
      service_fen: fen(400),
      service_tax_fen: fen(0),
      service_rate_bp: 0,
      state: 'waiting',
      step: 'review',
      external_code: '0',
      step_at: at,
      applied_at: at,
    })
    .execute();
  const recharge = await db
    .insertInto('recharges')
    .values({
      number: receipt('R', 2),
      card_id: mine.cardId,
      ...amount,
      balance_before_fen: fen(0),
      balance_after_fen: fen(1_000),
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('order_refunds')
    .values({
      number: receipt('B', 3),
      order_id: orderId,
      ...amount,
      electricity_fee_fen: fen(600),
      service_fee_fen: fen(400),
      reason: 'x',
      state: 'untreated',
      agent_id: agentId,
      site_id: mine.siteId,
      created_at: at,
    })
    .execute();
  await db
    .insertInto('recharge_refunds')
    .values({
      number: receipt('D', 4),
      recharge_id: recharge.id,
      ...amount,
      gift_fen: fen(0),
      state: 'processing',
      reason: 'x',
      created_at: at,
    })
    .execute();
  await db
    .insertInto('withdrawals')
    .values({
      number: receipt('W', 5),
      customer_id: mine.customerId,
      way: 'bank',
      ...amount,
      gift_fen: fen(0),
      fee_fen: fen(0),
      applied_at: at,
    })
    .execute();
  await db
    .insertInto('agent_withdrawals')
    .values({
      number: receipt('E', 6),
      party: 'divider',
      divider_id: divider.id as DividerId,
      payee_kind: 'private',
      payee_holder: 'Li',
      payee_bank: 'Bank',
      payee_number: '6222',
      ...amount,
      fee_fen: fen(0),
      applied_by: userId,
      applied_at: at,
      holder_id: agentId,
    })
    .execute();
  await db
    .insertInto('channel_payments')
    .values({
      number: receipt('C', 7),
      channel: 'wechat',
      purpose: 'recharge',
      card_id: mine.cardId,
      ...amount,
      title: 'x',
      state: 'unknown',
      third_party_number: '4200002611202611210000000001',
      page_token_hash: Buffer.from('a'),
      notify_url: 'https://example.com',
      expires_at: at,
      user_id: userId,
      created_at: at,
    })
    .execute();
  const customer = mine.customerId;
  await db
    .insertInto('wallet_transfers')
    .values({
      number: receipt('T', 8),
      kind: 'between',
      from_card_id: mine.cardId,
      from_agent_id: agentId,
      to_customer_id: customer,
      paid_fen: fen(1_000),
      created_at: at,
    })
    .execute();
  await db
    .insertInto('wallet_gifts')
    .values({
      number: receipt('G', 9),
      kind: 'given',
      card_id: mine.cardId,
      agent_id: agentId,
      ...amount,
      reason: 'x',
      created_at: at,
    })
    .execute();
  const partner = await db
    .insertInto('partners')
    .values({ operator_id: 'MA1GREEN1', name: '绿电出行', role: 'both', created_at: at, changed_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const partnerId = partner.id as PartnerId;
  await db
    .insertInto('partner_charges')
    .values({ partner_id: partnerId, sequence: 'MA1GREEN1000000000000000001', port_id: '1', created_at: at })
    .execute();
  await db
    .insertInto('roaming_charges')
    .values({
      sequence: 'MA1OURS01000000000000000002',
      partner_id: partnerId,
      customer_id: customer,
      state: 'cancelled',
      site_code: 'S1',
      site_name: 'Riverside',
      station_code: 'E1',
      port_code: 'C1',
      prices: '[]',
      placed_at: at,
    })
    .execute();
}
