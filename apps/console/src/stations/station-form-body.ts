import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { EquipmentType, Protocol, StationSignIn, StationType } from '@voltdeck/charging/states';
import type { Station, StationForm } from '@voltdeck/contract/stations';
import type { SiteId, TariffId } from '@voltdeck/units/id';

/** What the fields of the form hold; the names are the contract's, so that the server's errors find their field. */
export type StationValues = {
  protocol: Protocol;
  number: string;
  name: string;
  type: StationType;
  equipmentType: EquipmentType;
  siteId?: SiteId | undefined;
  connectorCount: number | null;
  maxPowerKw: number | null;
  voltageV?: number | null | undefined;
  currentA?: number | null | undefined;
  cardTariffId?: TariffId | undefined;
  wechatTariffId?: TariffId | undefined;
  /** "2027-12-31". */
  expiresOn?: string | undefined;
  password?: string | undefined;
  signIn?: StationSignIn | undefined;
  signInNetworks?: string[] | undefined;
};

/** A new station begins as the commonest one. */
export const newStation: Partial<StationValues> = {
  protocol: 'ocpp1.6',
  type: 'fast',
  equipmentType: 'four-wheel',
  connectorCount: 2,
  maxPowerKw: 120,
  signIn: 'password',
};

export function valuesOf(station: Station): Partial<StationValues> {
  return {
    protocol: station.protocol,
    number: station.number,
    name: station.name,
    type: station.type,
    equipmentType: station.equipmentType,
    siteId: station.siteId,
    connectorCount: station.connectorCount,
    maxPowerKw: station.maxPowerKw,
    voltageV: station.voltageV,
    currentA: station.currentA,
    ...(station.cardTariffId === null ? {} : { cardTariffId: station.cardTariffId }),
    ...(station.wechatTariffId === null ? {} : { wechatTariffId: station.wechatTariffId }),
    ...(station.expiresOn === null ? {} : { expiresOn: station.expiresOn }),
    signIn: station.signIn,
    signInNetworks: station.signInNetworks,
  };
}

type Body = Omit<StationForm, 'protocol' | 'password' | 'number'>;

/** What every way of saving a station sends. Fields left empty are left out. Call it with values the form has checked. */
export function bodyOf(values: StationValues): Body {
  return {
    name: values.name.trim(),
    type: values.type,
    equipmentType: values.equipmentType,
    siteId: values.siteId as SiteId,
    connectorCount: values.connectorCount ?? 0,
    maxPowerKw: values.maxPowerKw ?? 0,
    ...(values.voltageV == null ? {} : { voltageV: values.voltageV }),
    ...(values.currentA == null ? {} : { currentA: values.currentA }),
    ...(values.cardTariffId === undefined ? {} : { cardTariffId: values.cardTariffId }),
    ...(values.wechatTariffId === undefined ? {} : { wechatTariffId: values.wechatTariffId }),
    ...(values.expiresOn === undefined || values.expiresOn === '' ? {} : { expiresOn: values.expiresOn }),
    ...signInOf(values),
  };
}

/** Addresses are asked for where they count alone. */
function signInOf({ protocol, signIn, signInNetworks = [] }: StationValues): Pick<Body, 'signIn' | 'signInNetworks'> {
  if (!protocolTraits[protocol].hasPassword || signIn === undefined) return {};
  return { signIn, signInNetworks: signIn === 'open' ? signInNetworks.map((range) => range.trim()) : [] };
}

/** What every protocol's numbers have in common; the contract's own rule. */
const numberPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,47}$/;

type NumberFormat = 'stations.numberFormat' | 'stations.numberFormatYkc';
const numberFormats: Readonly<Record<Protocol, NumberFormat>> = {
  'ocpp1.6': 'stations.numberFormat',
  ykc: 'stations.numberFormatYkc',
};

/** Why a station cannot have this number, as the phrase that says what it must look like; null when it can. */
export function faultOfNumber(number: string | undefined, protocol: Protocol): NumberFormat | null {
  const trimmed = number?.trim() ?? '';
  if (trimmed === '') return null;
  if (!protocolTraits[protocol].stationNumber.test(trimmed)) {
    return numberFormats[protocol];
  }
  return numberPattern.test(trimmed) ? null : 'stations.numberFormat';
}

const passwordBytesMin = 16;
const passwordBytesMax = 20;

/** Security profile 1 carries 16 to 20 bytes; a character outside ASCII is more than one. */
export function isPasswordLength(password: string): boolean {
  const bytes = new TextEncoder().encode(password).length;
  return bytes >= passwordBytesMin && bytes <= passwordBytesMax;
}
