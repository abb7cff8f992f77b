import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StationSignIn } from '@voltdeck/charging/states';
import type { StationId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../build.ts';
import { type Floor, openFloor, testPassword } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { hashStationPassword } from '../stations/station-password.ts';
import { attachOcppGateway, type OcppGateway, ocppLimits } from './ocpp-socket.ts';
import { makeAuthority } from './test-certificates.ts';
import { basicOf, knock } from './test-knock.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

let stations = 0;
async function addStation(
  signIn: { mode?: StationSignIn; networks?: string[]; hasPassword?: boolean } = {},
): Promise<{ id: StationId; number: string }> {
  stations += 1;
  const number = `SIGN-IN-${stations}`;
  const { id } = await floor.addStation(number);
  const { mode = 'password', networks = [], hasPassword = true } = signIn;
  await database.db
    .updateTable('stations')
    .set({ sign_in: mode, sign_in_networks: networks, ...(hasPassword ? {} : { password_hash: null }) })
    .where('id', '=', id)
    .execute();
  return { id, number };
}

async function refusalOf(id: StationId): Promise<string | null> {
  const row = await database.db
    .selectFrom('stations')
    .select('refused_because')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.refused_because;
}

describe('a station without a password on record', () => {
  test('a station without a stored password is not admitted without one, unless an operator allowed it', async () => {
    const closed = await addStation({ hasPassword: false });
    expect((await knock(floor.url + closed.number, { authorization: null })).status).toBe(401);
    expect((await knock(floor.url + closed.number)).status).toBe(401);
    expect(await refusalOf(closed.id)).toBe('no_password');
    const open = await addStation({ mode: 'open', hasPassword: false });
    const { status, socket } = await knock(floor.url + open.number, { authorization: null });
    expect(status).toBe(101);
    socket.terminate();
  });
});

describe('a station that is admitted without a password', () => {
  test('a station admitted without a password comes from the networks it is bound to, and from elsewhere only with its password', async () => {
    const { id, number } = await addStation({ mode: 'open', networks: ['203.0.113.0/24', '2001:db8::/48'] });
    const come = async (forwardedFor: string, authorization: string | null) => {
      const { status, socket } = await knock(floor.url + number, { forwardedFor, authorization });
      socket.terminate();
      return status;
    };
    expect(await come('203.0.113.77', null)).toBe(101);
    expect(await come('2001:db8::9', null)).toBe(101);
    expect(await come('203.0.114.1', null)).toBe(401);
    expect(await refusalOf(id)).toBe('wrong_network');
    expect(await come('203.0.114.1', basicOf(number, testPassword))).toBe(101);
    expect(await come('203.0.114.1', basicOf(number, 'another-password'))).toBe(401);
  });
});

describe('a password that a station is asked to use from now on', () => {
  const newPassword = 'fresh-battery-staple';

  async function connected(status = 'Accepted') {
    const { id, number } = await addStation();
    const { socket } = await knock(floor.url + number);
    socket.on('message', (data) => {
      const [kind, messageId, action] = JSON.parse(String(data)) as [number, string, string];
      if (kind === 2 && action === 'ChangeConfiguration') socket.send(JSON.stringify([3, messageId, { status }]));
    });
    socket.send(JSON.stringify([2, 'boot', 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }]));
    return { id, number, socket };
  }
  const comesWith = async (number: string, password: string) => {
    const { status, socket } = await knock(floor.url + number, { authorization: basicOf(number, password) });
    socket.terminate();
    return status;
  };

  test.each([
    ['by the command', { kind: 'write-configuration', key: 'AuthorizationKey', value: newPassword }],
    ['raw', { kind: 'raw', action: 'ChangeConfiguration', payload: { key: 'authorizationKEY', value: newPassword } }],
    [
      'in hexadecimal',
      { kind: 'write-configuration', key: 'AuthorizationKey', value: Buffer.from(newPassword).toString('hex') },
    ],
  ] as const)(
    'a new password by %s is valid beside the old one until it is used, and alone from then on',
    async (_way, command) => {
      const { number } = await connected();
      await floor.context.bus.commandStation(number, command);
      expect(await comesWith(number, testPassword)).toBe(101);
      expect(await comesWith(number, newPassword)).toBe(101);
      expect(await comesWith(number, testPassword)).toBe(401);
      expect(await comesWith(number, newPassword)).toBe(101);
    },
  );

  test('a new password that the station refuses is discarded', async () => {
    const { number } = await connected('Rejected');
    const outcome = await floor.context.bus.commandStation(number, {
      kind: 'write-configuration',
      key: 'AuthorizationKey',
      value: newPassword,
    });
    expect(outcome.kind).toBe('rejected');
    expect(await comesWith(number, newPassword)).toBe(401);
    expect(await comesWith(number, testPassword)).toBe(101);
  });

  test('a new password is neither in the log nor stored in clear', async () => {
    const { id, number } = await connected();
    await floor.context.bus.commandStation(number, {
      kind: 'raw',
      action: 'ChangeConfiguration',
      payload: { key: 'AuthorizationKey', value: newPassword },
    });
    await floor.journal.drained();
    const { rows } = await database.pool.query(
      `select (select string_agg(request || coalesce(answer, ''), ' ') from interaction_logs where station_id = s.id) as log,
              row_to_json(s)::text as station
         from stations s where id = $1`,
      [id],
    );
    expect(rows[0].log).toContain('AuthorizationKey');
    expect(JSON.stringify(rows)).not.toContain(newPassword);
  });
});

describe('a connection that signed in with a password that was replaced', () => {
  test('a connection signed in with a replaced password ends after the grace period, and one with the new password stays', async () => {
    const { id, number } = await addStation();
    const { url: base, close } = await openSweeping();
    const url = `${base}${number}`;
    const { socket: old } = await knock(url);
    const closed = new Promise<number>((resolve) => old.once('close', resolve));
    const renewed = 'another-good-secret';
    await database.db
      .updateTable('stations')
      .set({ password_hash: hashStationPassword(renewed), password_changed_at: floor.context.now() })
      .where('id', '=', id)
      .execute();
    expect(await closed).toBe(1008);
    const { status, socket: fresh } = await knock(url, { authorization: basicOf(number, renewed) });
    expect(status).toBe(101);
    const answered = new Promise((resolve) => fresh.once('message', resolve));
    fresh.send('[2,"1","Heartbeat",{}]');
    await answered;
    expect(fresh.readyState).toBe(fresh.OPEN);
    await close();
  });

  test('a connection ends when its password is replaced at the moment it arrives', async () => {
    const { id, number } = await addStation();
    const { url, close } = await openSweeping();
    floor.clock.now = instant(Date.now());
    const { socket: old } = await knock(`${url}${number}`);
    const closed = new Promise<number>((resolve) => old.once('close', resolve));
    const replaced = {
      password_hash: hashStationPassword('another-good-secret'),
      password_changed_at: floor.clock.now,
    };
    await database.db.updateTable('stations').set(replaced).where('id', '=', id).execute();
    floor.clock.now = null;
    expect(await closed).toBe(1008);
    await close();
  });

  test('a connection ends when a password change is committed later than its timestamp', async () => {
    const { id, number } = await addStation();
    const { url, close } = await openSweeping();
    const { socket: old } = await knock(`${url}${number}`);
    const closed = new Promise<number>((resolve) => old.once('close', resolve));
    const connectedAt = floor.context.now();
    await expect.poll(() => floor.context.now() - connectedAt).toBeGreaterThan(500);
    const renewed = { password_hash: hashStationPassword('another-good-secret'), password_changed_at: connectedAt };
    await database.db.updateTable('stations').set(renewed).where('id', '=', id).execute();
    expect(await closed).toBe(1008);
    await close();
  });

  test('connections with replaced passwords are checked one round at a time, however slow the database', async () => {
    const { close } = await openSweeping();
    const blocker = await database.pool.connect();
    try {
      await blocker.query('begin; lock table stations in access exclusive mode');
      await afterRounds(20);
      const { rows } = await blocker.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database() and query like '%password_changed_at%'`,
      );
      expect(rows[0]?.waiting).toBeLessThanOrEqual(1);
      expect(floor.context.database.pool.waitingCount).toBe(0);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    await close();
  });
});

/** A gateway that checks for changed passwords continuously. */
async function openSweeping(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer();
  const gateway = attachOcppGateway(server, floor.context, floor.journal, {
    limits: { ...ocppLimits, oldPasswordGraceMs: 50, oldPasswordsSweepMs },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ocpp/`,
    async close() {
      await gateway.close();
      server.close();
    },
  };
}

const oldPasswordsSweepMs = 20;

/** Enough time for as many rounds to begin. */
function afterRounds(count: number): Promise<void> {
  let rounds = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      rounds += 1;
      if (rounds < count) return;
      clearInterval(timer);
      resolve();
    }, oldPasswordsSweepMs);
  });
}

describe('client certificates (security profile 3)', () => {
  const authority = makeAuthority('Voltdeck stations');
  const stranger = makeAuthority('Somebody else');
  const serverIdentity = authority.issue({ commonName: 'localhost', dnsNames: ['localhost'] });
  let gateway: OcppGateway;
  let url: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const built = await build({
      context: floor.context.on('console'),
      tls: { cert: serverIdentity.cert, key: serverIdentity.key, clientCa: authority.cert },
    });
    gateway = attachOcppGateway(built.server, floor.context, floor.journal);
    await built.app.listen({ host: '127.0.0.1', port: 0 });
    url = `wss://localhost:${(built.server.address() as AddressInfo).port}/ocpp/`;
    close = built.close;
  });
  afterAll(async () => {
    await gateway.close();
    await close();
  });

  const come = async (number: string, options: { cert?: string; key?: string; authorization?: string | null }) => {
    const { authorization = null, ...identity } = options;
    const { status, socket } = await knock(url + number, { authorization, tls: { ca: authority.cert, ...identity } });
    socket.terminate();
    return status;
  };

  test('a client certificate of the installation admits the station it names, without a password', async () => {
    const { number } = await addStation();
    expect(await come(number, authority.issue({ commonName: number }))).toBe(101);
    expect(await come(number, authority.issue({ commonName: 'L120', dnsNames: [number] }))).toBe(101);
  });

  test('a client certificate of the installation that names another station admits nobody', async () => {
    const [own, other] = [await addStation(), await addStation()];
    expect(await come(own.number, authority.issue({ commonName: other.number }))).toBe(401);
    expect(await refusalOf(own.id)).toBe('certificate_of_another');
  });

  test('a client certificate of another authority admits nobody, not even with the right password', async () => {
    const { id, number } = await addStation();
    const authorization = basicOf(number, testPassword);
    expect(await come(number, { ...stranger.issue({ commonName: number }), authorization })).toBe(401);
    expect(await refusalOf(id)).toBe('foreign_certificate');
    const { cert, key } = makeAuthority(number);
    expect(await come(number, { cert, key, authorization })).toBe(401);
  });

  test('a client certificate is not required of a station with a password, unless an operator demands it', async () => {
    const usual = await addStation();
    expect(await come(usual.number, { authorization: basicOf(usual.number, testPassword) })).toBe(101);
    const strict = await addStation({ mode: 'certificate' });
    expect(await come(strict.number, { authorization: basicOf(strict.number, testPassword) })).toBe(401);
    expect(await refusalOf(strict.id)).toBe('no_certificate');
    expect(await come(strict.number, authority.issue({ commonName: strict.number }))).toBe(101);
  });

  test('a required client certificate refuses an unencrypted connection', async () => {
    const strict = await addStation({ mode: 'certificate' });
    expect((await knock(floor.url + strict.number)).status).toBe(401);
    expect(await refusalOf(strict.id)).toBe('no_certificate');
  });
});
