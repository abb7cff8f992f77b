import { findAgents } from '@voltdeck/contract/agents';
import type { DataScope, Permission } from '@voltdeck/contract/permissions';
import { expect, test } from 'vitest';
import { agentReaders, seesAgents } from './reach.ts';
import type { Session } from './session.ts';

const sessionOf = (dataScope: DataScope, permissions: readonly Permission[]) =>
  ({ user: { dataScope, permissions } }) as unknown as Session;

test('agents are chosen by the people of the platform and of an agent with agents below, who may ask for their names', () => {
  expect(seesAgents(sessionOf('platform', ['order.read']))).toBe(true);
  expect(seesAgents(sessionOf('agent_tree', ['station.read']))).toBe(true);
  expect(seesAgents(sessionOf('agent_tree', ['invoice.read']))).toBe(false);
  for (const scope of ['agent', 'divider', 'self'] as const) {
    expect(seesAgents(sessionOf(scope, agentReaders))).toBe(false);
  }
});

test('the permissions to ask for names of agents are those of the route', () => {
  expect(agentReaders).toEqual(findAgents.permission);
});
