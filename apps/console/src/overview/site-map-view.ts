import { levelOf, type RegionCode, type RegionLanguage, regionView } from '@voltdeck/regions/regions';
import * as L from 'leaflet';
import type { BasemapFiles, Division, GeoBox } from '../ui/map/basemap.ts';
import { BasemapLayer } from '../ui/map/basemap-layer.ts';
import type { Box } from '../ui/map/site-map-labels.ts';
import { addTiles } from '../ui/map/tiles.ts';
import type { TileSource } from '../ui/map/use-map-tiles.ts';
import { type AskedIndex, openSiteIndex } from './ask-site-index.ts';
import { type ToPicture, toPictureOf } from './map-datum.ts';
import { type Spot, spotTowards } from './site-map-keys.ts';
import { clusterSizePx, clusterTip, drawCluster, drawSite, type SiteMarkForm, siteTip } from './site-map-marks.ts';
import { clusterZoomMax, haveSamePlaces, type SiteMark } from './site-map-places.ts';
import { type SiteOnMap, tallySites } from './site-map-states.ts';
import type { SiteMapLabels } from './site-map-words.ts';

/** A view that the map can return to. */
export interface SavedView {
  longitude: number;
  latitude: number;
  zoom: number;
}

export interface SiteMapHooks {
  onSelect: (id: number) => void;
  onRegionSelect: (code: RegionCode) => void;
  /** Sites on one spot, or null when their list should close. */
  onStack: (sites: readonly SiteOnMap[] | null) => void;
  onTrouble: (failed: boolean) => void;
  /** Tiles failed to load. */
  onTilesFailed: () => void;
  /** Whether the view is too far north to show the islands of the South China Sea. */
  onInset: (needed: boolean) => void;
}

export interface SiteMapScene {
  sites: readonly SiteOnMap[];
  selectedId: number | null;
  labels: SiteMapLabels;
  language: RegionLanguage;
}

/** The country from the Pamir to the Ussuri, and from Hainan to the Amur. */
const homeBox: GeoBox = { west: 73.4, south: 17.8, east: 135.2, north: 53.7 };

/** South of this the islands of the South China Sea are in view. */
const southernmost = 3.6;

const zoomMin = 2;
const offlineZoomMax = 16;

/** From this zoom on a single site shows its ports. */
const portsFromZoom = 9;

/** Half the width of a mark that shows its ports, about. */
const portsHalfWidthPx = 30;

/** A site chosen elsewhere is shown from at least this zoom. */
const siteZoom = 11;

/** Maximum number of marks; as many as fit on a screen at the distance that clusters keep. */
const marksMax = 600;

/** How far beyond the view marks are drawn, as a fraction of it, so that a short drag finds them in place. */
const marksMargin = 0.2;

/** How far a tooltip stands above its mark; a chosen mark itself stands above its place. */
const tipOffset = L.point(0, -16);
const chosenTipOffset = L.point(0, -40);

interface Drawn {
  mark: SiteMark;
  marker: L.Marker;
  button: HTMLButtonElement;
  signature: string;
}

/** The map outside React, which passes in what to show and receives what the user does. */
export class SiteMapView {
  readonly #map: L.Map;
  readonly #hooks: SiteMapHooks;
  readonly #basemap: BasemapLayer | null;
  readonly #isCalm: boolean;
  readonly #drawn = new Map<string, Drawn>();
  readonly #watchers: (() => void)[] = [];
  readonly #toPicture: ToPicture;
  #scene: SiteMapScene;
  #indexedSites: readonly SiteOnMap[] = [];
  readonly #index: AskedIndex = openSiteIndex();
  /** The marks of the view as last answered, of these positions. */
  #marks: readonly SiteMark[] = [];
  #marksAsked = 0;
  /** The marks on the map are those of earlier positions. */
  #isOutdated = false;
  /** A site that is to be shown once the marks are known. */
  #revealSoon: number | null = null;
  #stopKey: string | null = null;
  #focusedRegion: RegionCode | null;
  #awaitsOutline = false;
  #isGone = false;

  constructor(
    container: HTMLElement,
    scene: SiteMapScene,
    hooks: SiteMapHooks,
    options: {
      files: BasemapFiles;
      tiles: TileSource | null;
      /** The view when the map was last on screen. */
      view: SavedView | null;
      focusRegion: RegionCode | null;
    },
  ) {
    this.#scene = scene;
    this.#hooks = hooks;
    this.#toPicture = toPictureOf(options.tiles?.datum ?? 'wgs84');
    this.#isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#map = L.map(container, {
      zoomControl: false,
      attributionControl: false,
      zoomSnap: 0.25,
      zoomDelta: 1,
      wheelPxPerZoomLevel: 90,
      minZoom: zoomMin,
      maxZoom: options.tiles?.zoomMax ?? offlineZoomMax,
      maxBounds: [
        [-70, -200],
        [85, 220],
      ],
      zoomAnimation: !this.#isCalm,
      fadeAnimation: !this.#isCalm,
      markerZoomAnimation: !this.#isCalm,
      inertia: !this.#isCalm,
      // The first click of a double click already opens a region.
      doubleClickZoom: false,
    });
    if (options.view) {
      this.#map.setView([options.view.latitude, options.view.longitude], options.view.zoom, { animate: false });
    } else {
      this.#map.fitBounds(latLngsOf(homeBox), { animate: false, padding: [12, 12] });
    }
    this.#basemap = options.tiles === null ? this.#addBasemap(options.files) : null;
    if (options.tiles) addTiles(this.#map, options.tiles, hooks.onTilesFailed);
    this.#watch(container);
    this.#focusedRegion = options.focusRegion;
    this.#basemap?.focus(options.focusRegion);
    if (options.view === null && options.focusRegion !== null) this.#lookAtFocus();
    const isFreeToMove = options.view === null && options.focusRegion === null;
    this.#revealSoon = isFreeToMove ? scene.selectedId : null;
    this.#reindex();
  }

  #addBasemap(files: BasemapFiles): BasemapLayer {
    const basemap = new BasemapLayer(files, {
      language: () => this.#scene.language,
      obstacles: () => this.#markBoxes(),
      onTrouble: (failed) => {
        this.#hooks.onTrouble(failed);
        if (failed && this.#awaitsOutline && this.#focusedRegion !== null) void this.#flyToCentre(this.#focusedRegion);
      },
      onReady: () => this.#onOutlines(),
    });
    basemap.addTo(this.#map);
    this.#map.on('click', ({ containerPoint }) => {
      this.#hooks.onStack(null);
      const division = basemap.divisionAt(containerPoint);
      if (division === null) return;
      if (division.code === this.#focusedRegion) this.#lookAtFocus();
      else this.#hooks.onRegionSelect(division.code);
    });
    this.#map.on('mousemove', ({ containerPoint, originalEvent }) => {
      const onMap = originalEvent.target instanceof Element && originalEvent.target.closest('button') === null;
      const division = onMap ? basemap.divisionAt(containerPoint) : null;
      this.#map.getContainer().classList.toggle('site-map-pointing', division !== null);
      basemap.hover(division?.code ?? null);
    });
    this.#map.on('mouseout zoomstart', () => basemap.hover(null));
    return basemap;
  }

  #watch(container: HTMLElement): void {
    this.#map.on('moveend', () => {
      // Leaflet reports a resize 200 ms later, even after the map was removed.
      if (this.#isGone) return;
      void this.#refresh();
    });
    this.#map.on('zoomstart', () => this.#hooks.onStack(null));
    const size = new ResizeObserver(() => this.#map.invalidateSize({ animate: false }));
    size.observe(container);
    // The theme is an attribute of the page, and the canvas has to be redrawn when it changes.
    const theme = new MutationObserver(() => this.#basemap?.paintSoon());
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
    const onKey = (event: KeyboardEvent) => this.#onKey(event);
    container.addEventListener('keydown', onKey, { capture: true });
    this.#watchers.push(
      () => size.disconnect(),
      () => theme.disconnect(),
      () => container.removeEventListener('keydown', onKey, { capture: true }),
    );
  }

  /** Shows the current scene; cheap when only states changed. */
  update(scene: SiteMapScene): void {
    const before = this.#scene;
    this.#scene = scene;
    const isSame =
      scene.sites === before.sites && scene.selectedId === before.selectedId && scene.language === before.language;
    if (isSame) return;
    if (scene.sites !== before.sites && !haveSamePlaces(scene.sites, this.#indexedSites)) this.#reindex();
    else this.#place();
    if (scene.language !== before.language) this.#basemap?.paintSoon();
    if (scene.selectedId !== before.selectedId && scene.selectedId !== null) this.#reveal(scene.selectedId);
  }

  #reindex(): void {
    if (this.#isGone) return;
    this.#indexedSites = this.#scene.sites;
    const ids: number[] = [];
    const longitudes = new Float64Array(this.#indexedSites.length);
    const latitudes = new Float64Array(this.#indexedSites.length);
    for (const [index, site] of this.#indexedSites.entries()) {
      const [longitude, latitude] = this.#toPicture(site.longitude, site.latitude, site.regionCode);
      ids.push(site.id);
      longitudes[index] = longitude;
      latitudes[index] = latitude;
    }
    this.#index.place({ ids, longitudes, latitudes });
    this.#isOutdated = true;
    void this.#refresh();
  }

  /** Brings a site into view, near enough to stand alone. */
  #reveal(id: number): void {
    const drawn = this.#drawn.get(`s${id}`);
    if (drawn && this.#map.getBounds().pad(-0.05).contains(drawn.marker.getLatLng()) && this.#standsAlone(id)) return;
    const at = this.#positionOf(id);
    if (at) this.#go(at, Math.max(this.#map.getZoom(), siteZoom));
  }

  #standsAlone(id: number): boolean {
    return this.#marks.some(({ key }) => key === `s${id}`);
  }

  #positionOf(id: number): L.LatLng | null {
    const site = this.#scene.sites.find((candidate) => candidate.id === id);
    if (site === undefined) return null;
    const [longitude, latitude] = this.#toPicture(site.longitude, site.latitude, site.regionCode);
    return L.latLng(latitude, longitude);
  }

  zoomBy(steps: number): void {
    this.#map.setZoom(Math.round(this.#map.getZoom() + steps), { animate: !this.#isCalm });
  }

  resetView(): void {
    this.#fly(homeBox, offlineZoomMax);
  }

  /** Zooms to a region and outlines it; null zooms to the whole country. */
  focusRegion(code: RegionCode | null): void {
    if (code === this.#focusedRegion) return;
    this.#focusedRegion = code;
    this.#basemap?.focus(code);
    if (code === null) this.resetView();
    else this.#lookAtFocus();
  }

  /** Uses the centre while a city's outline is being fetched, and for counties, which have none. */
  #lookAtFocus(): void {
    const code = this.#focusedRegion;
    if (code === null) return;
    const division = this.#basemap?.divisionOf(code);
    this.#awaitsOutline = !division;
    const comesSoon = this.#basemap !== null && levelOf(code) === 'province';
    if (division) this.#fly(division.mainBounds, fitZoomMax(division));
    else if (!comesSoon) void this.#flyToCentre(code);
  }

  #onOutlines(): void {
    const code = this.#focusedRegion;
    const division = this.#awaitsOutline && code !== null ? this.#basemap?.divisionOf(code) : null;
    if (!division) return;
    this.#awaitsOutline = false;
    this.#fly(division.mainBounds, fitZoomMax(division));
  }

  async #flyToCentre(code: RegionCode): Promise<void> {
    const { regionTable } = await import('@voltdeck/regions/region-table');
    const view = regionView(regionTable, code);
    const isStillWanted = this.#awaitsOutline && this.#focusedRegion === code && !this.#isGone;
    if (view && isStillWanted) this.#go(L.latLng(view.latitude, view.longitude), view.zoom);
  }

  savedView(): SavedView {
    const { lng, lat } = this.#map.getCenter();
    return { longitude: lng, latitude: lat, zoom: this.#map.getZoom() };
  }

  retry(): void {
    void this.#basemap?.load();
  }

  showInset(canvas: HTMLCanvasElement): void {
    this.#basemap?.showInset(canvas);
  }

  destroy(): void {
    this.#isGone = true;
    for (const stop of this.#watchers) stop();
    this.#index.end();
    this.#map.remove();
  }

  #fly(box: GeoBox, zoomMax: number): void {
    this.#map.flyToBounds(latLngsOf(box), {
      animate: !this.#isCalm,
      duration: 0.6,
      padding: [28, 28],
      maxZoom: zoomMax,
    });
  }

  #go(at: L.LatLng, zoom: number): void {
    if (this.#isCalm) this.#map.setView(at, zoom, { animate: false });
    else this.#map.flyTo(at, zoom, { duration: 0.6 });
  }

  #clear(): void {
    for (const { marker } of this.#drawn.values()) marker.remove();
    this.#drawn.clear();
  }

  /** Asks for the marks of the view; names of regions then avoid them. */
  async #refresh(): Promise<void> {
    const view = this.#map.getBounds();
    const zoom = this.#map.getZoom();
    this.#hooks.onInset(view.getSouth() > southernmost && zoom < 6.5);
    const padded = view.pad(marksMargin);
    const box = { west: padded.getWest(), south: padded.getSouth(), east: padded.getEast(), north: padded.getNorth() };
    this.#marksAsked += 1;
    const asked = this.#marksAsked;
    const marks = await this.#index.marksIn(box, zoom);
    if (asked !== this.#marksAsked || this.#isGone) return;
    if (this.#isOutdated) this.#clear();
    this.#isOutdated = false;
    this.#marks = marks.slice(0, marksMax);
    this.#place();
    this.#basemap?.paintSoon();
    const revealed = this.#revealSoon;
    this.#revealSoon = null;
    if (revealed !== null) this.#reveal(revealed);
  }

  /** Puts the known marks on the map, in their present states. */
  #place(): void {
    if (this.#isOutdated) return;
    const zoom = this.#map.getZoom();
    const marks = new Map(this.#marks.map((mark) => [mark.key, mark]));
    this.#addSelected(marks);
    const focused = this.#keyOf(document.activeElement);
    const focusedAt = focused === null ? null : this.#drawn.get(focused)?.marker.getLatLng();
    for (const [key, { marker }] of this.#drawn) {
      if (marks.has(key)) continue;
      marker.remove();
      this.#drawn.delete(key);
    }
    for (const mark of marks.values()) this.#draw(mark, zoom);
    this.#keepStop(focusedAt ?? null);
    if (focused !== null && !this.#drawn.has(focused)) {
      (this.#drawn.get(this.#stopKey ?? '')?.button ?? this.#map.getContainer()).focus({ preventScroll: true });
    }
  }

  /** The chosen site has its own mark even when its neighbours form a cluster. */
  #addSelected(marks: Map<string, SiteMark>): void {
    const id = this.#scene.selectedId;
    if (id === null || marks.has(`s${id}`)) return;
    const index = this.#scene.sites.findIndex((site) => site.id === id);
    const at = this.#positionOf(id);
    if (index < 0 || at === null) return;
    marks.set(`s${id}`, { kind: 'site', key: `s${id}`, longitude: at.lng, latitude: at.lat, index });
  }

  #draw(mark: SiteMark, zoom: number): void {
    const drawn = this.#drawn.get(mark.key) ?? this.#add(mark);
    drawn.mark = mark;
    const { labels, language, selectedId, sites } = this.#scene;
    if (mark.kind === 'cluster') {
      const tally = tallySites(this.#sitesOf(mark));
      const signature = JSON.stringify([tally, language]);
      if (signature === drawn.signature) return;
      drawn.signature = signature;
      drawCluster(drawn.button, tally, labels, language);
      return;
    }
    const site = sites[mark.index];
    if (site === undefined) return;
    const isChosen = site.id === selectedId;
    const form: SiteMarkForm = isChosen ? 'chosen' : zoom >= portsFromZoom ? 'ports' : 'dot';
    const signature = JSON.stringify([site, form, language]);
    if (signature === drawn.signature) return;
    drawn.signature = signature;
    drawSite(drawn.button, site, form, labels);
    drawn.button.setAttribute('aria-pressed', String(isChosen));
    const tip = drawn.marker.getTooltip();
    if (tip) tip.options.offset = isChosen ? chosenTipOffset : tipOffset;
    drawn.marker.setZIndexOffset(isChosen ? 10_000 : site.state === 'fault' ? 500 : 0);
  }

  #sitesOf(mark: SiteMark): SiteOnMap[] {
    const indexes = mark.kind === 'cluster' ? mark.indexes : [mark.index];
    return indexes.flatMap((index) => this.#scene.sites[index] ?? []);
  }

  #add(mark: SiteMark): Drawn {
    const button = document.createElement('button');
    button.type = 'button';
    button.tabIndex = -1;
    button.dataset.key = mark.key;
    const icon = L.divIcon({ html: button, className: 'site-map-mark', iconSize: [0, 0] });
    const marker = L.marker([mark.latitude, mark.longitude], { icon, keyboard: false, riseOnHover: true });
    const drawn = { mark, marker, button, signature: '' };
    marker.on('click', () => this.#press(drawn));
    marker.bindTooltip(() => this.#tipOf(drawn), {
      direction: 'top',
      className: 'site-map-tip',
      opacity: 1,
      offset: tipOffset,
    });
    button.addEventListener('focus', () => {
      this.#setStop(drawn.mark.key);
      if (button.matches(':focus-visible')) marker.openTooltip();
    });
    button.addEventListener('blur', () => marker.closeTooltip());
    marker.addTo(this.#map);
    this.#drawn.set(mark.key, drawn);
    return drawn;
  }

  #tipOf({ mark }: Drawn): HTMLElement {
    const sites = this.#sitesOf(mark);
    const { labels } = this.#scene;
    const only = mark.kind === 'site' ? sites[0] : undefined;
    return only ? siteTip(only, labels) : clusterTip(tallySites(sites), labels);
  }

  #press({ mark, marker }: Drawn): void {
    marker.closeTooltip();
    const sites = this.#sitesOf(mark);
    if (mark.kind === 'site') {
      const site = sites[0];
      if (site) this.#hooks.onSelect(site.id);
      return;
    }
    const zoom = mark.splitZoom;
    if (zoom > Math.min(clusterZoomMax, this.#map.getMaxZoom())) {
      this.#hooks.onStack(sites);
      return;
    }
    this.#go(L.latLng(mark.latitude, mark.longitude), Math.max(zoom, this.#map.getZoom() + 1));
  }

  /** The areas covered by marks, so that no name is hidden behind one. */
  #markBoxes(): Box[] {
    return [...this.#drawn.values()].map(({ mark, marker }) => {
      const { x, y } = this.#map.latLngToContainerPoint(marker.getLatLng());
      const halfHeight = mark.kind === 'cluster' ? clusterSizePx(mark.indexes.length) / 2 : 13;
      const halfWidth = mark.kind === 'site' && this.#map.getZoom() >= portsFromZoom ? portsHalfWidthPx : halfHeight;
      return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
    });
  }

  #spots(): Spot[] {
    return [...this.#drawn].map(([key, { marker }]) => ({
      key,
      ...xyOf(this.#map.latLngToContainerPoint(marker.getLatLng())),
    }));
  }

  /** All marks are one tab stop; arrow keys move between them. */
  #keepStop(near: L.LatLng | null): void {
    if (this.#stopKey !== null && this.#drawn.has(this.#stopKey)) return;
    const at = this.#map.latLngToContainerPoint(near ?? this.#map.getCenter());
    const nearest = this.#spots().toSorted((one, other) => distance(one, at) - distance(other, at))[0];
    this.#setStop(nearest?.key ?? null);
  }

  #setStop(key: string | null): void {
    const old = this.#stopKey === null ? undefined : this.#drawn.get(this.#stopKey);
    if (old) old.button.tabIndex = -1;
    const next = key === null ? undefined : this.#drawn.get(key);
    if (next) next.button.tabIndex = 0;
    this.#stopKey = key;
  }

  #keyOf(element: Element | null): string | null {
    const key = element instanceof HTMLElement ? element.dataset.key : undefined;
    return key !== undefined && this.#map.getContainer().contains(element) ? key : null;
  }

  #onKey(event: KeyboardEvent): void {
    const key = this.#keyOf(document.activeElement);
    const drawn = key === null ? undefined : this.#drawn.get(key);
    if (drawn === undefined) return;
    if (event.key === 'Escape') {
      drawn.marker.closeTooltip();
      this.#map.getContainer().focus({ preventScroll: true });
      return;
    }
    const spots = this.#spots();
    const from = spots.find((spot) => spot.key === key);
    const next = from && spotTowards(spots, from, event.key);
    if (!event.key.startsWith('Arrow')) return;
    // The arrow would move the map as well.
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    this.#drawn.get(next.key)?.button.focus({ preventScroll: true });
    this.#map.panInside(this.#map.containerPointToLatLng([next.x, next.y]), {
      padding: [48, 48],
      animate: !this.#isCalm,
    });
  }
}

function latLngsOf({ west, south, east, north }: GeoBox): L.LatLngBoundsLiteral {
  return [
    [south, west],
    [north, east],
  ];
}

/** Limits the zoom so that a small city is shown with its surroundings. */
function fitZoomMax({ code }: Division): number {
  return code.endsWith('0000') ? 9 : 11;
}

function xyOf({ x, y }: L.Point): { x: number; y: number } {
  return { x, y };
}

function distance(one: { x: number; y: number }, other: { x: number; y: number }): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
