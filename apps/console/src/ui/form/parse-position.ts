import { chinaBounds } from '@voltdeck/contract/sites';
import type { Point } from '@voltdeck/regions/datum';

/** What a pasted text says: a point, coordinates that cannot be one, or nothing that looks like coordinates. */
export type ParsedPosition = { kind: 'point'; point: Point } | { kind: 'nonsense' } | { kind: 'none' };

type Axis = keyof Point;
type Angle = { axis: Axis | null; degrees: number };

const axisWords: readonly (readonly [word: RegExp, axis: Axis])[] = [
  [/^(?:北纬|南纬|纬度|latitude|lat|北|南|n|s)$/i, 'latitude'],
  [/^(?:东经|西经|经度|longitude|long|lng|lon|东|西|e|w)$/i, 'longitude'],
];
const negative = /^(?:南纬|西经|南|西|s|w)$/i;

const word = /北纬|南纬|东经|西经|纬度|经度|latitude|longitude|long|lat|lng|lon|[nsew]|北|南|东|西/.source;
const number =
  /(?<sign>[-+])?(?<degrees>\d{1,3}(?:\.\d+)?)(?:\s*[°度](?:\s*(?<minutes>\d{1,2}(?:\.\d+)?)\s*['分](?:\s*(?<seconds>\d{1,2}(?:\.\d+)?)\s*["秒])?)?)?/
    .source;
/** Degrees, or degrees, minutes and seconds, with the word for the axis before or after them. */
const angleAfterWord = new RegExp(`(?<word>${word})\\s*[:=]?\\s*${number}`, 'giu');
const angleBeforeWord = new RegExp(`${number}\\s*(?<word>(?:${word})(?![a-z]))?`, 'giu');
const beginsWithWord = new RegExp(`^[([]?(?:${word})`, 'iu');

function axisOf(named: string | undefined): Axis | null {
  return axisWords.find(([known]) => named !== undefined && known.test(named))?.[1] ?? null;
}

/** Full-width digits and the many signs for minutes, seconds and minus become one each. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[′’‘]/g, "'")
    .replaceAll(/[″”“]|''/g, '"')
    .replaceAll('−', '-')
    .replaceAll('º', '°');
}

function angleOf({ groups = {} }: RegExpExecArray): Angle | null {
  const { word: named, sign, degrees = '', minutes = '0', seconds = '0' } = groups;
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return null;
  const isNegative = sign === '-' || (named !== undefined && negative.test(named));
  const whole = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return { axis: axisOf(named), degrees: isNegative ? -whole : whole };
}

const isWithin = (degrees: number, least: number, most: number) => degrees >= least && degrees <= most;

/** Which of two bare angles is the longitude: in China it is the larger one, elsewhere latitude comes first. */
function inOrder(first: number, second: number): Point {
  const { west, east, south, north } = chinaBounds;
  const isEastFirst = Math.abs(first) > 90 || (isWithin(first, west, east) && isWithin(second, south, north));
  return isEastFirst ? { longitude: first, latitude: second } : { longitude: second, latitude: first };
}

function pointOf(first: Angle, second: Angle): Point | null {
  if (first.axis === null && second.axis === null) return inOrder(first.degrees, second.degrees);
  if (first.axis === second.axis) return null;
  const isEastFirst = first.axis === 'longitude' || second.axis === 'latitude';
  const [east, north] = isEastFirst ? [first, second] : [second, first];
  return { longitude: east.degrees, latitude: north.degrees };
}

/**
 * Reads coordinates as maps and people write them: "22.5431, 113.9305", "113.9305,22.5431", "北纬22°32′35″ 东经113°55′50″",
 * "22.5431°N 113.9305°E".
 */
export function parsePosition(text: string): ParsedPosition {
  const given = plain(text).trim();
  const angle = beginsWithWord.test(given) ? angleAfterWord : angleBeforeWord;
  const matches = [...given.matchAll(angle)];
  const rest = given.replaceAll(angle, '').replaceAll(/[\s,;、/()[\]]/g, '');
  if (matches.length === 0 || rest !== '') return { kind: 'none' };
  const [first, second, ...others] = matches.map(angleOf);
  if (others.length > 0) return { kind: 'nonsense' };
  // A single number is the beginning of what is being typed.
  if (second === undefined) return { kind: 'none' };
  if (first === null || first === undefined || second === null) return { kind: 'nonsense' };
  const point = pointOf(first, second);
  if (point === null || !isWithin(point.longitude, -180, 180) || !isWithin(point.latitude, -90, 90)) {
    return { kind: 'nonsense' };
  }
  return { kind: 'point', point };
}
