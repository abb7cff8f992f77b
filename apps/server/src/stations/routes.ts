import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import * as contract from '@voltdeck/contract/stations';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder, Origin } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { adoptStation } from './adopt-station.ts';
import { changeConnector } from './change-connector.ts';
import { changeStation } from './change-station.ts';
import { commandStation } from './command-station.ts';
import { createStation } from './create-station.ts';
import { deleteStation } from './delete-station.ts';
import { deleteUnknownStation } from './delete-unknown-station.ts';
import { enableStation } from './enable-station.ts';
import { findConnection, findStationDetail } from './queries.ts';
import { renewStationPassword } from './renew-station-password.ts';
import { sendTariffs } from './tariffs/send-tariffs.ts';
import { sendTariffIfIdle } from './tariffs/watch-tariffs.ts';

/** `ykcPort` null: nothing listens for YKC stations. */
export function bindStations(
  { bind }: Binder,
  context: Context<'console'>,
  { ykcPort }: { ykcPort: number | null },
): void {
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

  bind(contract.getStation, async ({ caller, params }) => found(await findStationDetail(db, caller, params.id)));
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
  bind(contract.commandStation, ({ caller, params, body, at }) => commandStation(context, caller, params.id, body, at));

  bind(contract.sendTariffs, ({ caller, body, at }) => sendTariffs(context, caller, body.stationIds, at));

  bind(contract.deleteUnknownStation, ({ caller, params, at, transact }) =>
    transact((trx) => deleteUnknownStation(trx, caller, params.id, at)),
  );
  bind(contract.adoptStation, ({ caller, params, body, at, transact }) =>
    transact((trx) => adoptStation(trx, caller, params.id, body, at)),
  );

  bind(contract.changeConnector, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeConnector(trx, caller, params.id, body, at)),
  );
}
