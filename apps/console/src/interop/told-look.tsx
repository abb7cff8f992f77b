import type { ConnectorState, SiteState } from '@voltdeck/charging/states';
import type { ToldPort, ToldSite, ToldStation } from '@voltdeck/contract/told-sites';
import type { ReactNode } from 'react';
import { phrase } from '../phrases.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { connectorTones, type Tone } from '../ui/state-colours.ts';
import styles from './interop.module.css';

/** The looks of what operators tell each other: every word with the standard's number beside it. */

const siteTones: Readonly<Record<SiteState, Tone>> = {
  normal: 'free',
  building: 'occupied',
  maintenance: 'occupied',
  closed_offline: 'offline',
  closed_for_business: 'offline',
  unknown: 'offline',
};

const portTones: Readonly<Record<ConnectorState, Tone>> = connectorTones;

function coded(word: string, code: number, tone?: Tone): ReactNode {
  return (
    <span className={styles.coded}>
      {tone === undefined ? word : <StateTag tone={tone}>{word}</StateTag>}
      <span className={styles.code}>{code}</span>
    </span>
  );
}

const hidden = { isHidden: true } as const;

export const toldSiteLook = {
  name: { widthPx: 220, isPinned: true },
  code: { widthPx: 150 },
  operatorCode: { widthPx: 136 },
  ownerCode: { widthPx: 136 },
  state: {
    widthPx: 132,
    isKeyFact: true,
    render: ({ state, stateCode }: ToldSite) => coded(phrase(`site-state.${state}`), stateCode, siteTones[state]),
  },
  stateCode: hidden,
  kind: { widthPx: 112, render: ({ kind, kindCode }: ToldSite) => coded(phrase(`site-kind.${kind}`), kindCode) },
  kindCode: hidden,
  place: {
    widthPx: 176,
    render: ({ place, placeCode }: ToldSite) => coded(phrase(`site-place.${place}`), placeCode),
  },
  placeCode: hidden,
  regionName: { widthPx: 220 },
  regionCode: { widthPx: 112 },
  address: { widthPx: 240 },
  position: { widthPx: 220 },
  servicePhone: { widthPx: 136 },
  sitePhone: { widthPx: 136 },
  openingHours: hidden,
  paymentInfo: hidden,
  directions: hidden,
  vehicles: hidden,
  remark: hidden,
} as const;

export const toldStationLook = {
  code: { widthPx: 200, isPinned: true },
  siteName: { widthPx: 200 },
  type: {
    widthPx: 144,
    isKeyFact: true,
    render: ({ typeCode }: ToldStation) =>
      coded(phrase(`told-station-type.${typeCode}` as 'told-station-type.1'), typeCode),
  },
  typeCode: hidden,
  powerW: { isKeyFact: true },
  portCount: { isKeyFact: true },
} as const;

export const toldPortLook = {
  code: { widthPx: 200, isPinned: true },
  siteName: { widthPx: 200 },
  state: {
    widthPx: 132,
    isKeyFact: true,
    render: ({ state, stateCode }: ToldPort) => coded(phrase(`connector-state.${state}`), stateCode, portTones[state]),
  },
  stateCode: hidden,
  kind: {
    widthPx: 132,
    isKeyFact: true,
    render: ({ kind, kindCode }: ToldPort) => coded(phrase(`connector-kind.${kind}`), kindCode),
  },
  kindCode: hidden,
  powerW: { isKeyFact: true },
  nationalStandard: {
    render: ({ nationalStandard, nationalStandardCode }: ToldPort) =>
      coded(phrase(`national-standard.${nationalStandard}`), nationalStandardCode),
  },
  nationalStandardCode: hidden,
  bay: {
    render: ({ bay, bayCode }: ToldPort) =>
      coded(bay === null ? phrase('told.notKnown') : phrase(`parking-bay.${bay}`), bayCode),
  },
  bayCode: hidden,
  lock: {
    render: ({ lock, lockCode }: ToldPort) =>
      coded(lock === null ? phrase('told.notKnown') : phrase(`ground-lock.${lock}`), lockCode),
  },
  lockCode: hidden,
} as const;
