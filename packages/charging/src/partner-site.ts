/**
 * What interconnected operators tell each other of their sites, in our own words. A partner's identifiers are texts of
 * its own, unique within the partner.
 */
import type { Milliamperes, Millivolts, WattHours, Watts } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import type { PriceE5 } from '@voltdeck/units/money';
import type {
  ConnectorKind,
  ConnectorState,
  GroundLockState,
  NationalStandard,
  ParkingBayState,
  SiteKind,
  SitePlace,
  SiteState,
} from './states.ts';

export type PartnerSite = {
  id: string;
  /** Characters 9 to 17 of the unified social credit code of whoever operates it, and of whoever owns it. */
  operatorCode: string;
  ownerCode: string;
  name: string;
  /** GB/T 2260 county code, six digits. */
  regionCode: string;
  address: string;
  sitePhone: string | null;
  servicePhone: string;
  kind: SiteKind;
  place: SitePlace;
  state: SiteState;
  /** 0: unknown. */
  bayCount: number;
  /** In millionths of a degree, GCJ-02: Chinese maps are shifted against the WGS-84 that we store. */
  longitudeE6: number;
  latitudeE6: number;
  directions: string | null;
  /** Addresses. */
  pictures: readonly string[];
  vehicles: string | null;
  openAllDay: boolean | null;
  openingHours: string | null;
  /** For people; the prices of a port are `PartnerPriceSlot`. */
  electricityFee: string | null;
  serviceFee: string | null;
  parkingFee: string | null;
  parkingIsFree: boolean | null;
  parkingInfo: string | null;
  paymentInfo: string | null;
  reservable: boolean | null;
  remark: string | null;
  stations: readonly PartnerStation[];
};

export type PartnerStation = {
  id: string;
  name: string | null;
  manufacturer: string | null;
  /** Nine characters, as of an operator. */
  manufacturerCode: string | null;
  model: string | null;
  /** "2026-11-21". */
  producedOn: string | null;
  powerW: Watts;
  ports: readonly PartnerPort[];
};

export type PartnerPort = {
  id: string;
  name: string | null;
  kind: ConnectorKind;
  nationalStandard: NationalStandard;
  voltageMinV: number;
  voltageMaxV: number;
  currentA: number;
  powerW: Watts;
  bayNumber: string | null;
};

/** What a port is doing. Bay and lock are null where nobody knows. */
export type PartnerPortState = {
  portId: string;
  state: ConnectorState;
  bay: ParkingBayState | null;
  lock: GroundLockState | null;
  /** What some supervising platforms want besides. */
  currentMa?: Milliamperes | undefined;
  voltageMv?: Millivolts | undefined;
  socPercent?: number | undefined;
};

/** What a kWh costs from a second of the day until the next slot begins, the last one until midnight. */
export type PartnerPriceSlot = { fromSecond: number; electricityPriceE5: PriceE5; servicePriceE5: PriceE5 };

/** The energy of ports in a stretch of days, as partners ask for it. */
export type PartnerStatistics = {
  siteId: string;
  /** "2026-11-21"; both days are included. */
  firstDay: string;
  lastDay: string;
  energyWh: WattHours;
  stations: readonly {
    stationId: string;
    energyWh: WattHours;
    ports: readonly { portId: string; energyWh: WattHours }[];
  }[];
};

/** Whose a site is, as supervising platforms want it beside whatever is told of it. */
export type PartnerPlace = Pick<PartnerSite, 'operatorCode' | 'ownerCode'> & { siteId: string };

/** What a site draws at an instant. */
export type PartnerPower = PartnerPlace & {
  at: Instant;
  powerW: Watts;
  stations: readonly {
    stationId: string;
    at: Instant;
    powerW: Watts;
    ports: readonly { portId: string; at: Instant; powerW: Watts }[];
  }[];
};
