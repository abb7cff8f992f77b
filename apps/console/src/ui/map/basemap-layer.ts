import { provinceOf, provinceShortName } from '@voltdeck/regions/provinces';
import { isWithin, levelOf, parentCodeOf, type RegionLanguage } from '@voltdeck/regions/regions';
import * as L from 'leaflet';
import {
  type BasemapFiles,
  type CityShapes,
  type Division,
  divisionAt,
  loadCities,
  loadProvinces,
  loadWorld,
  type ProvinceShapes,
} from './basemap.ts';
import {
  type Emphasis,
  type Frame,
  type MapColours,
  mapColours,
  mercator,
  paintLabels,
  paintLand,
  type Traces,
  tracesOf,
  tracesOfCities,
  tracesOfDivision,
} from './basemap-painter.ts';
import { type Box, boxHolds, type LabelWish, type PlacedLabel, placeLabels } from './site-map-labels.ts';

/** The zoom from which city outlines are fetched and drawn. */
export const citiesFromZoom = 6;

/** The zoom from which cities are named instead of provinces. */
const cityNamesFromZoom = 6.4;

/**
 * How far the canvas extends beyond the view on each side, as a share of it, so that a short drag shows no blank edge.
 */
const marginShare = 0.25;

const labelPx = 12;

/** The area of the inset: from Hainan and the south of Taiwan to Zengmu Ansha. */
const insetBox = { west: 105.2, south: 2.2, east: 124, north: 24.6 };
const insetWidthPx = 96;

export interface BasemapHooks {
  language: () => RegionLanguage;
  /** Boxes that names must not cover, in view pixels. */
  obstacles: () => readonly Box[];
  onTrouble: (failed: boolean) => void;
  /** Called when more outlines are loaded: provinces first, cities when first needed. */
  onReady: () => void;
}

/**
 * The offline map: one canvas that follows the view and is redrawn whenever the view leaves it. Leaflet's own vector
 * layers redraw only when a drag ends and leave blank edges until then. After a move the owner places the marks, which
 * names must avoid, and then calls `paint`.
 */
export class BasemapLayer extends L.Layer {
  readonly #hooks: BasemapHooks;
  readonly #files: BasemapFiles;
  readonly #abort = new AbortController();
  readonly #canvas = L.DomUtil.create('canvas', 'site-map-land leaflet-zoom-animated');
  readonly #tracesByCode = new Map<string, Emphasis['focused']>();
  #map: L.Map | null = null;
  #provinces: ProvinceShapes | null = null;
  #cities: CityShapes | null = null;
  #citiesAsked = false;
  #traces: Traces | null = null;
  #labels: readonly PlacedLabel[] = [];
  #hoveredCode: string | null = null;
  #focusedCode: string | null = null;
  /** The drawn area, in pixels at the drawn zoom. */
  #painted = { origin: L.point(0, 0), size: L.point(0, 0), margin: L.point(0, 0), zoom: 0 };
  #waiting = 0;
  #inset: HTMLCanvasElement | null = null;
  #insetColours = '';

  constructor(files: BasemapFiles, hooks: BasemapHooks) {
    super();
    this.#files = files;
    this.#hooks = hooks;
    this.#canvas.setAttribute('aria-hidden', 'true');
  }

  override onAdd(map: L.Map): this {
    this.#map = map;
    map.getPane('tilePane')?.append(this.#canvas);
    void this.load();
    this.paint();
    return this;
  }

  override onRemove(): this {
    this.#abort.abort();
    cancelAnimationFrame(this.#waiting);
    this.#canvas.remove();
    this.#map = null;
    return this;
  }

  override getEvents(): Record<string, L.LeafletEventHandlerFn> {
    return {
      viewreset: () => this.paint(),
      resize: () => this.paint(),
      zoom: () => this.paint(),
      move: () => this.#followDrag(),
      zoomanim: (event) => this.#followZoom(event as L.ZoomAnimEvent),
    };
  }

  /** Loads missing outlines; called again to retry. */
  async load(): Promise<void> {
    this.#hooks.onTrouble(false);
    try {
      const [world, provinces] = await Promise.all([
        loadWorld(this.#files.world, this.#abort.signal),
        loadProvinces(this.#files.provinces, this.#abort.signal),
      ]);
      this.#provinces = provinces;
      this.#traces = { ...tracesOf(world, provinces), cities: null };
      this.paint();
      this.#hooks.onReady();
    } catch (trouble) {
      if (this.#abort.signal.aborted) return;
      console.warn('base map', trouble);
      this.#hooks.onTrouble(true);
    }
  }

  async #loadCities(): Promise<void> {
    this.#citiesAsked = true;
    try {
      this.#cities = await loadCities(this.#files.cities, this.#abort.signal);
      this.#tracesByCode.clear();
      if (this.#traces) this.#traces = { ...this.#traces, cities: tracesOfCities(this.#cities) };
      this.paint();
      this.#hooks.onReady();
    } catch (trouble) {
      if (this.#abort.signal.aborted) return;
      // The provinces stay on screen; the next move tries again.
      console.warn('base map, cities', trouble);
      this.#citiesAsked = false;
    }
  }

  /** Schedules one redraw, however often it is called. */
  paintSoon(): void {
    cancelAnimationFrame(this.#waiting);
    this.#waiting = requestAnimationFrame(() => this.paint());
  }

  paint(): void {
    const map = this.#map;
    if (map === null) return;
    cancelAnimationFrame(this.#waiting);
    const zoom = map.getZoom();
    if (zoom >= citiesFromZoom && this.#traces && !this.#citiesAsked) void this.#loadCities();
    const margin = map.getSize().multiplyBy(marginShare).round();
    const size = map.getSize().add(margin.multiplyBy(2));
    const corner = map.containerPointToLayerPoint(margin.multiplyBy(-1)).round();
    const origin = map.getPixelOrigin().add(corner);
    this.#painted = { origin, size, margin, zoom };
    const context = prepare(this.#canvas, size);
    if (context === null) return;
    L.DomUtil.setTransform(this.#canvas, corner, 1);
    const frame = { context, scale: 2 ** zoom, left: origin.x, top: origin.y, width: size.x, height: size.y };
    const colours = coloursOf(map.getContainer());
    const emphasis = {
      hovered: this.#areaOf(this.#hoveredCode),
      focused: this.#focusedArea(),
    };
    if (this.#traces === null) return;
    paintLand(frame, this.#traces, colours, emphasis, zoom >= citiesFromZoom);
    context.font = `${labelPx}px ${getComputedStyle(map.getContainer()).fontFamily}`;
    this.#labels = this.#placeNames(frame, zoom);
    paintLabels(frame, this.#labels, colours);
    this.#paintInset(colours);
  }

  /** Draws a small map of the South China Sea for views that do not reach it, as printed maps do. */
  showInset(canvas: HTMLCanvasElement): void {
    this.#inset = canvas;
    this.#insetColours = '';
    this.paintSoon();
  }

  #paintInset(colours: MapColours): void {
    const key = JSON.stringify(colours);
    if (this.#inset === null || this.#traces === null || key === this.#insetColours) return;
    this.#insetColours = key;
    const [west, north] = mercator([insetBox.west, insetBox.north]);
    const [east, south] = mercator([insetBox.east, insetBox.south]);
    const scale = insetWidthPx / (east - west);
    const size = L.point(insetWidthPx, Math.round((south - north) * scale));
    const context = prepare(this.#inset, size);
    if (context === null) return;
    const frame = { context, scale, left: west * scale, top: north * scale, width: size.x, height: size.y };
    paintLand(frame, this.#traces, colours, { hovered: [], focused: [] }, false);
  }

  /** The division at a point of the view, by its name or its area: a city where cities are named, else a province. */
  divisionAt(at: L.Point): Division | null {
    const map = this.#map;
    if (map === null) return null;
    const divisions = this.#namedDivisions(map.getZoom());
    const x = at.x + this.#painted.margin.x;
    const y = at.y + this.#painted.margin.y;
    const label = this.#labels.find(({ box }) => boxHolds(box, x, y));
    if (label) return divisions.find(({ code }) => code === label.code) ?? null;
    const { lng, lat } = map.containerPointToLatLng(at);
    return divisionAt(divisions, lng, lat);
  }

  /** The outline of a province or city, once loaded. */
  divisionOf(code: string): Division | null {
    const all = [...(this.#provinces?.divisions ?? []), ...(this.#cities?.divisions ?? [])];
    return all.find((division) => division.code === code) ?? null;
  }

  hover(code: string | null): void {
    if (code === this.#hoveredCode) return;
    this.#hoveredCode = code;
    this.paintSoon();
  }

  focus(code: string | null): void {
    if (code === this.#focusedCode) return;
    this.#focusedCode = code;
    this.paintSoon();
  }

  #followDrag(): void {
    const map = this.#map;
    if (map === null || map.getZoom() !== this.#painted.zoom) return;
    const corner = map.getPixelOrigin().add(map.containerPointToLayerPoint([0, 0]));
    const { origin, size } = this.#painted;
    const far = corner.add(map.getSize());
    const covered =
      corner.x >= origin.x && corner.y >= origin.y && far.x <= origin.x + size.x && far.y <= origin.y + size.y;
    if (!covered) this.paint();
  }

  #followZoom({ center, zoom }: L.ZoomAnimEvent): void {
    const map = this.#map;
    if (map === null) return;
    const scale = map.getZoomScale(zoom, this.#painted.zoom);
    const pane = map.getPane('mapPane');
    const dragged = pane ? L.DomUtil.getPosition(pane) : L.point(0, 0);
    const nextOrigin = map.project(center, zoom).subtract(map.getSize().divideBy(2)).add(dragged).round();
    const corner = this.#painted.origin.multiplyBy(scale).subtract(nextOrigin);
    L.DomUtil.setTransform(this.#canvas, corner, scale);
  }

  /** Counties have no outline here; that of their city is shown. */
  #focusedArea(): Emphasis['focused'] {
    const code = this.#focusedCode;
    const area = this.#areaOf(code);
    return code !== null && area.length === 0 ? this.#areaOf(parentCodeOf(code)) : area;
  }

  /** The area of a division; a province is made of its cities where those are drawn. */
  #areaOf(code: string | null): Emphasis['focused'] {
    if (code === null || this.#map === null) return [];
    const isFine = this.#cities !== null && this.#map.getZoom() >= citiesFromZoom;
    const key = `${code} ${isFine}`;
    const known = this.#tracesByCode.get(key);
    if (known) return known;
    const cities = isFine ? (this.#cities?.divisions ?? []) : [];
    const parts = levelOf(code) === 'province' ? cities.filter((city) => isWithin(city.code, code)) : [];
    const division = this.divisionOf(code);
    const area = parts.length > 0 ? parts : division ? [division] : [];
    const traces = area.flatMap(tracesOfDivision);
    // Missing traces may still be loading.
    if (traces.length > 0) this.#tracesByCode.set(key, traces);
    return traces;
  }

  #namedDivisions(zoom: number): readonly Division[] {
    if (zoom >= cityNamesFromZoom && this.#cities) return this.#cities.divisions;
    return this.#provinces?.divisions ?? [];
  }

  #placeNames(frame: Frame, zoom: number): PlacedLabel[] {
    const language = this.#hooks.language();
    const { margin } = this.#painted;
    const wishes = this.#namedDivisions(zoom)
      .toSorted((one, other) => other.size - one.size)
      .flatMap((division): LabelWish[] => {
        const text = nameOf(division, language);
        const [x, y] = mercator(division.label);
        const wish = { code: division.code, text, x: x * frame.scale - frame.left, y: y * frame.scale - frame.top };
        if (text === '' || !boxHolds(frameBox(frame), wish.x, wish.y)) return [];
        const width = frame.context.measureText(text).width;
        const spanPx = (((division.bounds.east - division.bounds.west) / 360) * 256 * frame.scale) / width;
        return spanPx < roomMin(zoom) ? [] : [{ ...wish, width, height: labelPx }];
      });
    const obstacles = this.#hooks.obstacles().map((box) => ({
      left: box.left + margin.x,
      right: box.right + margin.x,
      top: box.top + margin.y,
      bottom: box.bottom + margin.y,
    }));
    return placeLabels(wishes, obstacles, frameBox(frame));
  }
}

/** The minimum width of a division relative to its name. Small provinces are named as well. */
function roomMin(zoom: number): number {
  return zoom < 4.5 ? 0.75 : zoom < cityNamesFromZoom ? 0.2 : 0.9;
}

function nameOf(division: Division, language: RegionLanguage): string {
  if (division.zh !== undefined && division.en !== undefined) return language === 'zh-CN' ? division.zh : division.en;
  const province = provinceOf(division.code);
  return province ? provinceShortName(province, language) : '';
}

function frameBox({ width, height }: Frame): Box {
  return { left: 0, top: 0, right: width, bottom: height };
}

function coloursOf(container: HTMLElement): MapColours {
  const style = getComputedStyle(container);
  return Object.fromEntries(
    mapColours.map((name) => [name, style.getPropertyValue(`--map-${name}`).trim()]),
  ) as MapColours;
}

/** Sizes a canvas for device pixels and clears it. Null if the browser has no canvas left. */
function prepare(canvas: HTMLCanvasElement, size: L.Point): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(size.x * ratio);
  canvas.height = Math.round(size.y * ratio);
  canvas.style.width = `${size.x}px`;
  canvas.style.height = `${size.y}px`;
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}
