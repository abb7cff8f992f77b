import type { AddressInfo } from 'node:net';
import { customerAccount } from '@voltdeck/ledger/account';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import type { CustomerId, PartnerId, PulledPortId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type Floor, openFloor } from '../../charging/test-charging-floor.ts';
import { chargeFrom } from '../../charging/test-named-charge.ts';
import type { Database } from '../../database/database.ts';
import { openTestApi, type TestApi } from '../../http/test-api.ts';
import { postTransfer } from '../../ledger/post-transfer.ts';
import { soundTransfer } from '../../orders/hold-money.ts';
import type { CodeMessage } from '../../sms/sms-sender.ts';
import { deliverOnce } from '../deliver/deliver-to-partners.ts';
import { PartnerCaller } from '../deliver/partner-caller.ts';
import { ownOperatorIdKey } from '../own-code.ts';
import { pullSites } from '../pull/pull-sites.ts';
import { followOnce } from './follow-roaming.ts';

const stationsCode = 'MA1STATNS';
const usersCode = 'MA1USERS1';

const keysOf = (name: string) => ({
  operatorSecret: `${name}-operator-secret`,
  sigSecret: `${name}-sig-secret`,
  dataSecret: name.padEnd(16, '0').slice(0, 16),
  dataSecretIv: name.padEnd(16, '1').slice(0, 16),
});

export type Rider = { id: CustomerId; token: string };

/** Two servers of ours that know each other and talk over real sockets: one has the stations, one the customers. */
export type TwoOperators = {
  stations: TestApi;
  users: TestApi;
  floor: Floor;
  /** As each knows the other. */
  usersId: PartnerId;
  stationsId: PartnerId;
  /** Both clocks. */
  at(now: Instant): void;
  /** Tells everything that is due, in both directions. */
  deliver(): Promise<void>;
  /** The same, with the states of running charges, which are due by the database's own clock. */
  deliverStates(): Promise<void>;
  /** Asks about charges of which nothing was heard. */
  follow(): Promise<number>;
  pull(): Promise<void>;
  portOf(connectorId: number): Promise<PulledPortId>;
  rider(phone: string, balanceFen: number): Promise<Rider>;
  /** What accounts of a server hold: all parts of a shared one together. */
  heldAt(api: TestApi, key: string): Promise<number>;
  close(): Promise<void>;
};

let recharges = 9_000_000;

/** Recharges a customer, as at a front desk. */
export async function rechargeRider({ db }: Database, id: CustomerId, amountFen: number, at: Instant): Promise<void> {
  recharges += 1;
  const recharge = {
    id: recharges,
    channel: 'front-desk',
    wallet: customerAccount(id),
    amountFen: fen(amountFen),
  } as const;
  await db.transaction().execute((trx) => postTransfer(trx, soundTransfer(rechargeTransfer(recharge)), at));
}

/** Signs a customer in with the code of a message, as a phone does. */
export async function enterRider(api: TestApi, messages: readonly CodeMessage[], phone: string): Promise<Rider> {
  recharges += 1;
  const ask = { token: null, headers: { 'x-forwarded-for': `198.51.100.${recharges % 250}` } };
  await api.post('/my/codes', { phone }, ask);
  const body = { phone, code: messages.at(-1)?.code ?? '' };
  const opened = await api.post<{ token: string; customer: { id: CustomerId } }>('/my/sessions', body, ask);
  return { id: opened.data.customer.id, token: opened.data.token };
}

export async function openTwoOperators({ depositFen = 1_000_000 } = {}): Promise<TwoOperators> {
  const messages: CodeMessage[] = [];
  const sms = {
    async sendCode(message: CodeMessage) {
      messages.push(message);
      return { ok: true, value: null } as const;
    },
  };
  const [stations, users] = [await openTestApi(), await openTestApi({ sms })];
  const at = (now: Instant) => {
    stations.clock.now = now;
    users.clock.now = now;
  };
  // Before the tests' own charges begin: no clock ever goes back.
  at(instant(chargeFrom - hourMs));
  for (const api of [stations, users]) api.adminToken = (await api.logIn('admin', 'correct horse battery')).data.token;
  const floor = await openFloor(stations.database, () => stations.context as never);
  const addresses = await Promise.all(
    [stations, users].map(async ({ app }) => {
      await app.listen({ host: '127.0.0.1', port: 0 });
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/evcs/v1.0`;
    }),
  );
  const [stationsUrl = '', usersUrl = ''] = addresses;
  const introduce = async (api: TestApi, own: string, other: object) => {
    const set = { value: own };
    await api.database.db.updateTable('configs').set(set).where('key', '=', ownOperatorIdKey).execute();
    const added = await api.post<{ id: PartnerId }>('/partners', other);
    if (added.status !== 200 || added.data === null) throw new Error(added.text);
    return added.data.id;
  };
  const usersId = await introduce(stations, stationsCode, {
    operatorId: usersCode,
    name: 'The users’ operator',
    role: 'demand',
    baseUrl: usersUrl,
    inbound: keysOf('stations'),
    outbound: keysOf('users'),
  });
  const stationsId = await introduce(users, usersCode, {
    operatorId: stationsCode,
    name: 'The stations’ operator',
    role: 'infrastructure',
    baseUrl: stationsUrl,
    inbound: keysOf('users'),
    outbound: keysOf('stations'),
  });
  await stations.database.db
    .updateTable('sites')
    .set({ opened_at: chargeFrom })
    .where('id', '=', floor.siteId)
    .execute();
  await stations.database.db
    .insertInto('partner_sites')
    .values({ partner_id: usersId, site_id: floor.siteId, opened_at: chargeFrom })
    .execute();
  if (depositFen > 0) {
    await stations.post(`/partners/${usersId}/deposits`, { amountFen: depositFen, remark: 'Deposit of the month' });
  }
  const calls = new PartnerCaller(users.context.on('console'));
  const deliver = async () => {
    while ((await deliverOnce(stations.context)) + (await deliverOnce(users.context)) > 0);
  };
  return {
    stations,
    users,
    floor,
    usersId,
    stationsId,
    at,
    deliver,
    async deliverStates() {
      await stations.database.pool.query(
        `update partner_charges set status_due_at = 'epoch' where status_due_at is not null`,
      );
      await deliver();
    },
    follow: () => followOnce(users.context.on('console'), calls),
    async pull() {
      const pulled = await pullSites(users.context.on('console'), calls, stationsId, { kind: 'full', userId: null });
      if (pulled.kind !== 'done') throw new Error(JSON.stringify(pulled));
    },
    async portOf(connectorId) {
      const { id } = await users.database.db
        .selectFrom('pulled_ports')
        .select('id')
        .where('code', '=', String(connectorId))
        .executeTakeFirstOrThrow();
      return id;
    },
    async rider(phone, balanceFen) {
      const rider = await enterRider(users, messages, phone);
      await rechargeRider(users.database, rider.id, balanceFen, chargeFrom);
      return rider;
    },
    async heldAt(api, key) {
      const { rows } = await api.database.pool.query<{ sum: string | null }>(
        'select sum(balance_fen)::bigint as sum from ledger_accounts where key = $1',
        [key],
      );
      return Number(rows[0]?.sum ?? 0);
    },
    async close() {
      await floor.close();
      await users.close();
      await stations.close();
    },
  };
}
