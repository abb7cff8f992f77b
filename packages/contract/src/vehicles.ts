import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, shown, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** ISO 3779: 17 letters and digits without I, O and Q. */
const vinField = z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-HJ-NPR-Z0-9]{17}$/, { error: 'bad_format' }));

/** A vehicle that pays by being recognised at the station, and the card that pays for it. */
export const vehicle = z.object({
  id: idField<'vehicle'>(),
  vin: z.string(),
  plate: z.nullable(z.string()),
  cardId: idField<'card'>(),
  cardNumber: shown.card(),
  customerId: z.nullable(idField<'customer'>()),
  createdAt: instantField,
});
export type Vehicle = z.output<typeof vehicle>;

export const listVehicles = listRoute({
  name: 'listVehicles',
  path: '/vehicles',
  summary: 'Vehicles that pay by being recognised',
  permission: 'card.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    vin: filter.text(17),
    plate: filter.text(16),
    cardNumber: filter.card(),
  },
  item: vehicle,
  columns: columnsOf<Vehicle>()({
    vin: { kind: 'number', title: 'vehicles.vin' },
    plate: { kind: 'number', title: 'vehicles.plate' },
    cardNumber: { kind: 'number', title: 'vehicles.cardNumber' },
    createdAt: { kind: 'instant', title: 'vehicles.createdAt' },
  }),
});

export const createVehicle = route({
  method: 'POST',
  path: '/vehicles',
  summary: 'Let a vehicle spend the money of a card',
  permission: 'card.edit',
  body: z.object({
    vin: vinField,
    /** The printed or physical number. */
    cardNumber: textField(20),
    plate: z.optional(textField(16)),
  }),
  answer: vehicle,
  errors: [],
});

export const deleteVehicle = route({
  method: 'DELETE',
  path: '/vehicles/{id}',
  summary: 'Take the card away from a vehicle',
  permission: 'card.edit',
  params: z.object({ id: idParameter<'vehicle'>() }),
  answer: z.null(),
  errors: [],
});
