import { type Datum, fromWgs84, isShiftedRegion, type Point, toWgs84 } from '@voltdeck/regions/datum';
import type { RegionCode, RegionLanguage } from '@voltdeck/regions/regions';
import * as L from 'leaflet';
import { BasemapLayer } from './basemap-layer.ts';
import { ownBasemap } from './own-basemap.ts';
import { addTiles } from './tiles.ts';
import type { TileSource } from './use-map-tiles.ts';
import './site-map.css';

/** The country from the Pamir to the Ussuri, and from Hainan to the Amur: [south, west], [north, east]. */
const homeBounds: L.LatLngBoundsLiteral = [
  [17.8, 73.4],
  [53.7, 135.2],
];
const zoomMin = 2;
const offlineZoomMax = 16;
/** The minimum zoom for a chosen place: our own map has nothing finer than the outlines of cities, tiles show streets. */
const placeZoom = 9;
const streetZoom = 15;
/** Six decimals of a degree are a tenth of a metre. */
const decimals = 6;

const rounded = (degrees: number) => Number(degrees.toFixed(decimals));

type Options = {
  language: RegionLanguage;
  tiles: TileSource | null;
  onPick: (position: Point) => void;
  onTrouble: (failed: boolean) => void;
  /** The tiles do not come; the built-in map has taken their place. */
  onTilesFailed: () => void;
};

/** A map with one movable mark, outside React. Positions are WGS-84, whatever the map's datum. */
export class PositionMap {
  readonly #map: L.Map;
  readonly #basemap: BasemapLayer;
  readonly #mark: L.Marker;
  #datum: Datum;
  #placeZoom: number;
  #shown: Point | null = null;
  #regionCode: RegionCode | null = null;

  constructor(container: HTMLElement, { language, tiles, onPick, onTrouble, onTilesFailed }: Options) {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#datum = tiles?.datum ?? 'wgs84';
    this.#placeZoom = tiles === null ? placeZoom : streetZoom;
    this.#map = L.map(container, {
      zoomControl: false,
      attributionControl: false,
      zoomSnap: 0.25,
      minZoom: zoomMin,
      maxZoom: tiles?.zoomMax ?? offlineZoomMax,
      zoomAnimation: !isCalm,
      fadeAnimation: !isCalm,
      inertia: !isCalm,
    });
    this.#map.fitBounds(homeBounds, { animate: false });
    this.#basemap = new BasemapLayer(ownBasemap, {
      language: () => language,
      obstacles: () => [],
      onTrouble,
      onReady: () => this.#basemap.paint(),
    });
    if (tiles === null) this.#basemap.addTo(this.#map);
    else this.#addTiles(tiles, onTilesFailed);
    const icon = L.divIcon({ className: 'position-mark', iconSize: [28, 36], iconAnchor: [14, 34], html: markSvg });
    this.#mark = L.marker([0, 0], { icon, draggable: true, keyboard: false });
    const pick = ({ lat, lng }: L.LatLng) => {
      const { longitude, latitude } = toWgs84({ longitude: lng, latitude: lat }, this.#datumHere());
      this.#shown = { longitude: rounded(longitude), latitude: rounded(latitude) };
      onPick(this.#shown);
    };
    this.#map.on('click', ({ latlng }) => pick(latlng));
    this.#map.on('moveend', () => this.#basemap.paint());
    this.#mark.on('dragend', () => pick(this.#mark.getLatLng()));
  }

  #addTiles(tiles: TileSource, onFailed: () => void): void {
    const layers = addTiles(this.#map, tiles, () => {
      for (const layer of layers) layer.remove();
      this.#datum = 'wgs84';
      this.#placeZoom = placeZoom;
      this.#map.setMaxZoom(offlineZoomMax);
      this.#basemap.addTo(this.#map);
      this.#place();
      onFailed();
    });
  }

  #datumHere(): Datum {
    return this.#regionCode === null || isShiftedRegion(this.#regionCode) ? this.#datum : 'wgs84';
  }

  #onMap(position: Point): L.LatLng {
    const { longitude, latitude } = fromWgs84(position, this.#datumHere());
    return L.latLng(latitude, longitude);
  }

  #place(): void {
    if (this.#shown === null) this.#mark.remove();
    else this.#mark.setLatLng(this.#onMap(this.#shown)).addTo(this.#map);
  }

  /** Moves the mark to a place in the region, and brings it into view unless it was picked here; null removes it. */
  show(position: Point | null, regionCode: RegionCode | null): void {
    const isPicked = position?.longitude === this.#shown?.longitude && position?.latitude === this.#shown?.latitude;
    this.#shown = position;
    this.#regionCode = regionCode;
    this.#place();
    if (position !== null && !isPicked) this.lookAt(position, this.#placeZoom);
  }

  lookAt(position: Point, zoom: number): void {
    this.#map.setView(this.#onMap(position), Math.max(zoom, this.#map.getZoom()), { animate: false });
  }

  zoomBy(steps: 1 | -1): void {
    this.#map.setZoom(this.#map.getZoom() + steps);
  }

  /** Call after the container has its final size: drawers slide in. */
  fit(): void {
    this.#map.invalidateSize({ animate: false });
    this.#basemap.paint();
  }

  retry(): void {
    void this.#basemap.load();
  }

  destroy(): void {
    this.#map.remove();
  }
}

const markSvg =
  '<svg viewBox="0 0 28 36" width="28" height="36" aria-hidden="true"><path d="M14 35C9 27 2 21 2 13a12 12 0 0 1 24 0c0 8-7 14-12 22z" fill="var(--strong)" stroke="var(--panel)" stroke-width="2"/><circle cx="14" cy="13" r="4.5" fill="var(--panel)"/></svg>';
