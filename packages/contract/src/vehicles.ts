import { isPlate, tidyPlate } from '@voltdeck/charging/plate';
import { isVin, tidyVin } from '@voltdeck/charging/vin';
import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, phoneField, shown, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** What a vehicle is used for. */
export const vehicleUsages = ['private', 'taxi', 'bus', 'logistics', 'sanitation', 'official', 'other'] as const;
export type VehicleUsage = (typeof vehicleUsages)[number];

export const vinField = z.string().check(z.overwrite(tidyVin), z.refine(isVin, { error: 'vin_format' }));
export const plateField = z.string().check(z.overwrite(tidyPlate), z.refine(isPlate, { error: 'plate_format' }));

/** A vehicle that pays by being recognised at the station, and the card that pays for it. */
export const vehicle = z.object({
  id: idField<'vehicle'>(),
  vin: shown.vin(),
  plate: z.nullable(shown.plate()),
  usage: z.enum(vehicleUsages),
  /** Whose vehicle it is; its card may be another's. */
  ownerName: z.nullable(z.string()),
  ownerPhone: z.nullable(shown.phone()),
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
  permission: 'vehicle.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    plate: filter.plate(),
    vin: filter.vin(),
    ownerPhone: filter.phone(),
    usage: filter.choice(vehicleUsages),
    cardNumber: filter.card(),
    /** Who holds the card that pays for it. */
    customerId: filter.id('customer'),
  },
  item: vehicle,
  columns: columnsOf<Vehicle>()({
    plate: { kind: 'number', title: 'vehicles.plate' },
    vin: { kind: 'number', title: 'vehicles.vin' },
    usage: { kind: 'choice', title: 'vehicles.usage', words: 'vehicle-usage' },
    ownerName: { kind: 'text', title: 'vehicles.ownerName' },
    ownerPhone: { kind: 'number', title: 'vehicles.ownerPhone' },
    cardNumber: { kind: 'number', title: 'vehicles.cardNumber' },
    createdAt: { kind: 'instant', title: 'vehicles.createdAt' },
  }),
});

export const getVehicle = route({
  method: 'GET',
  path: '/vehicles/{id}',
  summary: 'One vehicle',
  permission: 'vehicle.read',
  params: z.object({ id: idParameter<'vehicle'>() }),
  answer: vehicle,
  errors: [],
});

const vehicleForm = {
  vin: vinField,
  plate: z.optional(z.nullable(plateField)),
  usage: z._default(z.enum(vehicleUsages), 'private'),
  /** A registered user. */
  ownerPhone: z.optional(z.nullable(phoneField)),
};

export const createVehicle = route({
  method: 'POST',
  path: '/vehicles',
  summary: 'Let a vehicle spend the money of a card',
  permission: 'vehicle.edit',
  body: z.object({
    ...vehicleForm,
    /** The printed or physical number. */
    cardNumber: textField(20),
  }),
  answer: vehicle,
  errors: [],
});

export const changeVehicle = route({
  method: 'PATCH',
  path: '/vehicles/{id}',
  summary: 'Change a vehicle; what is left out stays',
  permission: 'vehicle.edit',
  params: z.object({ id: idParameter<'vehicle'>() }),
  body: z.object({
    vin: z.optional(vinField),
    plate: vehicleForm.plate,
    usage: z.optional(z.enum(vehicleUsages)),
    ownerPhone: vehicleForm.ownerPhone,
    cardNumber: z.optional(textField(20)),
  }),
  answer: vehicle,
  errors: [],
});

export const deleteVehicle = route({
  method: 'DELETE',
  path: '/vehicles/{id}',
  summary: 'Take the card away from a vehicle',
  permission: 'vehicle.edit',
  params: z.object({ id: idParameter<'vehicle'>() }),
  answer: z.null(),
  errors: [],
});
