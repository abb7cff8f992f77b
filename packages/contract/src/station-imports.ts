import * as z from 'zod/mini';
import { idField, idParameter, instantField } from './fields.ts';
import { type ImportColumns, importFaultOf } from './import-faults.ts';
import { route } from './route.ts';

export const stationImportLimits = {
  /** Stations of one file. */
  rowsMax: 10_000,
  bytesMax: 5 * 1024 * 1024,
  /** A file with more columns has something else in it. */
  columnsMax: 100,
} as const;

/**
 * The columns of the file, in the order of the template, by the field of a station that they fill. A site, an agent and
 * a rule are given by name, or by number where several have one name: "#12".
 */
export const stationImportColumns = {
  number: { title: 'stations.number', isRequired: true },
  name: { title: 'stations.name', isRequired: true },
  protocol: { title: 'stations.protocol', words: 'protocol' },
  type: { title: 'stations.type', isRequired: true, words: 'station-type' },
  equipmentType: { title: 'stations.equipmentType', isRequired: true, words: 'equipment-type' },
  siteId: { title: 'stations.site', isRequired: true },
  customSite: { title: 'stations.customSite' },
  agentId: { title: 'stations.agent' },
  connectorCount: { title: 'stations.connectorCount', isRequired: true },
  maxPowerKw: { title: 'import.maxPowerKw', isRequired: true },
  voltageV: { title: 'import.voltageV' },
  currentA: { title: 'import.currentA' },
  free: { title: 'stations.free', words: 'station-fee' },
  cardTariffId: { title: 'stations.cardTariff' },
  wechatTariffId: { title: 'stations.wechatTariff' },
  expiresOn: { title: 'stations.expiresOn' },
  password: { title: 'stations.password' },
  imei: { title: 'stations.imei' },
  iccid: { title: 'stations.iccid' },
  simExpiresOn: { title: 'stations.simExpiresOn' },
  manufacturer: { title: 'stations.manufacturer' },
  manufacturerCode: { title: 'stations.manufacturerCode' },
  equipmentModel: { title: 'stations.equipmentModel' },
  producedOn: { title: 'stations.producedOn' },
} as const satisfies ImportColumns;
export type StationImportColumn = keyof typeof stationImportColumns;

export const stationImportFault = importFaultOf(stationImportColumns);
export type StationImportFault = z.output<typeof stationImportFault>;

/** Rows with faults that an answer names; the report has them all. */
export const stationImportFaultsShown = 100;

export const stationImport = z.object({
  id: idField<'station_import'>(),
  fileName: z.string(),
  totalCount: z.int(),
  goodCount: z.int(),
  badCount: z.int(),
  /** Heads of the file that name no column. */
  ignoredColumns: z.array(z.string()),
  /** The first ones, in the order of the file. */
  faults: z.array(
    z.object({
      /** The number of the row in the sheet. */
      line: z.int(),
      number: z.string(),
      faults: z.array(stationImportFault),
    }),
  ),
  /** The work that adds the good ones; null before consent. */
  taskId: z.nullable(idField<'task'>()),
  createdAt: instantField,
});
export type StationImport = z.output<typeof stationImport>;

export const getStationTemplate = route({
  method: 'GET',
  path: '/station-imports/template',
  summary: 'A workbook for an import of stations, with heads, choices and an example in the caller’s language',
  permission: 'station.create',
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

export const checkStationImport = route({
  method: 'POST',
  path: '/station-imports',
  summary: 'Check a workbook of stations row by row; nothing is added yet',
  permission: 'station.create',
  bodyKind: 'multipart',
  answer: stationImport,
  errors: [
    'file.too_large',
    'file.wrong_type',
    'file.unreadable',
    'import.too_many_rows',
    'import.too_large_inside',
    'import.no_rows',
    'import.missing_columns',
    'import.repeated_column',
  ],
});

export const getStationImport = route({
  method: 'GET',
  path: '/station-imports/{id}',
  summary: 'One of the caller’s own imports, with what is wrong in its file',
  permission: 'station.create',
  params: z.object({ id: idParameter<'station_import'>() }),
  answer: stationImport,
  errors: [],
});

export const getStationImportReport = route({
  method: 'GET',
  path: '/station-imports/{id}/report',
  summary: 'The rows with faults as a workbook, with the reasons in the last column',
  permission: 'station.create',
  params: z.object({ id: idParameter<'station_import'>() }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

export const startStationImport = route({
  method: 'POST',
  path: '/station-imports/{id}/starts',
  summary: 'Add the good stations of a checked file, all or none; they are checked again first',
  permission: 'station.create',
  params: z.object({ id: idParameter<'station_import'>() }),
  answer: stationImport,
  errors: ['import.started', 'import.no_rows', 'import.changed', 'task.too_many'],
});
