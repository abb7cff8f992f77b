import { bulkCommandKinds, commandKinds } from '@voltdeck/charging/station-command';
import { expect, test } from 'vitest';
import { commandBodies } from './station-commands.ts';

test('the API serves every command, and one for many stations is none of a single port, charge or payer', () => {
  expect(Object.keys(commandBodies).sort()).toEqual([...commandKinds].sort());
  const single = ['start-charge', 'stop-charge', 'unlock-connector', 'update-balance', 'move-ground-lock', 'raw'];
  expect([...bulkCommandKinds].sort()).toEqual(commandKinds.filter((kind) => !single.includes(kind)).sort());
});
