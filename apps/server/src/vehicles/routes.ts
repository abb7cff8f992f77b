import * as contract from '@voltdeck/contract/vehicles';
import { dayMs } from '@voltdeck/units/instant';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { changeVehicle } from './change-vehicle.ts';
import { takenVehiclesPerDayMax } from './check-vehicle.ts';
import { createVehicle } from './create-vehicle.ts';
import { deleteVehicle } from './delete-vehicle.ts';
import { findVehicle } from './queries.ts';

export function bindVehicles({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const taken = new RateLimit({ max: takenVehiclesPerDayMax, windowMs: dayMs });
  bind(contract.getVehicle, async ({ caller, params }) => found(await findVehicle(db, caller, params.id)));
  bind(contract.createVehicle, ({ caller, body, at, transact }) =>
    transact((trx) => createVehicle(trx, taken, caller, body, at)),
  );
  bind(contract.changeVehicle, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeVehicle(trx, taken, caller, params.id, body, at)),
  );
  bind(contract.deleteVehicle, ({ caller, params, at, transact }) =>
    transact((trx) => deleteVehicle(trx, caller, params.id, at)),
  );
}
