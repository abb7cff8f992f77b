import type { StationCommand } from '@voltdeck/charging/station-command';
import * as contract from '@voltdeck/contract/stations';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { spanOf } from '../http/list-page.ts';
import { adoptStation } from './adopt-station.ts';
import { changeConnector } from './change-connector.ts';
import { changeStation } from './change-station.ts';
import { commandStation } from './command-station.ts';
import { createStation } from './create-station.ts';
import { deleteStation } from './delete-station.ts';
import { enableStation } from './enable-station.ts';
import {
  findConnection,
  findStationDetail,
  listConnectorPage,
  listStationPage,
  listUnknownStationPage,
} from './queries.ts';
import { renewStationPassword } from './renew-station-password.ts';

export function bindStations({ bind }: Binder, context: Context): void {
  const { db } = context.database;

  bind(contract.listStations, async ({ caller, query }) => {
    const span = spanOf(query);
    return span.ok ? ok(await listStationPage(db, caller, query, span.value)) : span;
  });
  bind(contract.getStation, async ({ caller, params }) => found(await findStationDetail(db, caller, params.id)));
  bind(contract.createStation, ({ caller, body, at, transact }) =>
    transact((trx) => createStation(trx, caller, body, at)),
  );
  bind(contract.changeStation, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeStation(trx, caller, params.id, body, at)),
  );
  bind(contract.enableStation, ({ caller, params, body, at, transact }) =>
    transact((trx) => enableStation(trx, caller, params.id, body.enabled, at)),
  );
  bind(contract.deleteStation, ({ caller, params, at, transact }) =>
    transact((trx) => deleteStation(trx, caller, params.id, at)),
  );
  bind(contract.getStationConnection, async ({ caller, params, origin }) => {
    const connection = found(await findConnection(db, caller, params.id));
    if (!connection.ok) return connection;
    const { number, protocol, ...rest } = connection.value;
    const scheme = origin.secure ? 'wss' : 'ws';
    const url = `${scheme}://${origin.host}/ocpp/${encodeURIComponent(number)}`;
    return ok({ url, identity: number, subprotocol: protocol, ...rest });
  });
  bind(contract.renewStationPassword, ({ caller, params, at, transact }) =>
    transact((trx) => renewStationPassword(trx, caller, params.id, at)),
  );
  bind(contract.commandStation, ({ caller, params, body, at }) =>
    commandStation(context, caller, params.id, body as StationCommand, at),
  );

  bind(contract.listUnknownStations, async ({ caller, query }) => {
    const span = spanOf(query);
    return span.ok ? ok(await listUnknownStationPage(db, caller, query, span.value)) : span;
  });
  bind(contract.adoptStation, ({ caller, params, body, at, transact }) =>
    transact((trx) => adoptStation(trx, caller, params.id, body, at)),
  );

  bind(contract.listConnectors, async ({ caller, query }) => {
    const span = spanOf(query);
    return span.ok ? ok(await listConnectorPage(db, caller, query, span.value)) : span;
  });
  bind(contract.changeConnector, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeConnector(trx, caller, params.id, body, at)),
  );
}
