import type { RegionLanguage } from '@voltdeck/regions/regions';
import * as L from 'leaflet';
import { BasemapLayer } from './basemap-layer.ts';
import { ownBasemap } from './own-basemap.ts';
import './site-map.css';

export type Position = { longitude: number; latitude: number };

/** The country from the Pamir to the Ussuri, and from Hainan to the Amur: [south, west], [north, east]. */
const homeBounds: L.LatLngBoundsLiteral = [
  [17.8, 73.4],
  [53.7, 135.2],
];
const zoomMin = 2;
const zoomMax = 16;
/** The minimum zoom for a chosen place. */
const placeZoom = 11;
/** Six decimals of a degree are a tenth of a metre. */
const decimals = 6;

const rounded = (degrees: number) => Number(degrees.toFixed(decimals));

/** Our base map with one movable mark, outside React. */
export class PositionMap {
  readonly #map: L.Map;
  readonly #basemap: BasemapLayer;
  readonly #mark: L.Marker;

  constructor(
    container: HTMLElement,
    options: { language: RegionLanguage; onPick: (position: Position) => void; onTrouble: (failed: boolean) => void },
  ) {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#map = L.map(container, {
      zoomControl: false,
      attributionControl: false,
      zoomSnap: 0.25,
      minZoom: zoomMin,
      maxZoom: zoomMax,
      zoomAnimation: !isCalm,
      fadeAnimation: !isCalm,
      inertia: !isCalm,
    });
    this.#map.fitBounds(homeBounds, { animate: false });
    this.#basemap = new BasemapLayer(ownBasemap, {
      language: () => options.language,
      obstacles: () => [],
      onTrouble: options.onTrouble,
      onReady: () => this.#basemap.paint(),
    });
    this.#basemap.addTo(this.#map);
    const icon = L.divIcon({ className: 'position-mark', iconSize: [28, 36], iconAnchor: [14, 34], html: markSvg });
    this.#mark = L.marker([0, 0], { icon, draggable: true, keyboard: false });
    const pick = ({ lat, lng }: L.LatLng) => options.onPick({ longitude: rounded(lng), latitude: rounded(lat) });
    this.#map.on('click', ({ latlng }) => pick(latlng));
    this.#map.on('moveend', () => this.#basemap.paint());
    this.#mark.on('dragend', () => pick(this.#mark.getLatLng()));
  }

  /** Moves the mark to a place and brings it into view; null removes it. */
  show(position: Position | null): void {
    if (position === null) {
      this.#mark.remove();
      return;
    }
    const at = L.latLng(position.latitude, position.longitude);
    this.#mark.setLatLng(at).addTo(this.#map);
    if (!this.#map.getBounds().contains(at)) this.lookAt(position, placeZoom);
  }

  lookAt({ longitude, latitude }: Position, zoom: number): void {
    this.#map.setView([latitude, longitude], Math.max(zoom, this.#map.getZoom()), { animate: false });
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
