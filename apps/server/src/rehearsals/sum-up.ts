import {
  biggestDifferencesMax,
  type RehearsalResult,
  type UnpricedReason,
  unpricedReasons,
} from '@voltdeck/contract/rehearsals';
import type { Bill } from '@voltdeck/tariffs/bill';
import { type Period, periods } from '@voltdeck/tariffs/tariff';
import { wattHours } from '@voltdeck/units/energy';
import type { AgentId, SiteId } from '@voltdeck/units/id';
import { toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import type { StoredCharge } from './read-charges.ts';
import type { RehearsedCharge } from './rehearse-charge.ts';

/** What the charges of one site under one agent add up to. */
export type SiteSums = {
  siteId: SiteId;
  agentId: AgentId | null;
  charges: number;
  energyWh: number;
  beforeFen: number;
  afterFen: number;
};

type PeriodSums = { beforeWh: number; afterWh: number; beforeFen: number; afterFen: number };
type Difference = Pick<StoredCharge, 'id' | 'number' | 'siteId' | 'endedAt' | 'energyWh'> & {
  beforeFen: number;
  afterFen: number;
};

/** Adds up charge by charge; its memory grows with the sites alone. */
export class RehearsalSums {
  readonly #total = { charges: 0, energyWh: 0, before: 0, after: 0, beforeElectricity: 0, afterElectricity: 0 };
  readonly #sites = new Map<string, SiteSums>();
  readonly #periods = new Map<Period, PeriodSums>();
  readonly #unpriced = new Map<UnpricedReason, { charges: number; amountFen: number }>();
  /** Those that change the most, in any order, with some more than are listed. */
  #biggest: Difference[] = [];

  add(charge: StoredCharge, rehearsed: RehearsedCharge): void {
    if (rehearsed.kind !== 'priced') {
      const sum = this.#unpriced.get(rehearsed.kind) ?? { charges: 0, amountFen: 0 };
      sum.charges += 1;
      sum.amountFen += charge.amountFen;
      this.#unpriced.set(rehearsed.kind, sum);
      return;
    }
    const { before, after } = rehearsed;
    const total = this.#total;
    total.charges += 1;
    total.energyWh += before.energyWh;
    total.before += before.amountFen;
    total.after += after.amountFen;
    total.beforeElectricity += before.electricityFeeFen;
    total.afterElectricity += after.electricityFeeFen;
    const site = this.#siteOf(charge);
    site.charges += 1;
    site.energyWh += before.energyWh;
    site.beforeFen += before.amountFen;
    site.afterFen += after.amountFen;
    this.#addPeriods(before, 'before');
    this.#addPeriods(after, 'after');
    this.#compare(charge, before, after);
  }

  result(): RehearsalResult {
    const { charges, energyWh, before, after, beforeElectricity, afterElectricity } = this.#total;
    return {
      charges,
      energyWh: wattHours(energyWh),
      beforeFen: fen(before),
      afterFen: fen(after),
      beforeElectricityFen: fen(beforeElectricity),
      afterElectricityFen: fen(afterElectricity),
      unpriced: unpricedReasons.flatMap((reason) => {
        const sum = this.#unpriced.get(reason);
        return sum === undefined ? [] : [{ reason, charges: sum.charges, amountFen: fen(sum.amountFen) }];
      }),
      periods: periods.flatMap((period) => {
        const sum = this.#periods.get(period);
        if (sum === undefined) return [];
        const { beforeWh, afterWh, beforeFen, afterFen } = sum;
        return [
          {
            period,
            beforeWh: wattHours(beforeWh),
            afterWh: wattHours(afterWh),
            beforeFen: fen(beforeFen),
            afterFen: fen(afterFen),
          },
        ];
      }),
      biggest: theBiggest(this.#biggest).map(({ id, endedAt, beforeFen, afterFen, ...rest }) => ({
        ...rest,
        orderId: id,
        endedAt: toIso(endedAt),
        beforeFen: fen(beforeFen),
        afterFen: fen(afterFen),
      })),
    };
  }

  sites(): SiteSums[] {
    return [...this.#sites.values()];
  }

  #siteOf({ siteId, agentId }: StoredCharge): SiteSums {
    const key = `${siteId} ${agentId}`;
    const known = this.#sites.get(key);
    if (known !== undefined) return known;
    const sums = { siteId, agentId, charges: 0, energyWh: 0, beforeFen: 0, afterFen: 0 };
    this.#sites.set(key, sums);
    return sums;
  }

  #addPeriods(bill: Bill, when: 'before' | 'after'): void {
    for (const line of bill.lines) {
      if (line.kind !== 'energy') continue;
      const sum = this.#periods.get(line.period) ?? { beforeWh: 0, afterWh: 0, beforeFen: 0, afterFen: 0 };
      sum[`${when}Wh`] += line.energyWh;
      sum[`${when}Fen`] += line.electricityFeeFen + line.serviceFeeFen;
      this.#periods.set(line.period, sum);
    }
  }

  #compare({ id, number, siteId, endedAt, energyWh }: StoredCharge, before: Bill, after: Bill): void {
    if (before.amountFen === after.amountFen) return;
    const { amountFen: beforeFen } = before;
    this.#biggest.push({ id, number, siteId, endedAt, energyWh, beforeFen, afterFen: after.amountFen });
    if (this.#biggest.length >= 20 * biggestDifferencesMax) this.#biggest = theBiggest(this.#biggest);
  }
}

/** Of equal differences, the order with the lower number first. */
function theBiggest(differences: readonly Difference[]): Difference[] {
  const sizeOf = ({ beforeFen, afterFen }: Difference) => Math.abs(afterFen - beforeFen);
  return [...differences].sort((a, b) => sizeOf(b) - sizeOf(a) || a.id - b.id).slice(0, biggestDifferencesMax);
}
