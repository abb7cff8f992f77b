import type { PriceChangeId, TariffId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import { transact } from '../database/transact.ts';
import { applyPriceChange, findDuePriceChange } from '../price-changes/apply-price-change.ts';
import { watchTariffsNow } from '../stations/tariffs/watch-tariffs.ts';
import { findDueVersion, takeIntoForce } from '../tariffs/take-into-force.ts';

type Due = { kind: 'version'; id: TariffId } | { kind: 'price-change'; id: PriceChangeId };

/** What this round has tried, so that it comes to an end. */
type Tried = { versions: TariffId[]; priceChanges: PriceChangeId[]; hasFailedPriceChange: boolean };

/**
 * Carries out every version of a rule and every price change whose time has come, in the order of their times, however
 * late: a price change gives the version that was in force at its time, and of two for one station the later wins. Each
 * goes on where it was interrupted, so a job that runs twice, late or on another node finds nothing left to do.
 *
 * A version that fails is left to the next round and delays no other. Price changes wait for one that fails, since they
 * may be for the same stations.
 *
 * @returns how many were carried out
 */
export async function applyDuePrices(context: Context): Promise<{ versions: number; priceChanges: number }> {
  const carriedOut = { versions: 0, priceChanges: 0 };
  const tried: Tried = { versions: [], priceChanges: [], hasFailedPriceChange: false };
  let stations = 0;
  for (let due = await findNext(context, tried); due !== null; due = await findNext(context, tried)) {
    if (due.kind === 'version') {
      tried.versions.push(due.id);
      const taken = await takeVersion(context, due.id);
      if (taken === null) continue;
      carriedOut.versions += 1;
      stations += taken;
    } else {
      tried.priceChanges.push(due.id);
      const applied = await applyOne(context, due.id);
      if (applied === 'failed') tried.hasFailedPriceChange = true;
      if (applied === 'failed' || applied === null) continue;
      carriedOut.priceChanges += 1;
      stations += applied;
    }
  }
  // Stations that price charges themselves are sent their rule now; the watch finds the ones this misses.
  if (stations > 0) watchTariffsNow(context);
  return carriedOut;
}

/** The earliest; of a version and a price change of the same time the version, so that stations are given the new one. */
async function findNext({ database: { db }, now }: Context, tried: Tried): Promise<Due | null> {
  const at = now();
  const version = await findDueVersion(db, at, tried.versions);
  const priceChange = tried.hasFailedPriceChange ? null : await findDuePriceChange(db, at, tried.priceChanges);
  if (version !== null && (priceChange === null || version.effectiveAt <= priceChange.effectiveAt)) {
    return { kind: 'version', id: version.id };
  }
  return priceChange === null ? null : { kind: 'price-change', id: priceChange.id };
}

/** The number of its stations; null where it did not take effect. */
async function takeVersion({ database, log, now }: Context, tariffId: TariffId): Promise<number | null> {
  try {
    const taken = await transact(database.db, async (trx) => ok(await takeIntoForce(trx, tariffId, now())));
    if (!taken.ok || taken.value === null) return null;
    log.info({ tariffId, stations: taken.value.stations }, 'tariffs: a version took effect');
    return taken.value.stations;
  } catch (error) {
    log.error({ err: error, tariffId }, 'tariffs: a version did not take effect and is tried again in a minute');
    return null;
  }
}

async function applyOne(context: Context, id: PriceChangeId): Promise<number | 'failed' | null> {
  const { bus, database, log, now } = context;
  try {
    const applied = await applyPriceChange(database, id, now());
    if (applied === null) return null;
    const { agentId, stations } = applied;
    log.info({ priceChange: id, stations }, 'price changes: one took effect');
    bus.publish({ agentId, event: { kind: 'price-change-changed', priceChangeId: id } });
    return stations;
  } catch (error) {
    log.error({ err: error, priceChange: id }, 'price changes: one was not carried out and is tried again in a minute');
    return 'failed';
  }
}
