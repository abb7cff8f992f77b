import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import formbody from '@fastify/formbody';
import { allRoutes } from '@voltdeck/contract/routes';
import Fastify, {
  type FastifyHttpsOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { bindMenus } from './access/menus/routes.ts';
import { bindPositions } from './access/positions/routes.ts';
import { configValue } from './access/queries.ts';
import { bindAccess } from './access/routes.ts';
import { bindSignIn } from './access/sign-in-routes.ts';
import { bindUsers } from './access/users/routes.ts';
import { bindAgentWithdrawals } from './agent-withdrawals/routes.ts';
import { bindAgents } from './agents/routes.ts';
import { bindApprovals } from './approvals/routes.ts';
import { bindBooks } from './books/routes.ts';
import { createCustomerSessions } from './caller/customer-sessions.ts';
import { createSessions } from './caller/sessions.ts';
import { bindCards } from './cards/routes.ts';
import { bindContent } from './content/routes.ts';
import type { Context } from './context.ts';
import { bindCredit } from './credit/routes.ts';
import { bindCustomers } from './customers/routes.ts';
import { platformNameKey } from './database/platform-name.ts';
import { bindDividers } from './dividers/routes.ts';
import type { MapSettings } from './environment.ts';
import { bindFinance } from './finance/routes.ts';
import { bindGroups } from './groups/routes.ts';
import { apiPage } from './http/api-page.ts';
import { createBinder } from './http/bind.ts';
import { bindLists } from './http/bind-lists.ts';
import { compressAnswers } from './http/compress-answers.ts';
import { createCustomerTurns } from './http/customer-turns.ts';
import { bindEvents } from './http/event-stream.ts';
import { bindHealth } from './http/health.ts';
import { openApi } from './http/open-api.ts';
import { createStreams } from './http/open-streams.ts';
import { acceptUploads } from './http/read-upload.ts';
import { sendRefusal } from './http/refusal.ts';
import { refusalOf, refuseRequests } from './http/refuse-requests.ts';
import { RunningAnswers } from './http/running-answers.ts';
import { languageOf } from './http/say.ts';
import { addSecurityHeaders } from './http/security-headers.ts';
import { serveConsole } from './http/serve-console.ts';
import { serveFiles } from './http/serve-files.ts';
import { servePartners } from './interop/evcs/serve-partners.ts';
import { bindPartners } from './interop/routes.ts';
import { bindInvoices } from './invoices/routes.ts';
import { proofGauges } from './ledger/proof-gauges.ts';
import { bindLogs } from './logs/routes.ts';
import { bindOrders } from './orders/routes.ts';
import { bindOverview } from './overview/routes.ts';
import { createOwnStreams } from './own/own-streams.ts';
import { bindCustomersOwn } from './own/routes.ts';
import { channelRoomOf } from './payments/channel-outcomes.ts';
import { servePayPage } from './payments/pay-page.ts';
import { createPaymentPageLimit } from './payments/payment-page-limit.ts';
import { bindRechargeCodes } from './payments/recharge-code-routes.ts';
import { bindPayments } from './payments/routes.ts';
import { takeNotifications } from './payments/take-notifications.ts';
import { bindPriceChanges } from './price-changes/routes.ts';
import { bindQuality } from './quality/routes.ts';
import { bindReadings } from './readings/routes.ts';
import { bindReconciliation } from './reconciliation/routes.ts';
import { bindRehearsals } from './rehearsals/routes.ts';
import { bindReports } from './reports/routes.ts';
import { bindSearch } from './search/routes.ts';
import { embeddedMap, tileOrigins } from './settings/map-tiles.ts';
import { bindSettings } from './settings/routes.ts';
import { bindSettlements } from './settlements/routes.ts';
import { bindShares } from './shares/routes.ts';
import { bindSites } from './sites/routes.ts';
import { createEmbeddedSms } from './sms/embedded-sms.ts';
import type { SmsSender } from './sms/sms-sender.ts';
import { bindStations } from './stations/routes.ts';
import { bindStatistics } from './statistics/routes.ts';
import { bindStories } from './stories/routes.ts';
import { bindTariffs } from './tariffs/routes.ts';
import { listSources } from './tasks/list-sources.ts';
import { bindTasks } from './tasks/routes.ts';
import { bindVehicles } from './vehicles/routes.ts';
import { bindViews } from './views/routes.ts';
import { bindWithdrawals } from './withdrawals/routes.ts';

export const bodyBytesMax = 1024 * 1024;
const requestLimitMs = 100_000;
/** Grace period for answers that are in flight when the server closes. */
const closeLimitMs = 5_000;
/** Longer than a load balancer's usual minute, so that it never reuses a connection we are closing. */
const keepAliveMs = 75_000;

/**
 * TLS 1.3 as Node offers it; of TLS 1.2 only authenticated encryption. The last two, without forward secrecy, are among
 * those that a central system must offer to stations (OCPP 1.6 security whitepaper, TLS-2).
 */
const tlsCiphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'AES128-GCM-SHA256',
  'AES256-GCM-SHA384',
].join(':');

export type BuildOptions = {
  context: Context<'console'>;
  /** PEM texts. */
  tls?: { cert: string; key: string; clientCa: string | null } | null;
  metricsToken?: string | null;
  /** Where YKC stations connect; null when nothing listens there. */
  ykcPort?: number | null;
  /** Without one, the codes of short messages go to the log. */
  sms?: SmsSender;
  /** Whose map the console shows; its own by default. */
  map?: MapSettings;
  /** The built console. */
  consoleDir?: string;
};

export type Built = {
  app: FastifyInstance;
  /** For protocols that begin as HTTP: pass its `upgrade` events here. */
  server: Server;
  /** Ends streams, finishes what is running and releases the port. */
  close(): Promise<void>;
};

const builtConsole = fileURLToPath(new URL('../../console/dist', import.meta.url));

/**
 * The HTTP side of the server, bound but not listening.
 * @throws Error when a route of the contract has no permission or nothing answers it.
 */
export async function build(options: BuildOptions): Promise<Built> {
  const { context, tls = null } = options;
  const app = createApp(context, tls);
  const answers = new RunningAnswers(app);
  const map = options.map ?? embeddedMap;
  addSecurityHeaders(app, { encrypted: tls !== null, pictureOrigins: tileOrigins(map) });
  refuseRequests(app);
  readBodies(app);
  compressAnswers(app);
  await app.register(formbody, { bodyLimit: 16_384 });
  await acceptUploads(app);
  const metrics = bindHealth(app, context, { metricsToken: options.metricsToken ?? null });
  for (const gauge of proofGauges(context.database.db, () => context.now())) metrics.registerMetric(gauge);

  const sessions = createSessions(context.database.db);
  const customers = {
    sessions: createCustomerSessions(context.database.db),
    turns: createCustomerTurns(context.database.pool.options.max),
  };
  const binder = createBinder(app, context, sessions, customers);
  bindLists(binder, context, Object.values(listSources));
  bindAccess(binder, context, sessions);
  bindMenus(binder, context, sessions);
  bindPositions(binder, context, sessions);
  bindUsers(binder, context, sessions);
  const sms = options.sms ?? createEmbeddedSms(context.log);
  bindSignIn(binder, context, sessions, sms);
  bindAgents(binder, context, sessions);
  bindDividers(binder, context, sessions);
  bindGroups(binder, context);
  bindAgentWithdrawals(binder, context);
  bindApprovals(binder, context, sessions);
  bindBooks(binder, context);
  bindCards(binder, context);
  bindContent(binder, context);
  bindCustomers(binder, context, sessions);
  bindCredit(binder, context);
  const streams = createStreams(context, sessions);
  bindEvents(binder, context, streams);
  bindLogs(binder, context, streams);
  const ownStreams = createOwnStreams(context, customers.sessions);
  bindCustomersOwn(binder, context, { ...customers, streams: ownStreams, sms });
  bindOrders(binder, context);
  bindPartners(binder, context);
  bindPriceChanges(binder, context);
  bindRehearsals(binder, context);
  bindReadings(binder, context);
  bindStories(binder, context);
  bindVehicles(binder, context);
  bindOverview(binder, context);
  bindPayments(binder, context);
  const paymentPages = createPaymentPageLimit();
  bindRechargeCodes(binder, context, paymentPages);
  bindWithdrawals(binder, context, channelRoomOf(context.on('money')));
  bindFinance(binder, context);
  bindStatistics(binder, context);
  bindInvoices(binder, context);
  bindQuality(binder, context);
  bindSettlements(binder, context);
  bindSearch(binder, context);
  bindSettings(binder, context, map);
  bindShares(binder, context);
  bindReconciliation(binder, context, channelRoomOf(context.on('money')));
  bindSites(binder, context);
  bindStations(binder, context, { ykcPort: options.ykcPort ?? null });
  bindTariffs(binder, context);
  bindTasks(binder, context);
  bindReports(binder, context);
  bindViews(binder, context);
  binder.proveComplete(allRoutes);

  // More than a megabyte, so it is built on the first request.
  let description: Promise<string> | null = null;
  app.get('/api/openapi.json', async (_request, reply) => {
    description ??= openApi(allRoutes).then(JSON.stringify);
    return reply.type('application/json').send(await description);
  });
  app.get('/api/docs', async (request, reply) =>
    reply.type('text/html; charset=utf-8').send(apiPage(allRoutes, languageOf(request.headers))),
  );
  await takeNotifications(app, context);
  await servePartners(app, context);
  servePayPage(app, context, paymentPages);
  serveFiles(app, context);
  await serveConsole(app, options.consoleDir ?? builtConsole, () =>
    configValue(context.database.db, platformNameKey, { onlyPublic: true }),
  );
  await app.ready();
  return {
    app,
    server: app.server,
    async close() {
      streams.close();
      ownStreams.close();
      const closed = app.close();
      await answers.finished(closeLimitMs);
      // Browsers open connections ahead of use; idle ones would delay closing.
      app.server.closeAllConnections();
      await closed;
    },
  };
}

function createApp(context: Context, tls: BuildOptions['tls']): FastifyInstance {
  const common = {
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomBytes(8).toString('base64url'),
    bodyLimit: bodyBytesMax,
    requestTimeout: requestLimitMs,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: 'idle',
    // Only a proxy on this machine is trusted to name the caller's address.
    trustProxy: 'loopback',
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) =>
      sendRefusal(reply as unknown as FastifyReply, refusalOf(error, request.method), languageOf(request.headers)),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
  } satisfies FastifyServerOptions;
  if (tls === null || tls === undefined) return Fastify(common) as unknown as FastifyInstance;
  const encrypted: FastifyHttpsOptions<SecureServer> = {
    ...common,
    https: {
      cert: tls.cert,
      key: tls.key,
      minVersion: 'TLSv1.2',
      ciphers: tlsCiphers,
      honorCipherOrder: true,
      // Stations present a certificate and browsers do not, so the gateways decide who needs one.
      ...(tls.clientCa === null ? {} : { ca: tls.clientCa, requestCert: true, rejectUnauthorized: false }),
    },
  };
  return Fastify(encrypted) as unknown as FastifyInstance;
}

/** JSON as Fastify parses it, but an empty body counts as none, since many clients always send the header. */
function readBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}

/**
 * Reads the PEM files named in the settings.
 * @throws Error when one cannot be read or they do not match.
 */
export async function readTls(
  files: { cert: string; key: string; clientCa: string | null } | null,
): Promise<BuildOptions['tls']> {
  if (files === null) return null;
  // One after the other, so that of several wrong ones the first is named.
  const cert = await readFile(files.cert, 'utf8');
  const key = await readFile(files.key, 'utf8');
  const clientCa = files.clientCa === null ? null : await readFile(files.clientCa, 'utf8');
  // Faulty certificates and mismatched keys are reported at once, by the name of the setting.
  createSecureContext({ cert, key, ...(clientCa === null ? {} : { ca: clientCa }) });
  return { cert, key, clientCa };
}
