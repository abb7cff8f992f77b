import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { writeFrame } from '@voltdeck/ykc/frame';
import { burnCpu } from './burn-cpu.ts';
import { carryOutOrders } from './child-answers.ts';
import { callConsole } from './console-calls.ts';

/** A process of strangers who try invented station numbers, and of users who search and export continuously. */
export type CrowdOrder = Crowd | { kind: 'burn'; share: number; forMs: number };

type Crowd = { kind: 'run'; port: number; ykcPort: number; forMs: number; tokens: string[] };

/** The number of each outcome: status codes, `closed`, `none` for no answer in time. */
export type CrowdReport = {
  knocks: Record<string, number>;
  searches: Record<string, number>;
  exports: Record<string, number>;
};

const knocks = 10_000;
/** More than both gateways together keep waiting. */
const knocksAtOnce = 1_024;
const knockWaitMs = 10_000;
const searchesAtOnce = 100;
const exportsAtOnce = 20;
/** Refused users retry after this; the server says ten seconds. */
const againAfterMs = 1_000;

carryOutOrders<CrowdOrder, CrowdReport>(async (order) => {
  if (order.kind === 'burn') {
    await burnCpu(order.share, order.forMs);
    return { knocks: {}, searches: {}, exports: {} };
  }
  const until = performance.now() + order.forMs;
  const [knocked, searched, exported] = await Promise.all([
    knockAll(order, until),
    searchAll(order, until),
    exportAll(order, until),
  ]);
  return { knocks: knocked, searches: searched, exports: exported };
});

async function knockAll({ port, ykcPort }: Crowd, until: number): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  let next = 0;
  await Promise.all(
    Array.from({ length: knocksAtOnce }, async () => {
      while (next < knocks && performance.now() < until) {
        const index = next;
        next += 1;
        count(outcomes, await (index % 2 === 0 ? knockByOcpp(port, `STRANGER${index}`) : knockByYkc(ykcPort, index)));
      }
    }),
  );
  return outcomes;
}

async function knockByOcpp(port: number, number: string): Promise<string> {
  const knocking = request({
    host: '127.0.0.1',
    port,
    path: `/ocpp/${number}`,
    timeout: knockWaitMs,
    agent: false,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': 'ocpp1.6',
      authorization: `Basic ${Buffer.from(`${number}:wrong`).toString('base64')}`,
    },
  });
  return new Promise((done) => {
    knocking.on('response', (answer) => {
      answer.resume();
      done(String(answer.statusCode));
    });
    knocking.on('upgrade', (_, socket) => {
      socket.destroy();
      done('let in');
    });
    knocking.on('timeout', () => {
      knocking.destroy();
      done('none');
    });
    knocking.on('error', () => done('closed'));
    knocking.end();
  });
}

async function knockByYkc(port: number, index: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', timeout: knockWaitMs });
  const login = writeFrame(
    {
      kind: 'login',
      pileNo: String(70_000_000_000_000 + index),
      pileType: 0,
      gunCount: 1,
      protoVersion: 16,
      softwareVersion: 'BENCH',
      netType: 1,
      sim: '0'.repeat(20),
      carrier: 4,
    },
    1,
  );
  let outcome = 'closed';
  socket.on('error', () => socket.destroy());
  socket.on('timeout', () => {
    outcome = 'none';
    socket.destroy();
  });
  socket.on('data', () => {
    outcome = 'refused';
    socket.end();
  });
  socket.write(login);
  await once(socket, 'close');
  return outcome;
}

/** Each user searches again as soon as it is answered, for a text that does not exist. */
async function searchAll({ port, tokens }: Crowd, until: number): Promise<Record<string, number>> {
  return askOverAndOver(searchesAtOnce, until, (agent, index) => {
    const url = `http://127.0.0.1:${port}/api/interaction-logs?text=nobody-said-this-${index}`;
    return callConsole(agent, url, tokens[index % tokens.length] ?? '');
  });
}

async function exportAll({ port, tokens }: Crowd, until: number): Promise<Record<string, number>> {
  return askOverAndOver(exportsAtOnce, until, (agent, index) => {
    const url = `http://127.0.0.1:${port}/api/${index % 2 === 0 ? 'orders' : 'interaction-logs'}/export`;
    return callConsole(agent, url, tokens[index % tokens.length] ?? '');
  });
}

async function askOverAndOver(
  atOnce: number,
  until: number,
  ask: (agent: Agent, index: number) => Promise<{ status: number }>,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const agent = new Agent({ keepAlive: true });
  const cutShort = setTimeout(() => agent.destroy(), until - performance.now());
  await Promise.all(
    Array.from({ length: atOnce }, async (_, index) => {
      while (performance.now() < until) {
        const status = await ask(agent, index).then(
          (answer) => String(answer.status),
          () => 'closed',
        );
        count(outcomes, performance.now() < until ? status : 'unfinished');
        if (status !== '200') await new Promise((resolve) => setTimeout(resolve, againAfterMs));
      }
    }),
  );
  clearTimeout(cutShort);
  agent.destroy();
  return outcomes;
}

function count(outcomes: Record<string, number>, outcome: string): void {
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}
