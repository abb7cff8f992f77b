import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openData, sealAnswer } from '@voltdeck/tcec102/envelope';
import { instant } from '@voltdeck/units/instant';
import type { Bench } from './bench.ts';
import { BenchCaller } from './caller.ts';
import { ExchangeBook } from './exchanges.ts';

/**
 * A server that examines nothing: whatever can be decrypted is passed on to an operator's bench in a proper envelope
 * with a good token, and everything else is answered Ret 0 without content.
 */
export async function openCarelessServer(
  operator: Bench,
  demand: Pick<Bench['settings'], 'operatorId' | 'theirKeys'>,
): Promise<{ url: string; close(): Promise<void> }> {
  const { profile } = operator.settings;
  const keys = demand.theirKeys;
  const settings = {
    ...operator.settings,
    url: operator.url,
    operatorId: demand.operatorId,
    theirKeys: keys,
  };
  const caller = new BenchCaller(settings, new ExchangeBook([]), () => instant(Date.now()));
  const sealed = (body: string | null) =>
    sealAnswer({ keys, ret: 0, msg: '', profile, operatorId: operator.settings.operatorId }, body);
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').split('/').at(-1) ?? '';
    // Whoever breaks off wants no answer.
    const body = await text(request).catch(() => '');
    const data = /"Data":"([^"]*)"/.exec(body)?.[1]?.replaceAll(/\\r|\\n/g, '') ?? '';
    const opened = openData(data, keys);
    const reply = opened.ok ? await caller.call(name as never, {} as never, { body: opened.value }) : null;
    response.end(sealed(reply?.ret === 0 ? reply.exchange.answer : '{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/evcs/v1.0`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
