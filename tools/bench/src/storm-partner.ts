import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openData, type PartnerKeys, readRequestEnvelope, sealAnswer, verifyRequest } from '@voltdeck/tcec102/envelope';
import { defaultProfile } from '@voltdeck/tcec102/profile';

export const stormKeys: PartnerKeys = {
  operatorSecret: 'bench-operator',
  sigSecret: 'bench-signature',
  dataSecret: '1234567890abcdef',
  dataSecretIv: 'fedcba0987654321',
};

/** What a process is told to post: bodies of one port each, so many at a time. */
export type SealedPosts = { url: string; count: number; atOnce: number };

/** A partner that answers every state of a port at once and remembers the latest. */
export type StormPartner = {
  readonly url: string;
  /** When requests came, in milliseconds of `performance.now()`, but for those of a token. */
  readonly cameAt: number[];
  /** The status that each port was last told to have. */
  readonly latest: Map<string, number>;
  close(): void;
};

type Told = { ConnectorStatusInfo: { ConnectorID: string; Status: number } };

export async function startStormPartner(): Promise<StormPartner> {
  const cameAt: number[] = [];
  const latest = new Map<string, number>();
  const sealed = (message: object) =>
    sealAnswer({ keys: stormKeys, ret: 0, msg: '', profile: defaultProfile, operatorId: '' }, JSON.stringify(message));
  const taken = sealed({ Status: 0 });
  const token = sealed({ SuccStat: 0, AccessToken: 'bench', TokenAvailableTime: 7_200, FailReason: 0, OperatorID: '' });
  const server = createServer(async (request, response) => {
    const arrived = performance.now();
    const envelope = readRequestEnvelope(await text(request));
    if (!envelope.ok || !verifyRequest(envelope.value, stormKeys, defaultProfile)) return response.destroy();
    if (request.url?.endsWith('/query_token') === true) return response.end(token);
    const opened = openData(envelope.value.data, stormKeys);
    if (!opened.ok) return response.destroy();
    const { ConnectorID, Status } = (JSON.parse(opened.value) as Told).ConnectorStatusInfo;
    cameAt.push(arrived);
    latest.set(ConnectorID, Status);
    response.end(taken);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/evcs/v1`,
    cameAt,
    latest,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
