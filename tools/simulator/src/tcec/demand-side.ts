import type { PartnerOrder } from '@voltdeck/charging/partner-charge';
import { confirmResults } from '@voltdeck/tcec102/conversation';
import type { Message } from '@voltdeck/tcec102/messages/all';
import type { StationInfo } from '@voltdeck/tcec102/messages/public';
import {
  compareOrders,
  doubtsOf,
  energyStepWh,
  orderCheckAnswer,
  orderCheckOf,
  orderOf,
} from '@voltdeck/tcec102/translate';
import type { BenchSettings } from './bench-settings.ts';
import type { Answers } from './entrance.ts';

/** The charge that the checks are about. */
export type AskedCharge = { sequence: string; portId: string };

/** An operator whose customers charge at the tested server's stations: hears, confirms and compares. */
export class DemandSide {
  /** What the tested server showed; null before it was asked. */
  sites: readonly StationInfo[] | null = null;
  charge: AskedCharge | null = null;
  /** Charges that were asked for, whether or not they began. */
  readonly asked = new Set<string>();
  /** Gun ports at which a charge was begun: they stay occupied until somebody leaves. */
  readonly used = new Set<string>();
  readonly orders = new Map<string, PartnerOrder>();
  readonly #settings: BenchSettings;

  constructor(settings: BenchSettings) {
    this.#settings = settings;
  }

  readonly answers: Answers = {
    notification_stationStatus: () => ({ Status: 0 }),
    notification_start_charge_result: ({ StartChargeSeq }) => this.#receipt(StartChargeSeq),
    notification_equip_charge_status: ({ StartChargeSeq }) => ({
      StartChargeSeq,
      SuccStat: this.asked.has(StartChargeSeq) ? 0 : 1,
    }),
    notification_stop_charge_result: ({ StartChargeSeq }) => this.#receipt(StartChargeSeq),
    notification_charge_order_info: (asked) => ({
      StartChargeSeq: asked.StartChargeSeq,
      ConnectorID: asked.ConnectorID,
      ConfirmResult: this.#confirm(asked),
    }),
    check_charge_orders: (asked) => {
      const check = orderCheckOf(asked);
      const ours = [...this.orders.values()].filter(({ to }) => to >= check.from && to < check.to);
      const { profile } = this.#settings;
      return orderCheckAnswer(check, compareOrders(ours, check.orders, energyStepWh(profile)), profile);
    },
  };

  #receipt(StartChargeSeq: string) {
    const isKnown = this.asked.has(StartChargeSeq);
    return { StartChargeSeq, SuccStat: isKnown ? 0 : 1, FailReason: isKnown ? 0 : 1 };
  }

  #confirm(asked: Message<'notification_charge_order_info', 'request'>): number {
    const order = orderOf(asked);
    if (!this.asked.has(order.sequence)) return confirmResults.unknown;
    const first = this.orders.get(order.sequence);
    if (first === undefined) {
      if (doubtsOf(order).length > 0) return confirmResults.disputed;
      this.orders.set(order.sequence, order);
      return confirmResults.accepted;
    }
    const isSame = first.amountFen === order.amountFen && first.energyWh === order.energyWh;
    return isSame ? confirmResults.repeated : confirmResults.disputed;
  }
}
