import * as contract from '@voltdeck/contract/readings';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { findChargeLog } from './charge-log.ts';
import { findCharges } from './find-charges.ts';

export function bindReadings({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.getChargeLog, async ({ caller, params, at }) => found(await findChargeLog(db, caller, params.id, at)));
  bind(contract.findCharges, async ({ caller, query }) => ok(await findCharges(db, caller, query.text)));
}
