import type { PriceChange } from '@voltdeck/contract/price-changes';
import * as contract from '@voltdeck/contract/price-changes';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { watchTariffsNow } from '../stations/tariffs/watch-tariffs.ts';
import { cancelPriceChange } from './cancel-price-change.ts';
import { createPriceChange } from './create-price-change.ts';
import { findPriceChange } from './queries.ts';
import { removeStations } from './remove-stations.ts';
import { retryPriceChange } from './retry-price-change.ts';
import { checkTargets, countTargets } from './targets.ts';

export function bindPriceChanges({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const publish = ({ id, agentId }: PriceChange) =>
    context.bus.publish({ agentId, event: { kind: 'price-change-changed', priceChangeId: id } });

  bind(contract.getPriceChange, async ({ caller, params }) => found(await findPriceChange(db, caller, params.id)));
  bind(contract.previewPriceChange, async ({ caller, body, at }) => {
    const checked = await checkTargets(db, caller, body, at);
    return checked.ok ? countTargets(db, caller, body, checked.value.rule) : checked;
  });
  bind(contract.createPriceChange, async ({ caller, body, at, transact }) => {
    const created = await transact((trx) => createPriceChange(trx, caller, body, at));
    if (created.ok) publish(created.value);
    return created;
  });
  bind(contract.cancelPriceChange, async ({ caller, params, at, transact }) => {
    const cancelled = await transact((trx) => cancelPriceChange(trx, caller, params.id, at));
    if (cancelled.ok) publish(cancelled.value);
    return cancelled;
  });
  bind(contract.removePriceChangeStations, async ({ caller, params, body, at, transact }) => {
    const changed = await transact((trx) => removeStations(trx, caller, params.id, body.stationIds, at));
    if (changed.ok) publish(changed.value);
    return changed;
  });
  bind(contract.retryPriceChange, async ({ caller, params, body, at, transact }) => {
    const retried = await transact((trx) => retryPriceChange(trx, caller, params.id, body.stationIds, at));
    if (retried.ok) watchTariffsNow(context);
    return retried;
  });
}
