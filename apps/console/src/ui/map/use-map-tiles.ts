import { getMapTiles } from '@voltdeck/contract/settings';
import type { Datum } from '@voltdeck/regions/datum';
import { useMemo } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';

/** The datum of a map's tiles. Ours and Tianditu's: WGS-84. AMap's: GCJ-02, shifted by some 500 m. */
export type MapDatum = Exclude<Datum, 'bd09'>;

/** Tiles of an outside service, drawn instead of our own map. */
export interface TileSource {
  /** Addresses with {s}, {x}, {y}, {z}, the lowest layer first. */
  urls: readonly string[];
  subdomains: string;
  datum: MapDatum;
  zoomMax: number;
  /** Whose map it is, to be shown on it. */
  attribution: string;
}

/** The configured tiles; null without any, and until they are known. */
export function useMapTiles(): TileSource | null {
  const { data } = useAnswer(getMapTiles, { quiet: true });
  return useMemo(
    () =>
      data === undefined || data === null ? null : { ...data, attribution: phrase(`shell.tiles.${data.provider}`) },
    [data],
  );
}
