import type { RegionCode, RegionLanguage } from '@voltdeck/regions/regions';
import { useEffect, useRef, useState } from 'react';
import { phrase } from '../phrases.ts';
import type { BasemapFiles } from '../ui/map/basemap.ts';
import { ownBasemap } from '../ui/map/own-basemap.ts';
import { type TileSource, useMapTiles } from '../ui/map/use-map-tiles.ts';
import { MapControls } from './MapControls.tsx';
import { MapLegend } from './MapLegend.tsx';
import { MapStack } from './MapStack.tsx';
import type { SiteOnMap } from './site-map-states.ts';
import { type SavedView, SiteMapView } from './site-map-view.ts';
import type { SiteMapLabels } from './site-map-words.ts';
import '../ui/map/site-map.css';

export interface SiteMapProps {
  /** Pass the same array while nothing changes: new states are cheap, new positions need a new index. */
  sites: readonly SiteOnMap[];
  language: RegionLanguage;
  labels: SiteMapLabels;
  selectedId: number | null;
  onSelect: (id: number) => void;
  /** The province or city that was clicked; null for the whole country. */
  onRegionSelect?: (code: RegionCode | null) => void;
  /** The region to show and outline; null for the whole country. */
  focusRegion?: RegionCode | null;
  /** Another base map in the same format as ours. */
  basemap?: BasemapFiles;
}

/**
 * Sites on a map: on the tiles of the configured service, otherwise on our own map, which needs none. Marks that would touch are grouped; colour and shape show the state.
 * Tab reaches the marks, arrow keys move between them. Large: load it lazily. It fills its parent, which needs a
 * height.
 */
export default function SiteMap(props: SiteMapProps) {
  const { sites, language, labels, selectedId, focusRegion = null, basemap = ownBasemap } = props;
  const [failedTiles, setFailedTiles] = useState<TileSource | null>(null);
  // Without an answer of their service, the built-in map takes the place of the tiles.
  const configured = useMapTiles();
  const tiles = configured === failedTiles ? null : configured;
  const container = useRef<HTMLDivElement>(null);
  const inset = useRef<HTMLCanvasElement>(null);
  const view = useRef<SiteMapView>(null);
  const savedView = useRef<SavedView>(null);
  const latest = useRef(props);
  const [hasTrouble, setHasTrouble] = useState(false);
  const [needsInset, setNeedsInset] = useState(false);
  const [stack, setStack] = useState<readonly SiteOnMap[] | null>(null);

  useEffect(() => {
    latest.current = props;
    view.current?.update({ sites, selectedId, labels, language });
  });

  useEffect(() => {
    if (container.current === null) return;
    const { sites, selectedId, labels, language } = latest.current;
    const made = new SiteMapView(
      container.current,
      { sites, selectedId, labels, language },
      {
        onSelect: (id) => latest.current.onSelect(id),
        onRegionSelect: (code) => latest.current.onRegionSelect?.(code),
        onStack: setStack,
        onTrouble: setHasTrouble,
        onTilesFailed: () => setFailedTiles(tiles),
        onInset: setNeedsInset,
      },
      { files: basemap, tiles, view: savedView.current, focusRegion: latest.current.focusRegion ?? null },
    );
    if (inset.current) made.showInset(inset.current);
    view.current = made;
    return () => {
      savedView.current = made.savedView();
      view.current = null;
      made.destroy();
    };
  }, [basemap, tiles]);

  useEffect(() => view.current?.focusRegion(focusRegion), [focusRegion]);

  return (
    <section className="site-map">
      <div ref={container} className="site-map-view" role="application" aria-label={labels.map} />
      <figure className="site-map-inset" aria-hidden="true" hidden={!needsInset || hasTrouble || tiles !== null}>
        <canvas ref={inset} />
        <figcaption>{labels.southChinaSea}</figcaption>
      </figure>
      <MapControls
        labels={labels}
        onZoom={(steps) => view.current?.zoomBy(steps)}
        onReset={() => {
          view.current?.resetView();
          if (focusRegion !== null) props.onRegionSelect?.(null);
        }}
      />
      <MapLegend labels={labels} />
      {hasTrouble && (
        <div className="site-map-trouble" role="status">
          {labels.loadFailed}
          <button type="button" className="site-map-retry" onClick={() => view.current?.retry()}>
            {labels.retry}
          </button>
        </div>
      )}
      {stack && <MapStack sites={stack} labels={labels} onSelect={props.onSelect} onClose={() => setStack(null)} />}
      {failedTiles === null ? null : (
        <p className="site-map-fallback" role="status">
          {phrase('shell.tilesFailed')}
        </p>
      )}
      <p className="site-map-source">{tiles === null ? labels.attribution : tiles.attribution}</p>
    </section>
  );
}
