import { findCharges, getChargeLog } from '@voltdeck/contract/readings';
import type { OrderId } from '@voltdeck/units/id';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { isoDateTime } from '../ui/instants.ts';
import type { RecordChoices } from '../ui/list/list-view.ts';

/** Charges by a part of the order number or by their station. */
export const chargeChoices: RecordChoices = {
  search: async (text, signal) => {
    const { items } = await call(findCharges, { query: { text }, signal });
    return items.map(({ id, number, stationNumber, connectorNumber, startedAt }) => ({
      value: String(id),
      label: phrase('readings.chargeChoice', {
        number,
        station: stationNumber,
        port: connectorNumber,
        at: isoDateTime(startedAt) ?? startedAt,
      }),
    }));
  },
  nameOf: async (value, signal) => {
    const { number } = await call(getChargeLog, { params: { id: Number(value) as OrderId }, signal, quiet: true });
    return number;
  },
};
