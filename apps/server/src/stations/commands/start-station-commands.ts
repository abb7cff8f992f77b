import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { BulkCommand, startStationCommands as route } from '@voltdeck/contract/station-commands';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Started } from '../../background/announce-task.ts';
import { startTask } from '../../background/start-task.ts';
import { addTaskRows } from '../../background/task-rows.ts';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { type ChosenStation, chooseStations } from '../choose-stations.ts';
import { newPasswordOf } from '../command-station.ts';

export type StartedCommands = Started<AnswerOf<typeof route>>;

/** The name under which a firmware server's password is sealed while its task waits and runs. */
export const sealedName = 'station-commands';

/**
 * Queues one command for many stations, with a row for each. Which stations it concerns is decided now; a station whose
 * protocol lacks the command is skipped.
 */
export async function startStationCommands(
  trx: Trx,
  caller: Caller,
  { stationIds, query, ...command }: BodyOf<typeof route>,
  { at, secrets }: { at: Instant; secrets: SecretBox },
): Promise<Result<StartedCommands, ApiError>> {
  // Every station has a password of its own.
  if (command.kind === 'write-configuration' && hasPasswordKey(command)) {
    return failed({ code: 'request.invalid', fields: [{ path: 'key', code: 'not_for_many' }] });
  }
  const chosen = await chooseStations(trx, caller, { stationIds, query }, at);
  if (!chosen.ok) return chosen;
  return queueCommands(trx, caller, sealed(command as BulkCommand, secrets), chosen.value, at);
}

type Sealed = { command: BulkCommand; sealedPassword: string | null };

export async function queueCommands(
  trx: Trx,
  caller: Caller,
  { command, sealedPassword }: Sealed,
  stations: readonly ChosenStation[],
  at: Instant,
): Promise<Result<StartedCommands, ApiError>> {
  const { kind } = command;
  const isKnown = ({ protocol }: ChosenStation) => protocolTraits[protocol].commands.includes(kind);
  const skipped = stations.filter((station) => !isKnown(station)).length;
  if (skipped === stations.length) return failed({ code: 'station.none_has_command' });
  const started = await startTask(
    trx,
    caller,
    {
      kind: 'station-commands',
      detail: { command, sealedPassword },
      totalCount: stations.length,
    },
    at,
  );
  if (!started.ok) return started;
  const task = started.value;
  await addTaskRows(
    trx,
    task.id,
    stations.map((station) => ({
      label: station.number,
      recordId: station.id,
      ...(isKnown(station) ? {} : { state: 'skipped' as const, detail: { because: 'not-supported' } }),
    })),
  );
  await audit(trx, caller, at, {
    action: 'station.command_many',
    recordKind: 'task',
    recordId: task.id,
    after: { command, stations: stations.length, skipped },
  });
  return ok({ answer: { taskId: task.id, stations: stations.length, skipped }, task });
}

function sealed(command: BulkCommand, secrets: SecretBox): Sealed {
  if (command.kind !== 'update-firmware') return { command, sealedPassword: null };
  const sealedPassword = secrets.seal(sealedName, command.password).toString('base64');
  return { command: { ...command, password: '***' }, sealedPassword };
}

/** A key that holds the password by which a station signs in, in any protocol. */
function hasPasswordKey(command: Extract<BulkCommand, { kind: 'write-configuration' }>): boolean {
  return Object.values(newPasswordOf).some((newPassword) => newPassword(command) !== null);
}
