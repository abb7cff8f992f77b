import {
  connectorKinds,
  connectorStates,
  groundLockStates,
  nationalStandards,
  parkingBayStates,
  siteKinds,
  sitePlaces,
  siteStates,
} from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { filter, instantField } from './fields.ts';
import { columnsOf } from './list.ts';

/**
 * What operators tell each other of their sites, stations and gun ports (T/CEC 102.2: StationInfo, EquipmentInfo,
 * ConnectorInfo), in our words; `…Code` is the standard's number of the word before it.
 */

const told = z.nullable(z.string());

export const toldSite = z.object({
  /** StationID: the operator's own name of it. */
  code: z.string(),
  operatorCode: z.string(),
  ownerCode: z.string(),
  name: z.string(),
  /** GB/T 2260, and its names from the province down; empty for a code that nobody knows. */
  regionCode: z.string(),
  regionName: z.string(),
  address: z.string(),
  sitePhone: told,
  servicePhone: z.string(),
  kind: z.enum(siteKinds),
  kindCode: z.int(),
  state: z.enum(siteStates),
  stateCode: z.int(),
  place: z.enum(sitePlaces),
  placeCode: z.int(),
  /** Degrees, GCJ-02, as they are told. */
  longitude: z.number(),
  latitude: z.number(),
  electricityFee: told,
  serviceFee: told,
  parkingFee: told,
  parkingInfo: told,
  bayCount: z.int(),
  openingHours: told,
  paymentInfo: told,
  directions: told,
  vehicles: told,
  remark: told,
  stationCount: z.int(),
});
export type ToldSite = z.output<typeof toldSite>;

export const toldSiteColumns = columnsOf<ToldSite>()({
  name: { kind: 'text', title: 'told.siteName', hint: 'told-field.StationName' },
  code: { kind: 'number', title: 'told.siteCode', hint: 'told-field.StationID' },
  operatorCode: { kind: 'number', title: 'told.operatorCode', hint: 'told-field.OperatorID' },
  ownerCode: { kind: 'number', title: 'told.ownerCode', hint: 'told-field.EquipmentOwnerID' },
  state: { kind: 'choice', title: 'told.siteState', words: 'site-state', hint: 'told-field.StationStatus' },
  stateCode: { kind: 'count', title: 'told.siteStateCode' },
  kind: { kind: 'choice', title: 'told.siteKind', words: 'site-kind', hint: 'told-field.StationType' },
  kindCode: { kind: 'count', title: 'told.siteKindCode' },
  place: { kind: 'choice', title: 'told.place', words: 'site-place', hint: 'told-field.Construction' },
  placeCode: { kind: 'count', title: 'told.placeCode' },
  stationCount: { kind: 'count', title: 'told.stationCount' },
  regionName: { kind: 'text', title: 'told.region' },
  regionCode: { kind: 'number', title: 'told.regionCode', hint: 'told-field.AreaCode' },
  address: { kind: 'text', title: 'told.address', hint: 'told-field.Address' },
  position: {
    kind: 'number',
    title: 'told.position',
    hint: 'told.positionHint',
    of: ({ longitude, latitude }) => `${longitude.toFixed(6)}, ${latitude.toFixed(6)}`,
  },
  servicePhone: { kind: 'number', title: 'told.servicePhone', hint: 'told-field.ServiceTel' },
  sitePhone: { kind: 'number', title: 'told.sitePhone', hint: 'told-field.StationTel' },
  electricityFee: { kind: 'text', title: 'told.electricityFee', hint: 'told-field.ElectricityFee' },
  serviceFee: { kind: 'text', title: 'told.serviceFee', hint: 'told-field.ServiceFee' },
  parkingFee: { kind: 'text', title: 'told.parkingFee', hint: 'told-field.ParkFee' },
  parkingInfo: { kind: 'text', title: 'told.parkingInfo', hint: 'told-field.ParkInfo' },
  bayCount: { kind: 'count', title: 'told.bayCount', hint: 'told-field.ParkNums' },
  openingHours: { kind: 'text', title: 'told.openingHours', hint: 'told-field.BusineHours' },
  paymentInfo: { kind: 'text', title: 'told.paymentInfo', hint: 'told-field.Payment' },
  directions: { kind: 'text', title: 'told.directions', hint: 'told-field.SiteGuide' },
  vehicles: { kind: 'text', title: 'told.vehicles', hint: 'told-field.MatchCars' },
  remark: { kind: 'text', title: 'told.remark', hint: 'told-field.Remark' },
});

export const toldSiteFilters = {
  partnerId: filter.id('partner'),
  name: filter.text(),
  /** The whole code. */
  code: filter.text(),
  regionCode: filter.region(),
  state: filter.choice(siteStates),
  kind: filter.choice(siteKinds),
};

export const toldStation = z.object({
  /** EquipmentID. */
  code: z.string(),
  name: told,
  siteCode: z.string(),
  siteName: z.string(),
  /** EquipmentType, which follows from the kinds of its gun ports. */
  typeCode: z.int(),
  manufacturer: told,
  manufacturerCode: told,
  model: told,
  /** "2026-11-21". */
  producedOn: told,
  powerW: z.int(),
  portCount: z.int(),
});
export type ToldStation = z.output<typeof toldStation>;

export const toldStationColumns = columnsOf<ToldStation>()({
  code: { kind: 'number', title: 'told.stationCode', hint: 'told-field.EquipmentID' },
  name: { kind: 'text', title: 'told.stationName', hint: 'told-field.EquipmentName' },
  siteName: { kind: 'text', title: 'told.siteName', hint: 'told-field.StationName' },
  siteCode: { kind: 'number', title: 'told.siteCode', hint: 'told-field.StationID' },
  type: {
    kind: 'choice',
    title: 'told.stationType',
    words: 'told-station-type',
    hint: 'told-field.EquipmentType',
    of: ({ typeCode }) => String(typeCode),
  },
  typeCode: { kind: 'count', title: 'told.stationTypeCode' },
  powerW: { kind: 'powerW', title: 'told.power', hint: 'told-field.Power' },
  portCount: { kind: 'count', title: 'told.portCount' },
  manufacturer: { kind: 'text', title: 'told.manufacturer', hint: 'told-field.ManufacturerName' },
  manufacturerCode: { kind: 'number', title: 'told.manufacturerCode', hint: 'told-field.ManufacturerID' },
  model: { kind: 'text', title: 'told.model', hint: 'told-field.EquipmentModel' },
  producedOn: { kind: 'day', title: 'told.producedOn', hint: 'told-field.ProductionDate' },
});

export const toldStationFilters = {
  partnerId: filter.id('partner'),
  code: filter.text(),
  siteCode: filter.text(),
};

export const toldPort = z.object({
  /** ConnectorID. */
  code: z.string(),
  name: told,
  stationCode: z.string(),
  siteCode: z.string(),
  siteName: z.string(),
  kind: z.enum(connectorKinds),
  kindCode: z.int(),
  nationalStandard: z.enum(nationalStandards),
  nationalStandardCode: z.int(),
  voltageMinV: z.int(),
  voltageMaxV: z.int(),
  currentA: z.int(),
  powerW: z.int(),
  bayNumber: told,
  state: z.enum(connectorStates),
  stateCode: z.int(),
  /** Null where nobody knows. */
  bay: z.nullable(z.enum(parkingBayStates)),
  bayCode: z.int(),
  lock: z.nullable(z.enum(groundLockStates)),
  lockCode: z.int(),
  /** Since when the state is known to be so; null before the first. */
  stateAt: z.nullable(instantField),
});
export type ToldPort = z.output<typeof toldPort>;

export const toldPortColumns = columnsOf<ToldPort>()({
  code: { kind: 'number', title: 'told.portCode', hint: 'told-field.ConnectorID' },
  name: { kind: 'text', title: 'told.portName', hint: 'told-field.ConnectorName' },
  state: { kind: 'choice', title: 'told.portState', words: 'connector-state', hint: 'told-field.Status' },
  stateCode: { kind: 'count', title: 'told.portStateCode' },
  stateAt: { kind: 'instant', title: 'told.stateAt' },
  stationCode: { kind: 'number', title: 'told.stationCode', hint: 'told-field.EquipmentID' },
  siteName: { kind: 'text', title: 'told.siteName', hint: 'told-field.StationName' },
  siteCode: { kind: 'number', title: 'told.siteCode', hint: 'told-field.StationID' },
  kind: { kind: 'choice', title: 'told.portKind', words: 'connector-kind', hint: 'told-field.ConnectorType' },
  kindCode: { kind: 'count', title: 'told.portKindCode' },
  voltageMinV: { kind: 'voltageV', title: 'told.voltageMin', hint: 'told-field.VoltageLowerLimits' },
  voltageMaxV: { kind: 'voltageV', title: 'told.voltageMax', hint: 'told-field.VoltageUpperLimits' },
  currentA: { kind: 'currentA', title: 'told.current', hint: 'told-field.Current' },
  powerW: { kind: 'powerW', title: 'told.power', hint: 'told-field.Power' },
  nationalStandard: {
    kind: 'choice',
    title: 'told.nationalStandard',
    words: 'national-standard',
    hint: 'told-field.NationalStandard',
  },
  nationalStandardCode: { kind: 'count', title: 'told.nationalStandardCode' },
  bayNumber: { kind: 'number', title: 'told.bayNumber', hint: 'told-field.ParkNo' },
  bay: {
    kind: 'choice',
    title: 'told.bay',
    words: 'parking-bay',
    hint: 'told-field.ParkStatus',
    absent: 'told.notKnown',
  },
  bayCode: { kind: 'count', title: 'told.bayCode' },
  lock: {
    kind: 'choice',
    title: 'told.lock',
    words: 'ground-lock',
    hint: 'told-field.LockStatus',
    absent: 'told.notKnown',
  },
  lockCode: { kind: 'count', title: 'told.lockCode' },
});

export const toldPortFilters = {
  partnerId: filter.id('partner'),
  code: filter.text(),
  stationCode: filter.text(),
  siteCode: filter.text(),
  state: filter.choice(connectorStates),
  kind: filter.choice(connectorKinds),
};
