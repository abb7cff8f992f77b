import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import { cardAccount } from '@voltdeck/ledger/account';
import { fillPrepaidTransfer, rechargeTransfer } from '@voltdeck/ledger/recharge';
import { hashPassword } from '@voltdeck/server/access/password';
import { soundTransfer } from '@voltdeck/server/orders/hold-money';
import { hashStationPassword } from '@voltdeck/server/stations/station-password';
import { seeded } from '@voltdeck/simulator/seeded';
import type { AgentId } from '@voltdeck/units/id';
import { dayMs, hourMs, instant, minuteMs, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import type pg from 'pg';
import { agents } from './agents.ts';
import { bookTransfers } from './book-transfers.ts';
import type { People } from './customers.ts';
import { nextMonth } from './month.ts';
import { historyDays, type Network, type Station } from './network.ts';
import { paperworkOf } from './paperwork.ts';
import { demoUsers, positions } from './people.ts';
import { type IdentityBases, identitiesReserved } from './plan-history.ts';
import { portFactsOf } from './port-facts.ts';
import { defaultTariffs, lingnanTariff, spareTariffs, tariffs } from './tariffs.ts';
import { vehiclesOf } from './vehicles.ts';
import { type WorldMark, worldVersion, writeMark } from './world-mark.ts';

/** Who answers for the platform's own sites. */
const platformHotline = '400-800-6001';

/** Tables that must be empty before a network is created; rows in one of these mean data of one's own. */
const emptyTables = [
  'agents',
  'sites',
  'stations',
  'tariffs',
  'customers',
  'cards',
  'orders',
  'recharges',
  'ledger_transfers',
  'feedbacks',
  'adverts',
  'articles',
] as const;

export async function isEmpty(client: pg.ClientBase | pg.Pool): Promise<boolean> {
  const { rows } = await client.query<{ filled: boolean }>(
    `select ${emptyTables.map((table) => `exists (select 1 from ${table})`).join(' or ')} as filled`,
  );
  return rows[0]?.filled === false;
}

/**
 * Writes everything except the history, within the caller's transaction: agents, positions, users, tariffs, sites,
 * stations, ports, customers, cards with the first money of those that charge live, what agents paid in beforehand,
 * vehicles, and the mark.
 */
export async function writeNetwork(
  client: pg.ClientBase,
  network: Network,
  people: People,
  secrets: { stationPassword(number: string): string; userPassword: string },
): Promise<WorldMark> {
  const { now, beginsAt } = network;
  await insertRows(
    client,
    'agents',
    `id bigint, name text, parent_id bigint, phone text, created_at timestamptz, rate_e4 integer, settles_itself boolean,
     payout_kind text, payout_holder text, payout_bank text, payout_number text`,
    agents.map((agent, index) => ({
      id: index + 1,
      name: agent.name,
      parent_id: agent.parent === null ? null : agent.parent + 1,
      phone: agent.phone,
      created_at: toIso(instant(beginsAt - (900 - 40 * index) * dayMs)),
      rate_e4: agent.parent === null ? 9_000 : 7_000,
      // The first is settled by a person.
      settles_itself: index > 0,
      payout_kind: 'corporate',
      payout_holder: agent.name,
      payout_bank: '演示银行营业部',
      payout_number: `62220000000${String(index + 1).padStart(5, '0')}`,
    })),
  );
  await writeUsers(client, network, secrets.userPassword);
  await insertRows(
    client,
    'tariffs',
    `id bigint, rule_id bigint, version integer, state text, name text, note text, kind text, detail jsonb,
     agent_id bigint, created_at timestamptz, effective_at timestamptz`,
    tariffRows(network),
  );
  await writeDefaultTariffs(client);
  await insertRows(
    client,
    'sites',
    `id bigint, name text, region_code text, address text, longitude double precision, latitude double precision,
     parking_fee text, parking_info text, invoice_available boolean, facilities text[], opening_hours text,
     service_phone text, agent_id bigint, created_at timestamptz, changed_at timestamptz, state text, kind text,
     place text, level text, open_all_day boolean, site_phone text, bay_count integer, reservable boolean,
     directions text, payment_info text, capacity_kva integer, power_capacity_kw integer, staffed boolean,
     own_grid boolean, grid_account text, public_car_park boolean, opened_at timestamptz, remark text`,
    network.sites.map((site) => ({
      id: site.id,
      name: site.name,
      region_code: site.regionCode,
      address: site.address,
      longitude: site.longitude,
      latitude: site.latitude,
      parking_fee: site.parking,
      parking_info: site.parkingInfo,
      invoice_available: site.invoiceAvailable,
      facilities: site.facilities,
      opening_hours: site.isOpenAllDay ? '' : site.openingHours,
      open_all_day: site.isOpenAllDay,
      service_phone: site.agent === null ? platformHotline : (agents[site.agent]?.phone ?? ''),
      agent_id: site.agentId,
      created_at: toIso(site.createdAt),
      changed_at: toIso(site.createdAt),
      state: site.state,
      kind: site.kind,
      place: site.place,
      level: site.isUnderground ? 'underground' : 'above_ground',
      site_phone: site.sitePhone,
      bay_count: site.bayCount,
      reservable: site.isReservable,
      directions: site.directions,
      payment_info: '刷卡、线上',
      capacity_kva: site.capacityKva,
      power_capacity_kw: site.capacityKva === null ? null : Math.round(site.capacityKva * 0.9),
      staffed: site.isStaffed,
      own_grid: site.capacityKva !== null,
      grid_account: site.gridAccount,
      public_car_park: site.kind === 'public',
      opened_at: site.isOpened ? toIso(instant(site.createdAt + 30 * dayMs)) : null,
      remark: site.remark,
    })),
  );
  await insertRows(
    client,
    'stations',
    `id bigint, number text, name text, type text, equipment_type text, protocol text, site_id bigint, agent_id bigint,
     password_hash text, max_power_w integer, voltage_v integer, current_a integer, card_tariff_id bigint,
     wechat_tariff_id bigint, expires_on date, vendor text, model text, serial_number text, firmware_version text,
     iccid text, created_at timestamptz, last_seen_at timestamptz, offline_at timestamptz, activated_at timestamptz,
     free boolean, custom_site text, imei text, sim_expires_on date, manufacturer text, manufacturer_code text,
     equipment_model text, produced_on date`,
    network.stations.map((station) => ({
      ...lastSeenOf(station, network),
      ...paperworkOf(station, network.now),
      id: station.id,
      number: station.number,
      name: station.name,
      type: station.type,
      equipment_type: station.equipmentType,
      protocol: station.protocol,
      site_id: station.site.id,
      agent_id: station.site.agentId,
      password_hash: protocolTraits[station.protocol].hasPassword
        ? hashStationPassword(secrets.stationPassword(station.number))
        : null,
      max_power_w: station.powerKw * 1_000,
      voltage_v: station.voltageV,
      current_a: station.currentA,
      card_tariff_id: station.tariffId,
      wechat_tariff_id: station.tariffId,
      expires_on: shanghaiDate(instant(station.createdAt + 5 * 365 * dayMs)),
      vendor: station.vendor,
      model: station.model,
      serial_number: station.serialNumber,
      firmware_version: station.firmware,
      iccid: station.iccid,
      created_at: toIso(station.createdAt),
      activated_at: station.presence === 'not-installed' ? null : toIso(instant(station.createdAt + 2 * hourMs)),
      free: station.isFree,
    })),
  );
  await dateHistories(client);
  const facts = portFactsOf(network.stations);
  await insertRows(
    client,
    'connectors',
    `id bigint, station_id bigint, number integer, name text, bay_number text, kind text, national_standard text,
     rated_voltage_min_v integer, rated_voltage_max_v integer, rated_current_a integer, rated_power_w integer`,
    network.connectors.map((connector) => ({
      ...facts.get(connector.id),
      id: connector.id,
      station_id: connector.station.id,
      number: connector.number,
      name: connector.name,
    })),
  );
  await insertRows(
    client,
    'customers',
    'id bigint, phone text, nickname text, state text, created_at timestamptz',
    people.customers.map((customer) => ({
      id: customer.id,
      phone: customer.phone,
      nickname: customer.nickname,
      state: customer.state,
      created_at: toIso(customer.createdAt),
    })),
  );
  await insertRows(
    client,
    'cards',
    `id bigint, number text, physical_number text, state text, customer_id bigint, agent_id bigint,
     expires_at timestamptz, created_at timestamptz`,
    people.cards.map((card) => ({
      id: card.id,
      number: card.number,
      physical_number: card.physicalNumber,
      state: card.state,
      customer_id: card.customerId,
      agent_id: card.agentId,
      expires_at: card.expiresAt === null ? null : toIso(card.expiresAt),
      created_at: toIso(card.createdAt),
    })),
  );
  await writePrepaidMoney(client, network);
  await writeFirstMoney(client, network, people);
  await insertRows(
    client,
    'vehicles',
    'id bigint, vin text, card_id bigint, plate text, usage text, owner_id bigint, created_at timestamptz',
    vehiclesOf(people).map(({ vin, plate, usage, ownerId, cardId, createdAt }, index) => ({
      id: index + 1,
      vin,
      plate,
      usage,
      card_id: cardId,
      owner_id: ownerId,
      created_at: toIso(createdAt),
    })),
  );
  await client.query("select make_partitions('readings', interval '7 days', $1::timestamptz, $2::timestamptz)", [
    toIso(instant(beginsAt - dayMs)),
    toIso(instant(now + 14 * dayMs)),
  ]);
  const mark: WorldMark = {
    version: worldVersion,
    seed: network.seed,
    now,
    bases: await reserveIdentities(client),
    hasRecharges: false,
    daysLeft: historyDays + 1,
  };
  await writeMark(client, mark);
  return mark;
}

/** A station that is not connected was last seen some hours or days ago, or when its site closed. */
function lastSeenOf({ id, presence, site }: Station, { now }: Network) {
  if (presence !== 'absent') return {};
  const hoursAgo = site.closedDaysAgo === null ? (id * 37) % 90 : site.closedDaysAgo * 24 - (id % 5);
  const at = toIso(instant(now - hoursAgo * hourMs - 20 * minuteMs));
  return { last_seen_at: at, offline_at: at };
}

/**
 * The database notes what a station has from the moment that it is written. These stations have had it since they were
 * set up: each version of their rule in its time, and free charges from the first.
 */
async function dateHistories(client: pg.ClientBase): Promise<void> {
  await client.query('delete from station_tariffs');
  await client.query(
    `insert into station_tariffs (station_id, kind, from_at, tariff_id)
     select s.id, given.kind, greatest(s.created_at, t.effective_at), t.id
       from stations s
            cross join lateral (values ('card', s.card_tariff_id), ('wechat', s.wechat_tariff_id)) given (kind, tariff_id)
            join tariffs present on present.id = given.tariff_id
            join tariffs t on t.rule_id = present.rule_id and t.state in ('past', 'in_force')
      where not exists (select 1 from tariffs later
                         where later.rule_id = t.rule_id and later.state in ('past', 'in_force')
                           and later.effective_at > t.effective_at and later.effective_at <= s.created_at)`,
  );
  await client.query(
    `update station_free_times f set from_at = s.created_at from stations s where s.id = f.station_id`,
  );
  await client.query(`update station_places p set from_at = s.created_at from stations s where s.id = p.station_id`);
}

async function writeUsers(client: pg.ClientBase, { beginsAt }: Network, password: string): Promise<void> {
  for (const position of positions) {
    await client.query(
      `insert into positions (name, description, data_scope, menu_codes) values ($1, $2, $3, $4)
       on conflict (agent_id, name) do nothing`,
      [position.name, position.description, position.dataScope, position.menuCodes],
    );
  }
  const { rows } = await client.query<{ id: number; name: string; data_scope: string }>(
    'select id, name, data_scope from positions order by id',
  );
  const nameOf = (scope: string): string => {
    const position = rows.find((each) => each.data_scope === scope);
    if (position === undefined) throw new Error(`there is no position with the scope ${scope}`);
    return position.name;
  };
  for (const user of demoUsers(nameOf('platform'), nameOf('agent_tree'))) {
    await client.query(
      `insert into users (user_name, phone, real_name, password_hash, agent_id, position_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (lower(user_name)) do update
          set phone = excluded.phone, real_name = excluded.real_name, password_hash = excluded.password_hash,
              agent_id = excluded.agent_id, position_id = excluded.position_id
        where not users.admin`,
      [
        user.userName,
        user.phone,
        user.realName,
        await hashPassword(password),
        user.agent === null ? null : user.agent + 1,
        rows.find((position) => position.name === user.position)?.id ?? null,
        toIso(instant(beginsAt - 200 * dayMs)),
      ],
    );
  }
}

type Identities = { record: number; transfer: number };

/** Reserves ids of records, each with one of a transfer. */
async function takeIdentities(
  client: pg.ClientBase,
  table: 'recharges' | 'agent_recharges',
  count: number,
): Promise<Identities[]> {
  const { rows } = await client.query<Identities>(
    `select nextval(pg_get_serial_sequence($1, 'id'))::bigint as record,
            nextval(pg_get_serial_sequence('ledger_transfers', 'id'))::bigint as transfer
       from generate_series(1, $2)`,
    [table, count],
  );
  return rows;
}

/** Agents have paid in what they recharge their own customers' cards from. */
async function writePrepaidMoney(client: pg.ClientBase, network: Network): Promise<void> {
  const random = seeded(network.seed).fork('prepaid money');
  const at = instant(network.beginsAt - 20 * dayMs);
  const ids = await takeIdentities(client, 'agent_recharges', agents.length);
  const fillings = agents.map((_, index) => ({
    id: ids[index]?.record ?? 0,
    transferId: ids[index]?.transfer ?? 0,
    agentId: (index + 1) as AgentId,
    amountFen: fen(random.pick([5_000_000, 10_000_000, 20_000_000])),
  }));
  await insertRows(
    client,
    'agent_recharges',
    `id bigint, number text, agent_id bigint, amount_fen bigint, balance_before_fen bigint, balance_after_fen bigint,
     reason text, created_at timestamptz`,
    fillings.map(({ id, agentId, amountFen }) => ({
      id,
      number: receiptNumberOf('A', at, id),
      agent_id: agentId,
      amount_fen: amountFen,
      balance_before_fen: 0,
      balance_after_fen: amountFen,
      reason: '对公转账预存',
      created_at: toIso(at),
    })),
  );
  await bookTransfers(
    client,
    fillings.map(({ id, transferId, agentId, amountFen }) => ({
      id: transferId,
      at,
      transfer: soundTransfer(fillPrepaidTransfer({ id, channel: 'back-office', agentId, amountFen })),
    })),
  );
}

/** Cards that charge live have some money from the start; their history starts now. */
async function writeFirstMoney(client: pg.ClientBase, network: Network, people: People): Promise<void> {
  const random = seeded(network.seed).fork('first money');
  const cards = people.cards.filter((card) => card.isLively);
  const ids = await takeIdentities(client, 'recharges', cards.length);
  const recharges = cards.map((card, index) => {
    const { record = 0, transfer = 0 } = ids[index] ?? {};
    const amountFen = fen(random.pick([10_000, 20_000, 20_000, 30_000, 50_000]));
    const at = instant(Math.min(card.createdAt + random.integer(5, 60) * minuteMs, network.now - minuteMs));
    return { id: record, transferId: transfer, card, amountFen, at };
  });
  await insertRows(
    client,
    'recharges',
    `id bigint, number text, card_id bigint, amount_fen bigint, balance_before_fen bigint, balance_after_fen bigint,
     remark text, channel text, created_at timestamptz`,
    recharges.map(({ id, card, amountFen, at }) => ({
      id,
      number: rechargeNumber(at, id),
      card_id: card.id,
      amount_fen: amountFen,
      balance_before_fen: 0,
      balance_after_fen: amountFen,
      remark: '',
      channel: 'front-desk',
      created_at: toIso(at),
    })),
  );
  await bookTransfers(
    client,
    recharges.map(({ id, transferId, card, amountFen, at }) => ({
      id: transferId,
      at,
      transfer: soundTransfer(rechargeTransfer({ id, channel: 'front-desk', wallet: cardAccount(card.id), amountFen })),
    })),
  );
  await insertRows(
    client,
    'movements',
    `transfer_id bigint, number text, type text, card_id bigint, paid_fen bigint, gift_fen bigint,
     paid_after_fen bigint, gift_after_fen bigint, recharge_id bigint, channel text, created_at timestamptz`,
    recharges.map(({ id, transferId, card, amountFen, at }) => ({
      transfer_id: transferId,
      number: rechargeNumber(at, id),
      type: 'recharge',
      card_id: card.id,
      paid_fen: amountFen,
      gift_fen: 0,
      paid_after_fen: amountFen,
      gift_after_fen: 0,
      recharge_id: id,
      channel: 'front-desk',
      created_at: toIso(at),
    })),
  );
}

/** "R20261121" and twelve digits, as the product numbers recharges; `id` makes it unique. */
export function rechargeNumber(at: number, id: number): string {
  return receiptNumberOf('R', at, id);
}

function receiptNumberOf(letter: 'R' | 'A', at: number, id: number): string {
  const day = shanghaiDate(instant(at)).replaceAll('-', '');
  return `${letter}${day}${String((id * 104_729 + 500_000_003) % 1_000_000_000_000).padStart(12, '0')}`;
}

/** Reserves blocks of ids, so that live orders and the history never collide. */
async function reserveIdentities(client: pg.ClientBase): Promise<IdentityBases> {
  const reserve = async (sequence: string, count: number): Promise<number> => {
    const { rows } = await client.query<{ base: number }>(`select nextval(${sequence})::bigint as base`);
    const base = rows[0]?.base ?? 0;
    await client.query(`select setval(${sequence}, $1)`, [base + count]);
    return base;
  };
  const ofTable = (table: string) => `pg_get_serial_sequence('${table}', 'id')`;
  return {
    order: await reserve(ofTable('orders'), identitiesReserved.order),
    transfer: await reserve(ofTable('ledger_transfers'), identitiesReserved.transfer),
    recharge: await reserve(ofTable('recharges'), identitiesReserved.recharge),
    transactionNumber: await reserve("'transaction_numbers'", identitiesReserved.transactionNumber),
    orderNumber: await reserve("'order_numbers'", identitiesReserved.orderNumber),
  };
}

const spareId = (index: number) => tariffs.length + 1 + index;

/** Versions that took effect before the one in force. */
function earlierVersionsOf(index: number): readonly number[] {
  return spareTariffs.flatMap(({ versionOf, effective }, place) =>
    versionOf === index && effective !== 'next-month' ? [place] : [],
  );
}

/** A rule is named by its first version's id. */
function ruleIdOf(index: number): number {
  const [first] = earlierVersionsOf(index);
  return first === undefined ? index + 1 : spareId(first);
}

/** The rules in use, their other versions, and rules that no charge was priced by. Ids of those in use are their places. */
function tariffRows({ beginsAt, now }: Network) {
  const at = (daysBefore: number) => toIso(instant(beginsAt - daysBefore * dayMs));
  const used = tariffs.map(({ name, tariff }, index) => ({
    id: index + 1,
    rule_id: ruleIdOf(index),
    version: 1 + earlierVersionsOf(index).length,
    state: 'in_force',
    name,
    note: '',
    kind: tariff.kind,
    detail: tariff,
    agent_id: null,
    created_at: at(400 - index),
    effective_at: at(400 - index),
  }));
  const spare = spareTariffs.map(({ name, note, tariff, versionOf, effective, agent }, index) => {
    const isComing = effective === 'next-month';
    const earlier = versionOf === null ? [] : earlierVersionsOf(versionOf);
    return {
      id: spareId(index),
      rule_id: versionOf === null ? spareId(index) : ruleIdOf(versionOf),
      // A coming version follows the one in force.
      version: versionOf === null ? 1 : isComing ? earlier.length + 2 : 1 + earlier.indexOf(index),
      state: versionOf === null ? 'in_force' : isComing ? 'waiting' : 'past',
      name,
      note,
      kind: tariff.kind,
      detail: tariff,
      agent_id: agent === null ? null : agent + 1,
      created_at: isComing ? toIso(instant(now - 6 * dayMs)) : at(effective.daysBefore),
      effective_at: isComing ? toIso(nextMonth(now)) : at(effective.daysBefore),
    };
  });
  return [...used, ...spare];
}

/** The platform's rules of new stations, and the one that an agent has chosen for its own. */
async function writeDefaultTariffs(client: pg.ClientBase): Promise<void> {
  const ofAgent = spareTariffs.findIndex(({ name }) => name === lingnanTariff);
  const { agent } = spareTariffs[ofAgent] ?? {};
  const defaults = [
    ...Object.entries(defaultTariffs).map(([type, index]) => ({ agent_id: null, type, rule_id: ruleIdOf(index) })),
    { agent_id: (agent ?? 0) + 1, type: 'four-wheel', rule_id: spareId(ofAgent) },
  ];
  await client.query(
    `insert into tariff_defaults (agent_id, equipment_type, rule_id)
     select agent_id, type, rule_id from jsonb_to_recordset($1::jsonb) as n (agent_id bigint, type text, rule_id bigint)`,
    [JSON.stringify(defaults)],
  );
}

/** Inserts rows with their ids and advances the table's sequence. `columns` is a column definition list. */
async function insertRows(
  client: pg.ClientBase,
  table: string,
  columns: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const names = columns.split(',').map((column) => column.trim().split(' ')[0]);
  await client.query(
    `insert into ${table} (${names.join(', ')}) overriding system value
     select ${names.join(', ')} from jsonb_to_recordset($1::jsonb) as n (${columns})`,
    [JSON.stringify(rows)],
  );
  // Ids of deleted rows are not reused.
  await client.query(
    `select setval(s.name, greatest(nextval(s.name), (select max(id) from ${table})))
       from (select pg_get_serial_sequence($1, 'id')::regclass as name) s`,
    [table],
  );
}
