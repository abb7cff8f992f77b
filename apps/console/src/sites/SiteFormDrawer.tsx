import {
  changeSite,
  chinaBounds,
  createSite,
  getSite,
  isInChina,
  listFacilities,
  listSites,
  pictureSlots,
  type Site,
  sitePicturesMax,
} from '@voltdeck/contract/sites';
import type { SiteId } from '@voltdeck/units/id';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { facilityOptions } from './facility-options.ts';

type Props = { site: Site | null; open: boolean; onClose: () => void; onSaved: (site: Site) => void };

const widthPx = 640;

/** A point of a Chinese region has to lie in the box around China. */
function boundFault(
  degrees: number,
  [least, most]: readonly [number, number],
  { regionCode }: { regionCode?: string | undefined },
): string | null {
  const isBeyond = degrees < least || degrees > most;
  return isBeyond && regionCode !== undefined && isInChina(regionCode) ? phrase('field.outside_china') : null;
}

/** The site as it is now: the caller may have read it long ago, and others may change it under the form. */
function useLatest(given: Site | null, open: boolean): Site | null {
  const answer = useAnswer(
    getSite,
    { params: { id: given?.id ?? (0 as SiteId) } },
    { enabled: open && given !== null },
  );
  if (given === null || answer.data === undefined) return given;
  return answer.data.version > given.version ? answer.data : given;
}

/** Adds or changes a site. */
export default function SiteFormDrawer({ site: given, open, onClose, onSaved }: Props) {
  const site = useLatest(given, open);
  const facilities = useAnswer(listFacilities, {});
  const refresh = useRefresh();
  return (
    <RouteForm
      route={createSite}
      change={changeSite}
      record={site}
      given={site === null ? {} : { version: site.version }}
      title={site === null ? phrase('sites.add') : phrase('sites.editTitle', { name: site.name })}
      submitLabel={phrase(site === null ? 'sites.add' : 'sites.saveChanges')}
      draft={`site ${site?.id ?? 'add'}`}
      widthPx={widthPx}
      initial={{ state: 'normal', parkingFee: 'free', openAllDay: true, bayCount: 0 }}
      fields={{
        name: { label: 'sites.name', heading: 'sites.formBasic' },
        regionCode: { label: 'sites.region' },
        address: { label: 'sites.address', kind: 'text' },
        longitude: {
          label: 'sites.longitude',
          hint: 'sites.datumHint',
          checkedWith: ['regionCode'],
          check: (degrees, values) => boundFault(degrees, [chinaBounds.west, chinaBounds.east], values),
        },
        latitude: {
          label: 'sites.latitude',
          checkedWith: ['regionCode'],
          check: (degrees, values) => boundFault(degrees, [chinaBounds.south, chinaBounds.north], values),
        },
        pictures: {
          label: 'sites.pictures',
          hint: 'sites.picturesHint',
          pictures: {
            purpose: 'site',
            max: sitePicturesMax,
            slots: pictureSlots.map((value) => ({ value, label: phrase(`picture-slot.${value}`) })),
          },
        },
        state: {
          label: 'sites.state',
          heading: 'sites.formOperation',
          hint: 'sites.stateHint',
          kind: 'select',
          requiredIf: () => true,
          word: (state) => phrase(`site-state.${state}`),
        },
        agentId: { label: 'sites.agent', ...(site === null ? {} : { hint: 'sites.agentHint' }) },
        openAllDay: { label: 'sites.openAllDay' },
        openingHours: {
          label: 'sites.openingHours',
          placeholder: 'sites.openingHoursExample',
          shownIf: ({ openAllDay }) => openAllDay !== true,
        },
        sitePhone: { label: 'sites.sitePhone', hint: 'sites.sitePhoneHint', isShort: true },
        servicePhone: { label: 'sites.servicePhone', hint: 'sites.servicePhoneHint', isShort: true },
        parkingFee: {
          label: 'sites.parkingFee',
          isShort: true,
          requiredIf: () => true,
          word: (fee) => phrase(`parking-fee.${fee}`),
        },
        bayCount: { label: 'sites.bayCount', hint: 'sites.bayCountHint', isShort: true },
        parkingInfo: { label: 'sites.parkingInfo', rows: 2 },
        invoiceAvailable: { label: 'sites.invoice', isShort: true },
        reservable: { label: 'sites.reservable', isShort: true },
        facilities: {
          label: 'sites.facilities',
          kind: 'choices',
          options: facilityOptions(facilities.data ?? [], site),
        },
        directions: { label: 'sites.directions', hint: 'sites.directionsHint' },
        vehicles: { label: 'sites.vehicles', isShort: true },
        paymentInfo: { label: 'sites.paymentInfo', placeholder: 'sites.paymentExample', isShort: true },
        remark: { label: 'sites.remark' },
        kind: {
          label: 'sites.kind',
          heading: 'sites.formSupervision',
          isShort: true,
          word: (kind) => phrase(`site-kind.${kind}`),
        },
        place: { label: 'sites.place', isShort: true, word: (place) => phrase(`site-place.${place}`) },
        level: { label: 'sites.level', kind: 'select', isShort: true, word: (level) => phrase(`site-level.${level}`) },
        staffed: { label: 'sites.staffed', isShort: true },
        capacityKva: { label: 'sites.capacityLabel', isShort: true },
        powerCapacityKw: { label: 'sites.powerCapacityLabel', hint: 'sites.powerCapacityHint', isShort: true },
        ownGrid: { label: 'sites.ownGrid', isShort: true },
        gridAccount: { label: 'sites.gridAccount', kind: 'code', isShort: true },
        publicCarPark: { label: 'sites.publicCarPark', isShort: true },
        carParkNumber: { label: 'sites.carParkNumber', kind: 'code', isShort: true },
      }}
      followsRecord
      refreshes={[listSites, getSite]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
      // Whoever changed it meanwhile: the list and the page show what they wrote.
      onFailed={() => void refresh(listSites, getSite)}
    />
  );
}
