import type { PartnerPort, PartnerPortState, PartnerSite, PartnerStation } from '@voltdeck/charging/partner-site';
import type { ConnectorKind } from '@voltdeck/charging/states';
import type { Language } from '@voltdeck/contract/languages';
import type { ToldPort, ToldSite, ToldStation } from '@voltdeck/contract/told-sites';
import { regionTable } from '@voltdeck/regions/region-table';
import { nameIn, pathOf } from '@voltdeck/regions/regions';
import {
  connectorTypeCode,
  constructionCode,
  equipmentTypeCode,
  lockStatusCode,
  nationalStandardCode,
  parkStatusCode,
  stationStatusCode,
  stationTypeCode,
  statusCode,
} from '@voltdeck/tcec102/code-tables';
import type { PartnerProfile } from '@voltdeck/tcec102/profile';
import { type Instant, isoOrNull } from '@voltdeck/units/instant';

/** What operators tell each other, as the console lists it: with the standard's numbers beside our words. */

export function toldSiteOf(
  site: Omit<PartnerSite, 'stations'>,
  { stationCount, language }: { stationCount: number; language: Language },
): ToldSite {
  return {
    code: site.id,
    operatorCode: site.operatorCode,
    ownerCode: site.ownerCode,
    name: site.name,
    regionCode: site.regionCode,
    regionName: pathOf(regionTable, site.regionCode)
      .map((region) => nameIn(region, language))
      .join(' / '),
    address: site.address,
    sitePhone: site.sitePhone,
    servicePhone: site.servicePhone,
    kind: site.kind,
    kindCode: stationTypeCode(site.kind),
    state: site.state,
    stateCode: stationStatusCode(site.state),
    place: site.place,
    placeCode: constructionCode(site.place),
    longitude: site.longitudeE6 / 1e6,
    latitude: site.latitudeE6 / 1e6,
    electricityFee: site.electricityFee,
    serviceFee: site.serviceFee,
    parkingFee: site.parkingFee,
    parkingInfo: site.parkingInfo,
    bayCount: site.bayCount,
    openingHours: site.openingHours,
    paymentInfo: site.paymentInfo,
    directions: site.directions,
    vehicles: site.vehicles,
    remark: site.remark,
    stationCount,
  };
}

export function toldStationOf(
  station: Omit<PartnerStation, 'ports'>,
  { siteCode, siteName, kinds }: { siteCode: string; siteName: string; kinds: readonly ConnectorKind[] },
): ToldStation {
  const { id: code, name, manufacturer, manufacturerCode, model, producedOn, powerW } = station;
  const typeCode = equipmentTypeCode(kinds);
  const portCount = kinds.length;
  return {
    code,
    name,
    siteCode,
    siteName,
    typeCode,
    manufacturer,
    manufacturerCode,
    model,
    producedOn,
    powerW,
    portCount,
  };
}

export function toldPortOf(
  { id: code, ...port }: PartnerPort,
  of: Pick<ToldPort, 'stationCode' | 'siteCode' | 'siteName'> &
    Pick<PartnerPortState, 'state' | 'bay' | 'lock'> & { stateAt: Instant | null },
  profile: PartnerProfile,
): ToldPort {
  return {
    code,
    ...port,
    kindCode: connectorTypeCode(port.kind, profile),
    nationalStandardCode: nationalStandardCode(port.nationalStandard, profile),
    stationCode: of.stationCode,
    siteCode: of.siteCode,
    siteName: of.siteName,
    state: of.state,
    stateCode: statusCode(of.state),
    bay: of.bay,
    bayCode: parkStatusCode(of.bay),
    lock: of.lock,
    lockCode: lockStatusCode(of.lock),
    stateAt: isoOrNull(of.stateAt),
  };
}
