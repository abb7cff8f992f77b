import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { keepPort, keptPorts } from './keep-port.ts';

test('a kept port is given to nobody else until it is returned', async () => {
  const first = await keepPort();
  const second = await keepPort(first.port);
  expect(second.port).not.toBe(first.port);
  await first.giveBack();
  await second.giveBack();
});

test('a port that another program listens on is skipped', async () => {
  const { port, giveBack } = await keepPort();
  const program = createServer().listen(port, '127.0.0.1');
  await once(program, 'listening');
  // Nobody keeps it any more, but it is not free.
  await giveBack();
  const other = await keepPort(port);
  expect(other.port).not.toBe(port);
  await other.giveBack();
  program.close();
});

test('after the highest port comes the lowest', async () => {
  const kept = [];
  for (let round = 0; round < 3; round += 1) kept.push(await keepPort(keptPorts.to));
  for (const { port } of kept) {
    expect(port).toBeGreaterThanOrEqual(keptPorts.from);
    expect(port).toBeLessThanOrEqual(keptPorts.to);
  }
  for (const { giveBack } of kept) await giveBack();
});
