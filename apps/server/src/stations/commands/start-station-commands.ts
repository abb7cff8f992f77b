import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import {
  type BulkCommand,
  commandedStationsMax,
  listStations,
  type startStationCommands as route,
} from '@voltdeck/contract/stations';
import type { StationId, TaskId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { startTask } from '../../background/start-task.ts';
import { addTaskRows } from '../../background/task-rows.ts';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { partReader } from '../../http/bind.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { newPasswordOf } from '../command-station.ts';
import { stationList } from '../queries.ts';

export type StartedCommands = { taskId: TaskId; stations: number; skipped: number };

type Chosen = { id: StationId; number: string; protocol: Protocol };

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
  if ((stationIds === undefined) === (query === undefined)) {
    return failed({ code: 'request.invalid', fields: [{ path: 'stationIds', code: 'required' }] });
  }
  // Every station has a password of its own.
  if (command.kind === 'write-configuration' && hasPasswordKey(command)) {
    return failed({ code: 'request.invalid', fields: [{ path: 'key', code: 'not_for_many' }] });
  }
  const chosen = await chosenStations(trx, caller, { stationIds, query }, at);
  if (!chosen.ok) return chosen;
  return queueCommands(trx, caller, sealed(command as BulkCommand, secrets), chosen.value, at);
}

type Sealed = { command: BulkCommand; sealedPassword: string | null };

export async function queueCommands(
  trx: Trx,
  caller: Caller,
  { command, sealedPassword }: Sealed,
  stations: readonly Chosen[],
  at: Instant,
): Promise<Result<StartedCommands, ApiError>> {
  const { kind } = command;
  const isKnown = ({ protocol }: Chosen) => protocolTraits[protocol].commands.includes(kind);
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
  const taskId = started.value;
  await addTaskRows(
    trx,
    taskId,
    stations.map((station) => ({
      label: station.number,
      recordId: station.id,
      ...(isKnown(station) ? {} : { state: 'skipped' as const, detail: { because: 'not-supported' } }),
    })),
  );
  await audit(trx, caller, at, {
    action: 'station.command_many',
    recordKind: 'task',
    recordId: taskId,
    after: { command, stations: stations.length, skipped },
  });
  return ok({ taskId, stations: stations.length, skipped });
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

const readQuery = partReader(listStations.query);

/** The selected stations, or those that a filter of the list matches, by number. */
export async function chosenStations(
  trx: Trx,
  caller: Caller,
  { stationIds, query }: Pick<BodyOf<typeof route>, 'stationIds' | 'query'>,
  at: Instant,
): Promise<Result<Chosen[], ApiError>> {
  const columns = ['stations.id', 'stations.number', 'stations.protocol'] as const;
  if (stationIds !== undefined) {
    const ids = [...new Set(stationIds)];
    const rows = await scoped(trx.selectFrom('stations'), caller, 'stations.agent_id')
      .select(columns)
      .where('stations.id', 'in', ids)
      .orderBy('stations.number')
      .execute();
    if (rows.length < ids.length) return failed({ code: 'record.not_found' });
    return ok(rows);
  }
  const { value, faults } = readQuery(
    Object.fromEntries(Object.entries(query ?? {}).filter(([, text]) => text !== '')),
  );
  if (faults.length > 0) {
    const fields = faults.map((fault) => ({ ...fault, path: `query.${fault.path.split('.')[0]}` }));
    return failed({ code: 'request.invalid', fields });
  }
  const filtered = await stationList.filtered(trx, caller, value as Parameters<typeof stationList.filtered>[2], at);
  if (filtered === null) return ok([]);
  const parts = Array.isArray(filtered) ? filtered : [filtered];
  const rows: Chosen[] = [];
  for (const part of parts) {
    rows.push(
      ...(await part
        .select(columns)
        .orderBy('stations.number')
        .limit(commandedStationsMax + 1)
        .execute()),
    );
  }
  if (rows.length > commandedStationsMax) {
    return failed({ code: 'station.too_many', params: { max: commandedStationsMax } });
  }
  return ok(rows);
}
