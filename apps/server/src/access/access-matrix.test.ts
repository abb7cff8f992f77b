import { text } from 'node:stream/consumers';
import type { Envelope } from '@voltdeck/contract/envelope';
import { type Permission, permissions } from '@voltdeck/contract/permissions';
import type { Route } from '@voltdeck/contract/route';
import { customerRoutes, routes } from '@voltdeck/contract/routes';
import type { AgentId, DividerId } from '@voltdeck/units/id';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCustomerSessions } from '../caller/customer-sessions.ts';
import { openTestApi, type TestApi, userPassword } from '../http/test-api.ts';
import { makePlace } from '../http/test-records.ts';

const everything = Object.keys(permissions) as Permission[];
/** Permissions that the agent's position of a new installation does not grant. */
const platformOnly: readonly Permission[] = [
  'statistics.rebuild',
  'ledger.read',
  'ledger.reverse',
  'finance.holdings',
  'invoice.settings',
  'partner.read',
  'partner.edit',
  'partner.keys',
  'partner.sites',
  'partner.deposit',
  'partner.exchanges',
  'partner_delivery.read',
  'partner_order.read',
  'partner_order.settle',
  'partner.pay',
  'partner_delivery.replay',
  'partner_site.read',
  'partner_site.pull',
  'partner_station.read',
  'partner_port.read',
  'reconciliation.read',
  'reconciliation.run',
  'reconciliation.repair',
  'reconciliation.seal',
  'station.command_raw',
  'menu.read',
  'menu.edit',
  'config.read',
  'config.edit',
  'advert.read',
  'advert.edit',
  'article.read',
  'article.edit',
  'file.read',
  'file.edit',
  'agent.recharge',
  'recharge.gift',
  'gift.create',
  'gift.deduct',
  'promotion.read',
  'promotion.edit',
  'coupon.read',
  'coupon.edit',
  'withdrawal.read',
  'withdrawal.create',
  'withdrawal.review',
  'withdrawal.pay',
  'withdrawal.resolve',
  'share_terms.read',
  'share_terms.edit',
  'agent_withdrawal.review',
  'agent_withdrawal.pay',
  'agent_withdrawal.return',
  'debt.write_off',
  'customer.merge',
  'order.correct_shares',
  'settlement.settle',
  'settlement.change',
];
const ofAgents = everything.filter((permission) => !platformOnly.includes(permission));
const ofRegistered: readonly Permission[] = [
  'customer.read',
  'card.read',
  'order.read',
  'order.export',
  'recharge.read',
];

type Role = {
  /** Column head in the document. */
  name: string;
  session: 'none' | 'own password' | 'initial password';
  admin: boolean;
  permissions: readonly Permission[];
  /** Signs in and returns a new token. */
  enter(): Promise<string | null>;
};

let api: TestApi;
let agent: AgentId;
let subAgent: AgentId;
beforeAll(async () => {
  api = await openTestApi();
  agent = await api.addAgent('Agent');
  subAgent = await api.addAgent('Below', agent);
  return () => api.close();
});

let entered = 0;
/** A user with a position of the installation, or with one of exactly these permissions. */
async function enter(given: {
  position?: 'platform' | 'agent_tree' | 'divider';
  permissions?: readonly Permission[];
  scope?: 'platform' | 'agent' | 'self';
  agentId?: AgentId;
  user?: Record<string, unknown>;
}): Promise<string> {
  entered += 1;
  const name = `role-${entered}`;
  const { db } = api.database;
  const { scope, agentId } = given;
  const { id } = await api.addUser({
    name,
    permissions: given.permissions ?? [],
    ...(scope === undefined ? {} : { scope }),
    ...(agentId === undefined ? {} : { agentId }),
  });
  if (given.position !== undefined) {
    const seeded = await db
      .selectFrom('positions')
      .select('id')
      .where('data_scope', '=', given.position)
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    await db.updateTable('users').set({ position_id: seeded.id }).where('id', '=', id).execute();
  }
  if (given.user !== undefined) await db.updateTable('users').set(given.user).where('id', '=', id).execute();
  return (await api.logIn(name, userPassword)).data.token;
}

const own = { session: 'own password', admin: false } as const;
const roles: readonly Role[] = [
  { name: 'nobody', session: 'none', admin: false, permissions: [], enter: async () => null },
  {
    ...own,
    name: 'registered, awaiting',
    permissions: [],
    enter: () => enter({ user: { kind: 'registered', position_id: null } }),
  },
  {
    ...own,
    name: 'registered',
    permissions: ofRegistered,
    enter: async () => {
      const { customerId } = await makePlace(api.database, agent, `place ${entered}`);
      return enter({
        permissions: ofRegistered,
        scope: 'self',
        user: { kind: 'registered', customer_id: customerId },
      });
    },
  },
  {
    ...own,
    name: 'divider',
    permissions: [
      'divider_income.read',
      'agent_withdrawal.read',
      'agent_withdrawal.create',
      'agent_withdrawal.account',
      'task.read',
    ],
    enter: async () => {
      const { data } = await api.post<{ id: DividerId }>('/dividers', { name: `Divider ${entered}`, agentId: agent });
      return enter({ position: 'divider', agentId: agent, user: { kind: 'divider', divider_id: data.id } });
    },
  },
  {
    ...own,
    name: 'staff, reading',
    permissions: everything.filter((permission) => permission.endsWith('.read')),
    enter: () => enter({ permissions: everything.filter((permission) => permission.endsWith('.read')) }),
  },
  { ...own, name: 'staff', permissions: everything, enter: () => enter({ position: 'platform' }) },
  {
    ...own,
    name: 'agent',
    permissions: ofAgents,
    enter: () => enter({ position: 'agent_tree', agentId: agent }),
  },
  {
    ...own,
    name: 'sub-agent',
    permissions: ofAgents,
    enter: () => enter({ position: 'agent_tree', agentId: subAgent }),
  },
  {
    name: 'initial password',
    session: 'initial password',
    admin: false,
    permissions: everything,
    enter: () => enter({ position: 'platform', user: { password_is_initial: true } }),
  },
  {
    ...own,
    name: 'administrator',
    admin: true,
    permissions: [],
    enter: () => enter({ user: { admin: true, position_id: null } }),
  },
];

type Verdict = 'answered' | 'sign in first' | 'change the password first' | 'denied';

/** The contract's rule, read without the server's own check. */
function expected(route: Route, role: Role): Verdict {
  if (route.permission === 'public') return 'answered';
  if (role.session === 'none') return 'sign in first';
  if (role.session === 'initial password' && route.openWithInitialPassword !== true) return 'change the password first';
  if (role.admin || route.permission === 'signed-in') return 'answered';
  const enough = [route.permission].flat();
  return role.permissions.some((permission) => enough.includes(permission)) ? 'answered' : 'denied';
}

/**
 * Calls the route with a record that does not exist and an empty body, which is enough to see whether the caller is
 * allowed.
 */
async function tried(route: Route, token: string | null): Promise<Verdict> {
  const path = route.path.replaceAll('{id}', '999999999').replaceAll(/\{\w+\}/g, 'nowhere');
  if (route.answerKind === 'stream') return streamed(path, token);
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE' && route.body !== undefined;
  const { envelope } = await api.ask(route.method, path, { token, ...(hasBody ? { body: {} } : {}) });
  return verdictOf(envelope?.message.error);
}

async function streamed(path: string, token: string | null): Promise<Verdict> {
  const response = await api.app.inject({
    method: 'GET',
    url: `/api${path}`,
    headers: token === null ? {} : { token },
    payloadAsStream: true,
  });
  const stream = response.stream();
  if (response.statusCode !== 200)
    return verdictOf((JSON.parse(await text(stream)) as Envelope<unknown>).message.error);
  stream.destroy();
  return 'answered';
}

function verdictOf(error: string | undefined): Verdict {
  switch (error) {
    case 'session.missing':
      return 'sign in first';
    case 'password.must_change':
      return 'change the password first';
    case 'access.denied':
      return 'denied';
    default:
      return 'answered';
  }
}

const signs: Readonly<Record<Verdict, string>> = {
  answered: '✓',
  denied: '·',
  'sign in first': '401',
  'change the password first': 'pw',
};

function sortedByPath(of: ReadonlyMap<string, Route>): [string, Route][] {
  return [...of].sort(([, one], [, two]) => {
    const [first, second] = [one, two].map(({ path, method }) => `${path} ${method}`) as [string, string];
    return first < second ? -1 : 1;
  });
}

describe('every route, tried by every role', () => {
  const found = new Map<string, Map<string, Verdict>>();
  const ofCustomers = new Map<string, readonly Verdict[]>();

  test.each(roles)('$name is refused and answered exactly as the contract’s permissions say', async (role) => {
    const verdicts = new Map<string, Verdict>();
    // The route that ends the session comes last.
    const inTurn = [...routes].sort(
      ([, one], [, two]) => Number(one.path === '/logout') - Number(two.path === '/logout'),
    );
    const token = await role.enter();
    if (token !== null && !role.admin) {
      const { data } = await api.get<{ permissions: Permission[] }>('/user/info', { token });
      expect(new Set(data.permissions)).toEqual(new Set(role.permissions));
    }
    for (const [name, route] of inTurn) verdicts.set(name, await tried(route, token));
    found.set(role.name, verdicts);
    expect(Object.fromEntries(verdicts)).toEqual(
      Object.fromEntries(inTurn.map(([name, route]) => [name, expected(route, role)])),
    );
  });

  test('a customer is answered by the customers’ own API alone, and nobody else by it', async () => {
    const { customerId } = await makePlace(api.database, agent, 'own');
    const customers = createCustomerSessions(api.database.db);
    const token = await api.database.db
      .transaction()
      .execute((trx) =>
        customers.open(trx, customerId, api.context.now(), { remoteAddress: '203.0.113.1', userAgent: 'test' }),
      );
    const tokens = [null, api.adminToken, token];
    // The route that ends the session comes last.
    const inTurn = [...customerRoutes].sort(
      ([, one], [, two]) => Number(one.path === '/my/sessions/current') - Number(two.path === '/my/sessions/current'),
    );
    for (const [name, route] of inTurn) {
      const verdicts: Verdict[] = [];
      for (const one of tokens) verdicts.push(await tried(route, one));
      ofCustomers.set(name, verdicts);
      const others = route.permission === 'public' ? 'answered' : 'sign in first';
      expect([name, ...verdicts]).toEqual([name, others, others, 'answered']);
    }
  });

  test('the access matrix document shows the measured answers', async () => {
    const byPath = sortedByPath(routes);
    const rows = byPath.map(([name, route]) => {
      const cells = roles.map((role) => signs[found.get(role.name)?.get(name) ?? 'denied']);
      const needed = [route.permission].flat().join(' or ');
      return `| \`${route.method} ${route.path}\` | ${needed} | ${cells.join(' | ')} |`;
    });
    const head = ['route', 'permission', ...roles.map(({ name }) => name)];
    const document = [
      '# Who may call what',
      '',
      'Written by `npm test -- access-matrix -u`, which calls every route of the contract as every role; the same test fails when this page is no longer true. ✓ answered, · "No operation permission", 401 sign in first, pw change the initial password first. Whose records an answer holds is another question: see the data scope in [security.md](security.md).',
      '',
      'Staff and agents have the positions of a new installation; staff, reading has every reading permission; the registered person sees their own card, orders and recharges; the divider sees its own shares.',
      '',
      `| ${head.join(' | ')} |`,
      `|${' --- |'.repeat(head.length)}`,
      ...rows,
      '',
      '## The customers’ own API',
      '',
      'Its tokens are no tokens of the console, and the console’s none of it: each answers 401 to the other’s, for the administrator as well. Every answer holds the records of the customer who calls; what is somebody else’s is a 404.',
      '',
      '| route | permission | nobody | administrator | customer |',
      '| --- | --- | --- | --- | --- |',
      ...sortedByPath(customerRoutes).map(([name, { method, path, permission }]) => {
        const cells = (ofCustomers.get(name) ?? []).map((verdict) => signs[verdict]);
        return `| \`${method} ${path}\` | ${String(permission)} | ${cells.join(' | ')} |`;
      }),
      '',
    ].join('\n');
    await expect(document).toMatchFileSnapshot('../../../../docs/access-matrix.md');
  });
});
