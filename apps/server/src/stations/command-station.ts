import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { ApiError } from '@voltdeck/contract/errors';
import type { Station } from '@voltdeck/contract/stations';
import { withoutSecrets as withoutOcppSecrets } from '@voltdeck/ocpp16/passwords';
import { newPasswordOf as newOcppPasswordOf } from '@voltdeck/ocpp16/translate-commands';
import type { StationId, TaskId } from '@voltdeck/units/id';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { withoutSecrets as withoutYkcSecrets } from '@voltdeck/ykc/exchanges';
import { refusalOfOutcome } from '../bus/refusal-of-outcome.ts';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import type { Context } from '../context.ts';
import { type CommandBody, commandOfBody } from './command-of-body.ts';
import { noteStationCards } from './note-station-cards.ts';
import { findStation } from './queries.ts';
import { stationPasswordFault } from './station-password.ts';
import { sendTariff } from './tariffs/send-tariff.ts';

/** How long a caller waits for a station to refuse new firmware. */
const firmwareAnswerWaitMs = 15 * secondMs;

/** Sends a command to a station. The station's yes or no is the answer; an unreachable station is the refusal. */
export async function commandStation(
  context: Context,
  caller: Caller,
  id: StationId,
  body: CommandBody,
  at: Instant,
): Promise<Result<CommandOutcome, ApiError>> {
  const mayCommand = may(caller, 'station.command');
  const mayRaw = may(caller, 'station.command_raw');
  if (!mayCommand || (body.kind === 'raw' && !mayRaw)) return failed({ code: 'access.denied' });
  const { db } = context.database;
  const station = await findStation(db, caller, id);
  if (station === null) return failed({ code: 'record.not_found' });
  const asked = await askStation(context, caller, station, body, at);
  if (!asked.ok) return asked;
  switch (asked.value.kind) {
    case 'offline':
    case 'busy':
    case 'timed-out':
      return failed(refusalOfOutcome(asked.value));
    default:
      return asked;
  }
}

/** Completes a command, sends it and writes what became of it to the audit log. */
export async function askStation(
  context: Context,
  caller: Caller,
  station: Station,
  body: CommandBody,
  at: Instant,
  { taskId }: { taskId?: TaskId } = {},
): Promise<Result<CommandOutcome, ApiError>> {
  const { db } = context.database;
  const command = await commandOfBody(db, caller, station, body);
  if (!command.ok) return command;
  const password = newPasswordOf[station.protocol](command.value);
  const fault = password === null ? null : stationPasswordFault(password, station.number);
  if (fault !== null) {
    const path = body.kind === 'raw' ? 'payload.value' : 'value';
    return failed({ code: 'request.invalid', fields: [{ path, ...fault }] });
  }

  const outcome = await ask(context, station, command.value);
  await db.transaction().execute(async (trx) => {
    if (outcome.kind === 'cards') await noteStationCards(trx, station.id, command.value, outcome, at);
    await audit(trx, caller, at, {
      action: `station.command.${body.kind}`,
      recordKind: 'station',
      recordId: station.id,
      after: {
        command: auditedBody(station, body),
        outcome: outcome.kind,
        ...(taskId === undefined ? {} : { taskId }),
      },
    });
  });
  return ok(outcome);
}

async function ask(context: Context, station: Station, command: StationCommand): Promise<CommandOutcome> {
  if (!protocolTraits[station.protocol].commands.includes(command.kind)) return { kind: 'not-supported' };
  if (command.kind === 'update-firmware') {
    // The station answers when it is done, which may take hours: the interaction log shows the end.
    const scheduled = new Promise<CommandOutcome>((resolve) => {
      setTimeout(() => resolve({ kind: 'scheduled' }), firmwareAnswerWaitMs).unref();
    });
    return Promise.race([context.bus.commandStation(station.number, command), scheduled]);
  }
  if (command.kind !== 'set-tariff') return context.bus.commandStation(station.number, command);
  // Its answer is stored with the station.
  return (await sendTariff(context, station)) ?? { kind: 'failed' };
}

/** A command without its secrets. */
function auditedBody({ protocol }: Station, body: CommandBody): unknown {
  switch (body.kind) {
    case 'update-firmware':
      return { ...body, password: '***' };
    case 'write-configuration':
    case 'raw':
      return withoutSecrets[protocol](body);
    default:
      return body;
  }
}

/** The password that a command gives the station for its next sign-ins. */
export const newPasswordOf: Readonly<Record<Protocol, (command: StationCommand) => string | null>> = {
  'ocpp1.6': newOcppPasswordOf,
  ykc: () => null,
};

const withoutSecrets: Readonly<Record<Protocol, (command: StationCommand) => StationCommand>> = {
  'ocpp1.6': withoutOcppSecrets,
  ykc: withoutYkcSecrets,
};
