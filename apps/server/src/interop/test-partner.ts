import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { partnerAccount } from '@voltdeck/ledger/account';
import { rechargeTransfer } from '@voltdeck/ledger/recharge';
import {
  openData,
  type PartnerKeys,
  type RetCode,
  readAnswerEnvelope,
  readRequestEnvelope,
  sealAnswer,
  sealRequest,
  verifyAnswer,
  verifyRequest,
} from '@voltdeck/tcec102/envelope';
import type { InterfaceName, Message } from '@voltdeck/tcec102/messages/all';
import { readBody } from '@voltdeck/tcec102/messages/read-message';
import { writeMessage } from '@voltdeck/tcec102/messages/write-message';
import { defaultProfile, type PartnerProfile } from '@voltdeck/tcec102/profile';
import type { PartnerId, SiteId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import type { TestApi } from '../http/test-api.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { soundTransfer } from '../orders/hold-money.ts';
import { ownOperatorIdKey } from './own-code.ts';
import type { Partner } from './partner.ts';
import { beginKeys } from './partner-keys.ts';

export const ourCode = 'MA1OURS01';

export const inboundKeys: PartnerKeys = {
  operatorSecret: 'our-secret-for-them',
  sigSecret: 'our-sig-secret',
  dataSecret: '0123456789abcdef',
  dataSecretIv: 'fedcba9876543210',
};
export const outboundKeys: PartnerKeys = {
  operatorSecret: 'their-secret-for-us',
  sigSecret: 'their-sig-secret',
  dataSecret: 'aaaabbbbccccdddd',
  dataSecretIv: 'ddddccccbbbbaaaa',
};

/** What the other operator heard of us, and how it answers. */
export type TestPartner = {
  id: PartnerId;
  operatorId: string;
  heard: { interfaceName: InterfaceName; message: unknown }[];
  /** The key sets with which it may be called: several while they are exchanged. */
  outbound: PartnerKeys[];
  /** Calls that it refused for their signature or token. */
  refused: number;
  /** Notifications heard, by interface. */
  of<Name extends InterfaceName>(name: Name): Message<Name, 'request'>[];
  /** Replaces how it answers: a message, a Ret, or nothing at all. */
  answer: (name: InterfaceName, message: unknown) => object | { ret: RetCode } | null;
  /** Calls us as the partner would; `ret` and the opened message of the answer. */
  call<Name extends InterfaceName>(
    name: Name,
    request: Message<Name, 'request'>,
    options?: { token?: string | null; keys?: PartnerKeys; at?: Instant; seq?: number },
  ): Promise<{ ret: number; msg: string; answer: Message<Name, 'answer'> | null }>;
  /** Sends any text. */
  send(name: string, body: string, token?: string | null): Promise<{ ret: number; msg: string }>;
  token(): Promise<string>;
  seal(name: InterfaceName, request: object, options?: { keys?: PartnerKeys; at?: Instant; seq?: number }): string;
  close(): Promise<void>;
};

let partners = 0;

/** Another operator with a server of its own on a real socket. */
export async function openTestPartner(
  api: TestApi,
  {
    siteIds = [],
    depositFen = 100_000,
    role = 'demand',
    profile = {},
    pushes = ['status', 'charges', 'orders', 'checks'],
  }: {
    siteIds?: readonly SiteId[];
    depositFen?: number;
    role?: Partner['role'];
    profile?: Partial<PartnerProfile>;
    pushes?: string[];
  } = {},
): Promise<TestPartner> {
  partners += 1;
  const operatorId = `MATEST${String(partners).padStart(3, '0')}`;
  const { db } = api.database;
  await db
    .insertInto('configs')
    .values({ name: 'own', key: ownOperatorIdKey, value: ourCode } as never)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: ourCode }))
    .execute();
  const heard: TestPartner['heard'] = [];
  let seq = 0;
  const tokens = new Set<string>();
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const name = (request.url ?? '').split('/').at(-1) as InterfaceName;
      const envelope = readRequestEnvelope(body);
      const keys = envelope.ok
        ? partner.outbound.find((set) => verifyRequest(envelope.value, set, defaultProfile))
        : undefined;
      const reply = (ret: RetCode, text: string | null) => {
        if (ret === 4001 || ret === 4002) partner.refused += 1;
        const from = { keys: keys ?? outboundKeys, ret, msg: '', profile: defaultProfile, operatorId };
        return sealAnswer(from, text);
      };
      if (!envelope.ok || keys === undefined) {
        response.end(reply(4001, null));
        return;
      }
      const given = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      if (name !== 'query_token' && !tokens.has(given)) {
        response.end(reply(4002, null));
        return;
      }
      const text = openData(envelope.value.data, keys);
      const read = readBody(name, 'request', text.ok ? text.value : '', defaultProfile);
      const message = read.ok ? read.value : null;
      heard.push({ interfaceName: name, message });
      const answered = partner.answer(name, message);
      if (answered === null) return void request.socket.destroy();
      if ('ret' in answered) return void response.end(reply(answered.ret as RetCode, null));
      response.end(reply(0, writeMessage(name, 'answer', answered as never, defaultProfile)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const at = api.context.now();
  const { id } = await db
    .insertInto('partners')
    .values({
      operator_id: operatorId,
      name: `Partner ${partners}`,
      role,
      profile: JSON.stringify(profile),
      pushes,
      base_url: `http://127.0.0.1:${port}/evcs/v1`,
      created_at: at,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (trx) => {
    const common = { partnerId: id, overlapMs: 0, userId: null };
    await beginKeys(trx, api.context.secrets, { ...common, direction: 'inbound', keys: inboundKeys }, at);
    await beginKeys(trx, api.context.secrets, { ...common, direction: 'outbound', keys: outboundKeys }, at);
    for (const siteId of siteIds) {
      await trx.insertInto('partner_sites').values({ partner_id: id, site_id: siteId, opened_at: at }).execute();
      await trx.updateTable('sites').set({ opened_at: at }).where('id', '=', siteId).execute();
    }
    if (depositFen > 0) {
      const wallet = partnerAccount(id);
      const deposit = { id: 9_000 + partners, channel: 'bank', wallet, amountFen: fen(depositFen) } as const;
      await postTransfer(trx, soundTransfer(rechargeTransfer(deposit)), at);
    }
  });
  const partner: TestPartner = {
    id,
    operatorId,
    heard,
    outbound: [outboundKeys],
    refused: 0,
    of: (name) => heard.filter(({ interfaceName }) => interfaceName === name).map(({ message }) => message as never),
    answer: (name, message) => usualAnswer(name, message, tokens, operatorId),
    seal(name, request, options = {}) {
      seq = (options.seq ?? seq % 9_999) + (options.seq === undefined ? 1 : 0);
      const { keys = inboundKeys } = options;
      const body = writeMessage(name, 'request', request as never, defaultProfile);
      return sealRequest({ operatorId, keys, at: options.at ?? api.context.now(), seq }, body);
    },
    async send(name, body, token = null) {
      const response = await api.app.inject({
        method: 'POST',
        url: `/evcs/v1/${name}`,
        headers: {
          'content-type': 'application/json;charset=utf-8',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        payload: body,
      });
      const answer = readAnswerEnvelope(response.body);
      if (!answer.ok) throw new Error(`no answer of the standard: ${response.body}`);
      return { ...answer.value };
    },
    async call(name, request, options = {}) {
      const token = options.token === undefined && name !== 'query_token' ? await partner.token() : options.token;
      const envelope = (await partner.send(name, partner.seal(name, request, options), token ?? null)) as never as {
        ret: number;
        msg: string;
        data: string;
        sig: string;
        operatorId: null;
      };
      if (envelope.ret !== 0) return { ret: envelope.ret, msg: envelope.msg, answer: null };
      const { keys = inboundKeys } = options;
      if (!verifyAnswer(envelope, keys, defaultProfile)) throw new Error('the answer is not signed by us');
      const text = openData(envelope.data, keys);
      const read = readBody(name, 'answer', text.ok ? text.value : '', defaultProfile);
      if (!read.ok) throw new Error(`${name}: ${read.error.path} ${read.error.because}`);
      return { ret: 0, msg: envelope.msg, answer: read.value };
    },
    async token() {
      const asked = { OperatorID: operatorId, OperatorSecret: inboundKeys.operatorSecret };
      const { answer } = await partner.call('query_token', asked, { token: null });
      if (answer?.AccessToken === undefined) throw new Error('no token');
      return answer.AccessToken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return partner;
}

function usualAnswer(name: InterfaceName, message: unknown, tokens: Set<string>, operatorId: string): object {
  const asked = message as Record<string, unknown>;
  switch (name) {
    case 'query_token': {
      const token = randomUUID();
      tokens.add(token);
      return { OperatorID: operatorId, SuccStat: 0, AccessToken: token, TokenAvailableTime: 7_200, FailReason: 0 };
    }
    case 'notification_charge_order_info':
      return { StartChargeSeq: asked.StartChargeSeq, ConnectorID: asked.ConnectorID, ConfirmResult: 0 };
    case 'check_charge_orders':
      return {
        CheckOrderSeq: asked.CheckOrderSeq,
        StartTime: asked.StartTime,
        EndTime: asked.EndTime,
        TotalDisputeOrder: 0,
        TotalDisputePower: 0,
        TotalDisputeMoney: 0,
        DisputeOrders: [],
      };
    case 'notification_stationStatus':
    case 'supervise_notification_station_status':
    case 'supervise_notification_charge_order_info':
    case 'supervise_notification_realtime_power_info':
      return { Status: 0 };
    default:
      return { StartChargeSeq: asked.StartChargeSeq, SuccStat: 0, FailReason: 0 };
  }
}
