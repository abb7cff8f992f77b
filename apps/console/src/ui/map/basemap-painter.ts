import type { Position } from 'geojson';
import type { CityShapes, Division, ProvinceShapes, WorldShapes } from './basemap.ts';
import type { PlacedLabel } from './site-map-labels.ts';

/** The width of the world at zoom 0 in pixels, the unit of all points. */
const worldPx = 256;

/** A line or ring in web Mercator at zoom 0: x and y in turn, with its bounding box. */
export interface Trace {
  points: Float64Array;
  west: number;
  north: number;
  east: number;
  south: number;
}

/** Everything that the map draws, ready to be scaled. */
export interface Traces {
  land: readonly Trace[];
  borders: readonly Trace[];
  provinces: OutlineTraces;
  dashes: readonly Trace[];
  islets: readonly Position[];
  cities: CityTraces | null;
}

/** China as areas and as the lines between and around them. */
export interface OutlineTraces {
  areas: readonly Trace[];
  provinceBorders: readonly Trace[];
  frontier: readonly Trace[];
  coast: readonly Trace[];
}

export interface CityTraces extends OutlineTraces {
  cityBorders: readonly Trace[];
}

/** The colours of the map, read from the custom properties of the same names (`--map-land`, ...). */
export const mapColours = [
  'land',
  'abroad',
  'abroad-border',
  'border',
  'coast',
  'province-border',
  'city-border',
  'label',
  'halo',
  'hover',
  'focus',
  'focus-border',
] as const;
export type MapColours = Readonly<Record<(typeof mapColours)[number], string>>;

/** Which part of the world is drawn where on a canvas. */
export interface Frame {
  context: CanvasRenderingContext2D;
  /** Canvas pixels for one unit of the world at zoom 0. */
  scale: number;
  /** The world's unit at the canvas's left and top edge, times `scale`. */
  left: number;
  top: number;
  width: number;
  height: number;
}

/** How widely gaps along the frontier are filled, degrees. */
const neighbourGap = 0.6;

/** How widely slits between separately drawn cities are filled, degrees. */
const citySlit = 0.008;

/** Points closer than this to the previous one are skipped. */
const stepPx = 0.8;

export function mercator([longitude = 0, latitude = 0]: Position): [x: number, y: number] {
  const bounded = Math.max(-85.0511, Math.min(85.0511, latitude));
  const sine = Math.sin((bounded * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [((longitude + 180) / 360) * worldPx, y * worldPx];
}

export function traceOf(line: readonly Position[]): Trace {
  const points = new Float64Array(line.length * 2);
  let [west, north, east, south] = [worldPx, worldPx, 0, 0];
  for (const [index, position] of line.entries()) {
    const [x, y] = mercator(position);
    points[index * 2] = x;
    points[index * 2 + 1] = y;
    west = Math.min(west, x);
    east = Math.max(east, x);
    north = Math.min(north, y);
    south = Math.max(south, y);
  }
  return { points, west, north, east, south };
}

export function tracesOfDivision({ polygons }: Division): Trace[] {
  return polygons.flat().map(traceOf);
}

export function tracesOf(world: WorldShapes, provinces: ProvinceShapes): Omit<Traces, 'cities'> {
  return {
    land: world.land.coordinates.flat().map(traceOf),
    borders: world.borders.coordinates.map(traceOf),
    provinces: outlinesOf(provinces),
    dashes: provinces.dashes.coordinates.flat().map(traceOf),
    islets: provinces.islets.coordinates.map((point) => mercator(point)),
  };
}

export function tracesOfCities(cities: CityShapes): CityTraces {
  return { ...outlinesOf(cities), cityBorders: cities.cityBorders.coordinates.map(traceOf) };
}

function outlinesOf({ divisions, provinceBorders, frontier, coast }: ProvinceShapes | CityShapes): OutlineTraces {
  return {
    areas: divisions.flatMap(tracesOfDivision),
    provinceBorders: provinceBorders.coordinates.map(traceOf),
    frontier: frontier.coordinates.map(traceOf),
    coast: coast.coordinates.map(traceOf),
  };
}

/** Highlighted parts of the map. */
export interface Emphasis {
  hovered: readonly Trace[];
  focused: readonly Trace[];
}

/**
 * Draws land, borders, dashes and islets; the sea is the background.
 *
 * @param withCities whether to draw city outlines instead of province outlines
 */
export function paintLand(frame: Frame, traces: Traces, colours: MapColours, emphasis: Emphasis, withCities: boolean) {
  const cities = withCities ? traces.cities : null;
  const china = cities ?? traces.provinces;
  fill(frame, traces.land, colours.abroad, 'evenodd');
  stroke(frame, traces.borders, colours['abroad-border'], 0.8);
  // The neighbours are drawn less precisely than China: without this, sea would show between them.
  stroke(frame, china.frontier, colours.abroad, neighbourGap * (worldPx / 360) * frame.scale);
  fill(frame, china.areas, colours.land, 'nonzero');
  if (cities) {
    const slitPx = citySlit * (worldPx / 360) * frame.scale;
    stroke(frame, cities.cityBorders, colours.land, slitPx);
    stroke(frame, cities.provinceBorders, colours.land, slitPx);
  }
  stroke(frame, china.provinceBorders, colours['province-border'], cities ? 1.2 : 0.9);
  stroke(frame, china.coast, colours.coast, 0.9);
  stroke(frame, china.frontier, colours.border, 1.3);
  if (emphasis.focused.length > 0) {
    // Filling over the stroke leaves only its outer half: one outline around an area made of cities.
    stroke(frame, emphasis.focused, colours['focus-border'], 3.6);
    fill(frame, emphasis.focused, colours.land, 'nonzero');
    fill(frame, emphasis.focused, colours.focus, 'nonzero');
  }
  fill(frame, emphasis.hovered, colours.hover, 'nonzero');
  if (cities) stroke(frame, cities.cityBorders, colours['city-border'], 0.8);
  fill(frame, traces.dashes, colours.border, 'evenodd');
  stroke(frame, traces.dashes, colours.border, 1);
  paintIslets(frame, traces.islets, colours.border);
}

/** Names with a halo in the land's colour, in the context's font. */
export function paintLabels({ context }: Frame, labels: readonly PlacedLabel[], colours: MapColours) {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = colours.halo;
  context.fillStyle = colours.label;
  for (const { text, x, y } of labels) {
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
}

function paintIslets({ context, scale, left, top, width, height }: Frame, islets: readonly Position[], colour: string) {
  context.fillStyle = colour;
  for (const [longitude = 0, latitude = 0] of islets) {
    const x = longitude * scale - left;
    const y = latitude * scale - top;
    if (x < 0 || y < 0 || x > width || y > height) continue;
    context.fillRect(x - 0.75, y - 0.75, 1.5, 1.5);
  }
}

function fill(frame: Frame, traces: readonly Trace[], colour: string, rule: CanvasFillRule) {
  drawPath(frame, traces);
  frame.context.fillStyle = colour;
  frame.context.fill(rule);
}

function stroke(frame: Frame, traces: readonly Trace[], colour: string, widthPx: number) {
  drawPath(frame, traces);
  frame.context.strokeStyle = colour;
  frame.context.lineWidth = widthPx;
  frame.context.lineJoin = 'round';
  frame.context.stroke();
}

/**
 * Adds the visible parts to a new path. Computes pixels itself, since the context's own scaling is too coarse at high
 * zoom.
 */
function drawPath({ context, scale, left, top, width, height }: Frame, traces: readonly Trace[]) {
  context.beginPath();
  for (const trace of traces) {
    if (trace.east * scale < left || trace.west * scale > left + width) continue;
    if (trace.south * scale < top || trace.north * scale > top + height) continue;
    const { points } = trace;
    let lastX = (points[0] ?? 0) * scale - left;
    let lastY = (points[1] ?? 0) * scale - top;
    context.moveTo(lastX, lastY);
    const end = points.length - 2;
    for (let index = 2; index <= end; index += 2) {
      const x = (points[index] ?? 0) * scale - left;
      const y = (points[index + 1] ?? 0) * scale - top;
      if (index < end && Math.abs(x - lastX) < stepPx && Math.abs(y - lastY) < stepPx) continue;
      context.lineTo(x, y);
      lastX = x;
      lastY = y;
    }
  }
}
