import { type ChargeNote, chargeNoteKinds } from '@voltdeck/charging/charge-note';
import { orderStates, protocols, readingDoubts, startModes, stopReasons } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { energyField, fenField, filter, idField, idParameter, instantField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { orderDetail } from './orders.ts';
import { route } from './route.ts';

/**
 * What the charging log shows at most: the newest charges that the filters match. A period, a station or a port narrows
 * it down; without an order or a station it is the newest few of the whole network.
 */
export const logChargesMax = { atStation: 200, anywhere: 20 } as const;

/** What a meter and a vehicle said at one instant of a charge. */
export const chargeReading = z.object({
  /** `{order}_{ms since 1970}` */
  id: z.string(),
  at: instantField,
  orderId: idField<'order'>(),
  orderNumber: z.string(),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  connectorNumber: z.int(),
  powerW: z.nullable(z.int()),
  voltageMv: z.nullable(z.int()),
  currentMa: z.nullable(z.int()),
  socPercent: z.nullable(z.number()),
  /** Of the charge so far; null where its start is not known. */
  energyWh: z.nullable(z.int()),
  /** The meter's register as the station reports it. */
  registerWh: z.nullable(z.int()),
  vehicleTemperatureC: z.nullable(z.number()),
  cableTemperatureC: z.nullable(z.number()),
  ambientTemperatureC: z.nullable(z.number()),
  /** The rule that doubts this reading's register. */
  doubt: z.nullable(z.enum(readingDoubts)),
});
export type ChargeReading = z.output<typeof chargeReading>;

const logFilters = {
  orderNumber: filter.text(),
  stationNumber: filter.text(),
  connectorNumber: filter.number(1, 255),
  orderId: filter.id('order'),
  stationId: filter.id('station'),
  from: filter.instant(),
  to: filter.instant(),
};

export const listReadings = listRoute({
  name: 'listReadings',
  path: '/readings',
  summary: 'Readings of charges by order, station and gun port, newest first',
  permission: 'log.read',
  exportPermission: 'log.export',
  sorts: ['at'],
  first: '-at',
  filters: { ...logFilters, doubted: filter.flag() },
  item: chargeReading,
  columns: columnsOf<ChargeReading>()({
    at: { kind: 'instant', title: 'readings.at' },
    stationNumber: { kind: 'number', title: 'readings.station' },
    connectorNumber: { kind: 'count', title: 'readings.port' },
    orderNumber: { kind: 'number', title: 'readings.order' },
    powerW: { kind: 'powerW', title: 'readings.power' },
    voltageMv: { kind: 'voltageMv', title: 'readings.voltage' },
    currentMa: { kind: 'currentMa', title: 'readings.current' },
    socPercent: { kind: 'percent', title: 'readings.soc' },
    energyWh: { kind: 'energyWh', title: 'readings.energy' },
    registerWh: { kind: 'energyWh', title: 'readings.register', hint: 'readings.registerHint' },
    vehicleTemperatureC: { kind: 'temperatureC', title: 'readings.vehicleTemperature' },
    cableTemperatureC: { kind: 'temperatureC', title: 'readings.cableTemperature' },
    ambientTemperatureC: { kind: 'temperatureC', title: 'readings.ambientTemperature' },
    doubt: { kind: 'choice', title: 'readings.doubt', words: 'abnormal-rule' },
  }),
});

/** Stored as is; a union would slow its serialiser down. */
const noteValues = z.record(z.string(), z.unknown()) as unknown as z.ZodMiniType<ChargeNote['values']>;

/** What vehicle (BMS) and charger told each other during a charge. */
export const chargeNote = z.object({
  id: z.string(),
  at: instantField,
  kind: z.enum(chargeNoteKinds),
  /** In our words with the unit last; see `chargeNoteFields`. */
  values: shown.fields(noteValues),
  /** Null where the charge is not known. */
  orderId: z.nullable(idField<'order'>()),
  orderNumber: z.nullable(z.string()),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  connectorNumber: z.int(),
});
export type ChargeNoteRow = z.output<typeof chargeNote>;

export const listChargeNotes = listRoute({
  name: 'listChargeNotes',
  path: '/charge-notes',
  summary: 'What vehicle and charger told each other, by order, station and gun port, newest first',
  permission: 'log.read',
  exportPermission: 'log.export',
  sorts: ['at'],
  first: '-at',
  filters: { ...logFilters, kind: filter.choice(chargeNoteKinds) },
  item: chargeNote,
  columns: columnsOf<ChargeNoteRow>()({
    at: { kind: 'instant', title: 'readings.at' },
    stationNumber: { kind: 'number', title: 'readings.station' },
    connectorNumber: { kind: 'count', title: 'readings.port' },
    orderNumber: { kind: 'number', title: 'readings.order' },
    kind: { kind: 'choice', title: 'readings.noteKind', words: 'note-kind' },
    values: { kind: 'text', title: 'readings.noteContent', of: () => null },
  }),
});

const curvePoint = z.object({
  at: instantField,
  energyWh: z.nullable(z.int()),
  powerW: z.nullable(z.int()),
  currentMa: z.nullable(z.int()),
  voltageMv: z.nullable(z.int()),
  socPercent: z.nullable(z.number()),
  vehicleTemperatureC: z.nullable(z.number()),
  cableTemperatureC: z.nullable(z.number()),
  ambientTemperatureC: z.nullable(z.number()),
  doubt: z.nullable(z.enum(readingDoubts)),
});

export const chargeLog = z.object({
  id: idField<'order'>(),
  number: z.string(),
  state: z.enum(orderStates),
  startMode: z.enum(startModes),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  stationName: z.string(),
  siteName: z.string(),
  protocol: z.enum(protocols),
  connectorNumber: z.int(),
  /** What the station can deliver. */
  ratedPowerW: z.int(),
  /** The vehicle, the money and the bill belong to the order: null for callers without `order.read`. */
  vin: z.nullable(shown.vin()),
  plate: z.nullable(shown.plate()),
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
  energyWh: energyField,
  amountFen: z.nullable(fenField),
  electricityFeeFen: z.nullable(fenField),
  serviceFeeFen: z.nullable(fenField),
  stopReason: z.nullable(z.enum(stopReasons)),
  tariff: orderDetail.shape.tariff,
  lines: z.nullable(orderDetail.shape.lines),
  flags: orderDetail.shape.flags,
  /** `curve`: its readings are past their retention, and the thinned curve was kept. */
  source: z.enum(['readings', 'curve']),
  /** At most 1,000 points, oldest first; every doubted one is among them. */
  points: z.array(curvePoint),
  /** What the battery asked for, where station and vehicle tell; at most 1,000, oldest first. */
  demands: z.array(z.object({ at: instantField, voltageMv: z.nullable(z.int()), currentMa: z.nullable(z.int()) })),
});
export type ChargeLog = z.output<typeof chargeLog>;

export const getChargeLog = route({
  method: 'GET',
  path: '/charge-logs/{id}',
  summary: 'One charge with its curve, what the rules doubted and what the battery asked for',
  permission: 'log.read',
  params: z.object({ id: idParameter<'order'>() }),
  answer: chargeLog,
  errors: [],
});

/** How many charges a search finds at most. */
export const foundChargesMax = 20;

export const findCharges = route({
  method: 'GET',
  path: '/charge-logs',
  summary: 'Charges by a part of the order number or the number of the station, newest first; at most 20',
  permission: 'log.read',
  readsMuch: ['text'],
  query: z.object({ text: z.optional(z.string().check(z.trim(), z.maxLength(64))) }),
  answer: z.object({
    items: z.array(
      z.object({
        id: idField<'order'>(),
        number: z.string(),
        stationNumber: z.string(),
        connectorNumber: z.int(),
        startedAt: instantField,
        energyWh: energyField,
      }),
    ),
  }),
  errors: [],
});
