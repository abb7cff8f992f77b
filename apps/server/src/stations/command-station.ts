import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { ApiError } from '@voltdeck/contract/errors';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import type { Context } from '../context.ts';
import { findStation } from './queries.ts';
import { refusalOfOutcome } from './refusal-of-outcome.ts';

/** Asks something of a station. What it answers, yes or no, is the answer; not reaching it is the refusal. */
export async function commandStation(
  context: Context,
  caller: Caller,
  id: StationId,
  command: StationCommand,
  at: Instant,
): Promise<Result<CommandOutcome, ApiError>> {
  const mayCommand = caller.admin || caller.permissions.has('station.command');
  const mayRaw = caller.admin || caller.permissions.has('station.command_raw');
  if (!mayCommand || (command.kind === 'raw' && !mayRaw)) return failed({ code: 'access.denied' });
  const { db } = context.database;
  const station = await findStation(db, caller, id);
  if (station === null) return failed({ code: 'record.not_found' });

  const outcome = await context.bus.commandStation(station.number, command);
  await db.transaction().execute((trx) =>
    audit(trx, caller, at, {
      action: `station.command.${command.kind}`,
      recordKind: 'station',
      recordId: id,
      after: { command, outcome: outcome.kind },
    }),
  );
  switch (outcome.kind) {
    case 'offline':
    case 'busy':
    case 'timed-out':
      return failed(refusalOfOutcome(outcome));
    default:
      return ok(outcome);
  }
}
