import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { lanes } from '../database/lanes.ts';
import { refuseUnknownAddress } from './refuse-requests.ts';
import { remoteAddressOf } from './remote-address.ts';

/** A database that does not answer within this counts as away, for load balancers. */
const readyLimitMs = 2_000;

/**
 * `/healthz`: the process runs. `/readyz`: it can serve, the database answers. `/metrics`: Prometheus, for the loopback
 * or with `Authorization: Bearer <token>`; anyone else gets the 404 of an unknown path.
 */
export function bindHealth(
  app: FastifyInstance,
  context: Context<'console'>,
  options: { metricsToken: string | null },
): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'voltdeck_http_request_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const pool = new Gauge({
    name: 'voltdeck_database_connections',
    help: 'Connections of each pool by what they do',
    labelNames: ['lane', 'state'],
    registers: [registry],
    collect() {
      for (const lane of lanes) {
        const { totalCount, idleCount, waitingCount } = context.on(lane).database.pool;
        this.set({ lane, state: 'busy' }, totalCount - idleCount);
        this.set({ lane, state: 'idle' }, idleCount);
        this.set({ lane, state: 'waited_for' }, waitingCount);
      }
    },
  });
  registry.registerMetric(pool);
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
  });

  app.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', async (_request, reply) => {
    const ready = await databaseAnswers(context);
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ready\n' : 'the database does not answer\n');
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(remoteAddressOf(request), request.headers.authorization, options.metricsToken)) {
      return refuseUnknownAddress(request, reply);
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  return registry;
}

async function databaseAnswers(context: Context): Promise<boolean> {
  const limit = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => limit.resolve(false), readyLimitMs);
  try {
    const asked = sql`select 1`.execute(context.database.db).then(
      () => true,
      () => false,
    );
    return await Promise.race([asked, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function mayRead(address: string, authorization: string | undefined, token: string | null): boolean {
  if (/^(127\.|::1$)/.test(address)) return true;
  if (token === null || authorization === undefined) return false;
  const expected = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(authorization);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
