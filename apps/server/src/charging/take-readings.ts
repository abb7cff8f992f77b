import type { Register } from '@voltdeck/charging/charge/charge';
import {
  continuedWh,
  followRegister,
  hasRestarted,
  plausiblePowerW,
  type RunningRegister,
} from '@voltdeck/charging/charge/plausibility';
import type { Reading } from '@voltdeck/charging/reading';
import { isNamed, type TransactionReference } from '@voltdeck/charging/transaction';
import { advance, billOf, type Meter, notePower, openMeter } from '@voltdeck/tariffs/meter';
import { wattHours, watts } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import type { OrderFigures } from '../journal/figures.ts';
import type { JournalReading } from '../journal/readings.ts';
import { type OpenOrder, openOrderNamed, type StationSession } from './station-session.ts';

/** The running order that readings belong to: by transaction number, or by the gun port when the station omitted it. */
export function orderOfReadings(
  session: StationSession,
  taken: { connectorNumber: number; transaction?: TransactionReference },
): OpenOrder | null {
  if (taken.transaction !== undefined && isNamed(taken.transaction)) return openOrderNamed(session, taken.transaction);
  for (const order of session.orders.values()) {
    if (order.isRunning && order.connectorNumber === taken.connectorNumber) return order;
  }
  return null;
}

/**
 * Updates the running order (in place) and returns what to store. Late and repeated readings are stored but do not
 * update it: the settlement prices the whole charge from what is stored.
 */
export function takeReadings(order: OpenOrder, readings: readonly Reading[], receivedAt: Instant): JournalReading[] {
  const stored: JournalReading[] = [];
  for (const reading of readings) {
    const maybeRepeated = order.lastReadingAt !== null && reading.at <= order.lastReadingAt;
    const taken: JournalReading = {
      orderId: order.id,
      connectorId: order.connectorId,
      reading,
      receivedAt,
      maybeRepeated,
      doubt: null,
    };
    stored.push(taken);
    if (maybeRepeated) continue;
    order.lastReadingAt = reading.at;
    order.areFiguresStored = false;
    // One wild power must not stop a paid charge, either.
    const powerW = plausiblePowerW(reading.powerW ?? null, order.ratedPowerW);
    if (powerW !== null) order.powerW = powerW;
    if (reading.socPercent !== undefined) order.socPercent = Math.round(reading.socPercent);
    if (reading.energyWh === undefined && powerW !== null && order.meter !== null) {
      order.meter = notePower(order.meter, { at: reading.at, powerW: watts(powerW) });
      showBill(order, order.meter);
    }
    if (reading.energyWh === undefined || reading.at < order.startedAt || reading.energyWh < 0) continue;
    const register = { at: reading.at, energyWh: reading.energyWh };
    if (order.register === null) order.register = openRegister(order, register);
    else {
      // One wild value must not stop a paid charge; it is stored with the doubt, and judged at the settlement.
      const { after, doubt } = followRegister(order.register, register, order.ratedPowerW);
      order.register = after;
      taken.doubt = doubt;
      if (doubt !== null && !hasRestarted(after)) continue;
    }
    const energyWh = continuedWh(order.register);
    order.energyWh = Math.max(0, energyWh - (order.meterStartWh ?? 0));
    if (order.meter === null) continue;
    const advanced = advance(order.meter, {
      at: reading.at,
      energyWh: wattHours(energyWh),
      powerW: powerW === null ? undefined : watts(powerW),
    });
    if (!advanced.ok) continue;
    order.meter = advanced.value;
    showBill(order, advanced.value);
  }
  return stored;
}

function showBill(order: OpenOrder, meter: Meter): void {
  const bill = billOf(meter);
  order.electricityFeeFen = bill.electricityFeeFen;
  order.serviceFeeFen = bill.serviceFeeFen;
}

/** The first reading replaces a register that the start did not report. */
function openRegister(order: OpenOrder, register: Register): RunningRegister {
  order.meterStartWh = register.energyWh;
  const opened = { last: register, fallen: null };
  if (order.tariff === null) return opened;
  const meter = openMeter(order.tariff, register.at, wattHours(register.energyWh));
  order.meter = meter.ok ? meter.value : null;
  return opened;
}

/** How often a running order's figures are written to its row. Lists on other nodes lag by this much. */
export const figuresEveryMs = 15_000;

export function figuresDue(order: OpenOrder, now: Instant): OrderFigures | undefined {
  if (order.lastReadingAt === null || order.areFiguresStored) return undefined;
  if (now - order.figuresStoredAt < figuresEveryMs) return undefined;
  order.figuresStoredAt = now;
  order.areFiguresStored = true;
  return {
    orderId: order.id,
    energyWh: order.energyWh,
    electricityFeeFen: order.electricityFeeFen,
    serviceFeeFen: order.serviceFeeFen,
    powerW: order.powerW,
    socPercent: order.socPercent,
    lastReadingAt: order.lastReadingAt,
  };
}
