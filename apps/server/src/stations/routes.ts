import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import * as connectors from '@voltdeck/contract/connectors';
import * as stationActs from '@voltdeck/contract/station-acts';
import * as stationCommands from '@voltdeck/contract/station-commands';
import * as contract from '@voltdeck/contract/stations';
import * as unknownStations from '@voltdeck/contract/unknown-stations';
import type { ConnectorId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import { announceTask } from '../background/announce-task.ts';
import type { Context } from '../context.ts';
import type { Binder, Origin } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { adoptStation } from './adopt-station.ts';
import { changeConnector } from './change-connector.ts';
import { changeStation } from './change-station.ts';
import { changeStations } from './change-stations.ts';
import { commandStation } from './command-station.ts';
import { retryStationCommands } from './commands/retry-station-commands.ts';
import { startStationCommands } from './commands/start-station-commands.ts';
import { createStation } from './create-station.ts';
import { deleteStation } from './delete-station.ts';
import { deleteUnknownStation } from './delete-unknown-station.ts';
import { enableStation } from './enable-station.ts';
import { bindStationIdentities } from './identities/routes.ts';
import { bindStationImports } from './imports/routes.ts';
import { bindLabelSheets } from './labels/routes.ts';
import { moveConnector, tellMove } from './move-connector.ts';
import { openConnector } from './open-connector.ts';
import { openConnectors } from './open-connectors.ts';
import { findConnection, findConnector, findStationDetail } from './queries.ts';
import { renewStationPassword } from './renew-station-password.ts';
import { stationEnergy } from './station-energy.ts';
import { sendTariffIfIdle, watchTariffsNow } from './tariffs/watch-tariffs.ts';

/** `ykcPort` null: nothing listens for YKC stations. */
export function bindStations(
  binder: Binder,
  context: Context<'console'>,
  { ykcPort }: { ykcPort: number | null },
): void {
  const { bind } = binder;
  const { db } = context.database;

  /** What to enter in the charger, with the host name by which the caller reached us. */
  const urlOf = (protocol: Protocol, number: string, origin: Origin): string | null => {
    switch (protocol) {
      case 'ocpp1.6':
        return `${origin.secure ? 'wss' : 'ws'}://${origin.host}/ocpp/${encodeURIComponent(number)}`;
      case 'ykc':
        return ykcPort === null ? null : `tcp://${new URL(`http://${origin.host}`).hostname}:${ykcPort}`;
    }
  };

  bindStationImports(binder, context);
  bindStationIdentities(binder, context);
  bindLabelSheets(binder, context);
  bind(stationActs.changeStations, async ({ caller, body, at, transact }) => {
    const changed = await transact((trx) => changeStations(trx, caller, body, at));
    if (changed.ok && changed.value.changed > 0) watchTariffsNow(context);
    return changed;
  });
  bind(contract.getStation, async ({ caller, params }) => found(await findStationDetail(db, caller, params.id)));
  bind(contract.getStationEnergy, async ({ caller, params, query, at }) =>
    found(await stationEnergy(db, caller, params.id, { days: Number(query.days), at })),
  );
  bind(contract.createStation, ({ caller, body, at, transact }) =>
    transact((trx) => createStation(trx, caller, body, at)),
  );
  bind(contract.changeStation, async ({ caller, params, body, at, transact }) => {
    const changed = await transact((trx) => changeStation(trx, caller, params.id, body, at));
    if (changed.ok && changed.value.runningTariff?.state === 'differs') {
      sendTariffIfIdle(context, params.id).catch((error: unknown) => {
        context.log.warn({ err: error, station: changed.value.number }, 'tariffs: sending a changed one failed');
      });
    }
    return changed;
  });
  bind(contract.enableStation, ({ caller, params, body, at, transact }) =>
    transact((trx) => enableStation(trx, caller, params.id, body.enabled, at)),
  );
  bind(contract.deleteStation, ({ caller, params, at, transact }) =>
    transact((trx) => deleteStation(trx, caller, params.id, at)),
  );
  bind(contract.getStationConnection, async ({ caller, params, origin }) => {
    const connection = found(await findConnection(db, caller, params.id));
    if (!connection.ok) return connection;
    const { number, ...rest } = connection.value;
    const { subprotocol } = protocolTraits[rest.protocol];
    return ok({ url: urlOf(rest.protocol, number, origin), identity: number, subprotocol, ...rest });
  });
  bind(contract.renewStationPassword, ({ caller, params, at, transact }) =>
    transact((trx) => renewStationPassword(trx, caller, params.id, at)),
  );
  bind(stationCommands.commandStation, ({ caller, params, body, at }) =>
    commandStation(context, caller, params.id, body, at),
  );

  bind(stationCommands.startStationCommands, ({ caller, body, at, transact }) =>
    announceTask(context, transact, (trx) => startStationCommands(trx, caller, body, { at, secrets: context.secrets })),
  );
  bind(stationCommands.retryStationCommands, ({ caller, params, body, at, transact }) =>
    announceTask(context, transact, (trx) => retryStationCommands(trx, caller, params.id, body, at)),
  );

  bind(unknownStations.deleteUnknownStation, ({ caller, params, at, transact }) =>
    transact((trx) => deleteUnknownStation(trx, caller, params.id, at)),
  );
  bind(unknownStations.adoptStation, ({ caller, params, body, at, transact }) =>
    transact((trx) => adoptStation(trx, caller, params.id, body, at)),
  );

  bind(connectors.changeConnector, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeConnector(trx, caller, params.id, body, at)),
  );
  bind(connectors.openConnector, ({ caller, params, body, at, transact }) =>
    transact((trx) => openConnector(trx, caller, params.id, body.open, at)),
  );
  bind(connectors.openConnectors, ({ caller, body, at, transact }) =>
    transact((trx) => openConnectors(trx, caller, body, at)),
  );
  bind(
    connectors.moveConnector,
    async ({ caller, params, body, at, transact }) => {
      const moved = await transact((trx) => moveConnector(trx, caller, params.id, body, at), {
        recordOf: ({ to }) => to.id,
      });
      if (!moved.ok) return moved;
      tellMove(context, moved.value, at);
      return ok(moved.value.to);
    },
    { replay: async (id, { caller }) => found(await findConnector(db, caller, id as ConnectorId)) },
  );
}
