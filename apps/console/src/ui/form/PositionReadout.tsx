import { chinaBounds, isInChina } from '@voltdeck/contract/sites';
import { datums, fromWgs84, isShiftedRegion, type Point } from '@voltdeck/regions/datum';
import { regionTable } from '@voltdeck/regions/region-table';
import { regionPathName } from '@voltdeck/regions/regions';
import { Alert } from 'antd';
import { useEffect, useState } from 'react';
import { language } from '../../language.ts';
import { phrase } from '../../phrases.ts';
import { CopyNumber } from '../CopyNumber.tsx';
import { loadOutlines, type Outside, outsideRegion } from '../map/region-of-point.ts';
import styles from './form.module.css';

const decimals = 6;

type Props = { position: Point; regionCode: string | null };

/** A position in every datum, to be copied to other maps, and a warning where it does not fit its region. */
export function PositionReadout({ position, regionCode }: Props) {
  const isShifted = regionCode === null || isShiftedRegion(regionCode);
  const warning = useWarning(position, regionCode);
  return (
    <>
      <dl className={styles.readout} aria-label={phrase('position.readout')}>
        {datums.map((datum) => {
          const { longitude, latitude } = isShifted ? fromWgs84(position, datum) : position;
          return (
            <div key={datum}>
              <dt>{phrase(`position.datum.${datum}`)}</dt>
              <dd>
                <CopyNumber value={`${longitude.toFixed(decimals)},${latitude.toFixed(decimals)}`} />
              </dd>
            </div>
          );
        })}
      </dl>
      {warning === null ? null : <Alert type="warning" showIcon className={styles.warning ?? ''} title={warning} />}
    </>
  );
}

function useWarning({ longitude, latitude }: Point, regionCode: string | null): string | null {
  const [outside, setOutside] = useState<Outside | null>(null);
  const isAbroad = regionCode !== null && !isInChina(regionCode);
  useEffect(() => {
    setOutside(null);
    if (regionCode === null || isAbroad) return;
    let isCurrent = true;
    loadOutlines().then(
      (outlines) => {
        if (isCurrent) setOutside(outsideRegion(outlines, regionCode, { longitude, latitude }));
      },
      // Without outlines there is no warning; the map says itself that it could not be loaded.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [longitude, latitude, regionCode, isAbroad]);
  if (isAbroad) return null;
  const { west, east, south, north } = chinaBounds;
  if (longitude < west || longitude > east || latitude < south || latitude > north) {
    return phrase('position.outsideChina');
  }
  if (outside === null) return null;
  const region = nameOf(outside.expected);
  return outside.found === null
    ? phrase('position.outsideAtSea', { region })
    : phrase('position.outsideRegion', { region, found: nameOf(outside.found) });
}

const nameOf = (code: string) => regionPathName(regionTable, code, language) ?? code;
