import type { SiteDetail } from '@voltdeck/contract/sites';
import type { ReactNode } from 'react';
import { phrase } from '../phrases.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { Panel } from '../ui/Panel.tsx';
import styles from './sites.module.css';

type Fact = { name: string; value: ReactNode };

const orNothing = (text: string) => text || nothingText;
const yesOrNo = (is: boolean) => phrase(is ? 'sites.yes' : 'sites.no');
const figure = (text: ReactNode) => <span className="figure">{text}</span>;

function aboutOf(site: SiteDetail): Fact[] {
  const { longitude, latitude, parkingFee, parkingInfo } = site;
  return [
    { name: phrase('sites.agent'), value: site.agentName ?? phrase('list.ofPlatform') },
    { name: phrase('sites.region'), value: site.regionNames.join(' / ') },
    { name: phrase('sites.address'), value: site.address },
    {
      name: phrase('sites.position'),
      value: <CopyNumber value={`${longitude.toFixed(6)},${latitude.toFixed(6)}`} />,
    },
    {
      name: phrase('sites.openingHours'),
      value: site.openAllDay ? phrase('sites.openAllDay') : orNothing(site.openingHours),
    },
    { name: phrase('sites.sitePhone'), value: orNothing(site.sitePhone) },
    { name: phrase('sites.servicePhone'), value: orNothing(site.servicePhone) },
    {
      name: phrase('sites.parkingFee'),
      value: [phrase(`parking-fee.${parkingFee}`), parkingInfo].filter((text) => text !== '').join(' · '),
    },
    { name: phrase('sites.bayCount'), value: figure(site.bayCount === 0 ? nothingText : site.bayCount) },
    {
      name: phrase('sites.invoice'),
      value: phrase(site.invoiceAvailable ? 'sites.invoiceYes' : 'sites.invoiceNo'),
    },
    { name: phrase('sites.reservable'), value: yesOrNo(site.reservable) },
    { name: phrase('sites.facilities'), value: orNothing(site.facilityNames.join(phrase('list.comma'))) },
    { name: phrase('sites.directions'), value: orNothing(site.directions) },
    { name: phrase('sites.vehicles'), value: orNothing(site.vehicles) },
    { name: phrase('sites.paymentInfo'), value: orNothing(site.paymentInfo) },
    { name: phrase('sites.remark'), value: orNothing(site.remark) },
    { name: phrase('sites.createdAt'), value: <Dated at={site.createdAt} by={site.createdByName} /> },
    { name: phrase('sites.changedAt'), value: <Dated at={site.changedAt} by={site.changedByName} /> },
  ];
}

function Dated({ at, by }: { at: string; by: string | null }) {
  return (
    <>
      <Instant at={at} />
      {by === null ? null : ` · ${by}`}
    </>
  );
}

function supervisionOf(site: SiteDetail): Fact[] {
  const { kind, place, level, capacityKva, powerCapacityKw, installedPowerKw } = site;
  const isBeyond = powerCapacityKw !== null && installedPowerKw > powerCapacityKw;
  return [
    { name: phrase('sites.kind'), value: kind === null ? nothingText : phrase(`site-kind.${kind}`) },
    { name: phrase('sites.place'), value: place === null ? nothingText : phrase(`site-place.${place}`) },
    { name: phrase('sites.level'), value: level === null ? nothingText : phrase(`site-level.${level}`) },
    { name: phrase('sites.capacityKva'), value: figure(capacityKva ?? nothingText) },
    { name: phrase('sites.powerCapacityKw'), value: figure(powerCapacityKw ?? nothingText) },
    {
      name: phrase('sites.installed'),
      value: (
        <>
          {figure(`${installedPowerKw.toFixed(1)} kW`)}
          {isBeyond ? (
            <span className={styles.beyond}>{phrase('sites.beyondCapacity', { capacity: powerCapacityKw })}</span>
          ) : null}
        </>
      ),
    },
    { name: phrase('sites.ownGrid'), value: yesOrNo(site.ownGrid) },
    {
      name: phrase('sites.gridAccount'),
      value: site.gridAccount === '' ? nothingText : <CopyNumber value={site.gridAccount} />,
    },
    { name: phrase('sites.staffed'), value: yesOrNo(site.staffed) },
    { name: phrase('sites.publicCarPark'), value: yesOrNo(site.publicCarPark) },
    { name: phrase('sites.carParkNumber'), value: orNothing(site.carParkNumber) },
  ];
}

export function SiteFacts({ site }: { site: SiteDetail }) {
  return (
    <>
      <Facts title={phrase('sites.about')} facts={aboutOf(site)} />
      <Facts title={phrase('sites.supervision')} facts={supervisionOf(site)} />
    </>
  );
}

function Facts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <Panel title={title}>
      <dl className={styles.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
