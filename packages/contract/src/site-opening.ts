import { isInChina, type Site } from './sites.ts';

type Known = Pick<Site, 'regionCode' | 'kind' | 'place' | 'servicePhone' | 'ownGrid' | 'gridAccount'>;

/** Fields that T/CEC 102 (StationInfo) demands of a station, and the grid account that supervision platforms demand. */
const needed = {
  regionCode: ({ regionCode }: Known) => isInChina(regionCode),
  kind: ({ kind }: Known) => kind !== null,
  place: ({ place }: Known) => place !== null,
  servicePhone: ({ servicePhone }: Known) => servicePhone !== '',
  gridAccount: ({ ownGrid, gridAccount }: Known) => !ownGrid || gridAccount !== '',
} as const;
export type NeededField = keyof typeof needed;

/** The fields that a site lacks for interconnected operators to be shown it. */
export function lackedFields(site: Known): readonly NeededField[] {
  return (Object.keys(needed) as NeededField[]).filter((field) => !needed[field](site));
}

/** The same with what a site has besides its form: gun ports. */
export function lackedForOpening(site: Known & Pick<Site, 'connectorCount'>): readonly (NeededField | 'connectors')[] {
  return [...lackedFields(site), ...(site.connectorCount > 0 ? [] : (['connectors'] as const))];
}
