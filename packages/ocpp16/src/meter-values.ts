/** The part of translation that reads meter values (OCPP 1.6, section 7.33): sampled values -> readings. */
import { leaveOutImpossible } from '@voltdeck/charging/meter-limits';
import type { Reading } from '@voltdeck/charging/reading';
import { milliamperes, millivolts, wattHours, watts } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import { readThousandths, roundThousandths } from './decimal.ts';
import { isPayload, type Payload } from './frame.ts';
import { timesOf } from './station-time.ts';

/**
 * One reading for each meter value with something that we keep; broken values are left out without spoiling others.
 * Neighbours with the same usable time are one reading. A reading with an unusable time gets `now`, the time of
 * receipt. Unusable values are added to `unusable`. `endedAt` is the time of the message that contains them.
 */
export function toReadings(
  meterValues: readonly unknown[],
  now: Instant,
  unusable: string[] = [],
  endedAt?: unknown,
): Reading[] {
  const timeOf = timesOf(now, () => [
    endedAt,
    ...meterValues.map((meterValue) => (isPayload(meterValue) ? meterValue.timestamp : undefined)).reverse(),
  ]);
  const readings: Reading[] = [];
  let lastTime: Instant | undefined;
  for (const meterValue of meterValues) {
    if (!isPayload(meterValue) || !Array.isArray(meterValue.sampledValue)) continue;
    const time = timeOf(meterValue.timestamp);
    const reading = toReading(meterValue.sampledValue, time ?? now, unusable);
    if (reading === null) continue;
    const last = readings[readings.length - 1];
    if (last !== undefined && time !== undefined && time === lastTime) Object.assign(last, reading);
    else readings.push(reading);
    lastTime = time;
  }
  return readings;
}

type Field = 'energy' | 'power' | 'current' | 'voltage' | 'soc' | TemperatureField;
type TemperatureField = 'vehicleTemperature' | 'cableTemperature' | 'ambientTemperature';

/** Looks names up as the standard spells them, otherwise ignoring case: stations write KWH and kwh. */
class Names<Value> {
  readonly #exact: ReadonlyMap<unknown, Value>;
  readonly #lower: ReadonlyMap<string, Value>;

  constructor(names: Readonly<Record<string, Value>>) {
    const entries = Object.entries(names);
    this.#exact = new Map(entries);
    this.#lower = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  }

  get(name: unknown): Value | undefined {
    const value = this.#exact.get(name);
    if (value !== undefined || typeof name !== 'string') return value;
    return this.#lower.get(name.trim().toLowerCase());
  }
}

/** The measurands that we keep. Export, interval, reactive and offered values are in the interaction log only. */
const fieldOf = new Names<Exclude<Field, TemperatureField> | 'temperature'>({
  'Energy.Active.Import.Register': 'energy',
  'Power.Active.Import': 'power',
  'Current.Import': 'current',
  Voltage: 'voltage',
  SoC: 'soc',
  Temperature: 'temperature',
});

/** Where a temperature was measured. The standard means the station's inside where a sample names no location. */
const temperatureFieldOf = new Names<TemperatureField>({
  EV: 'vehicleTemperature',
  Cable: 'cableTemperature',
  Outlet: 'cableTemperature',
  Body: 'ambientTemperature',
  Inlet: 'ambientTemperature',
});

/** From thousandths of the unit on the wire to thousandths of ours. */
type Scale = { powerOfTen: number; toOurs?: (thousandths: number) => number };

const temperatureScales = new Names<Scale>({
  Celsius: { powerOfTen: 0 },
  Celcius: { powerOfTen: 0 },
  Fahrenheit: { powerOfTen: 0, toOurs: (thousandths) => ((thousandths - 32_000) * 5) / 9 },
  K: { powerOfTen: 0, toOurs: (thousandths) => thousandths - 273_150 },
});

/** Only the standard's units: others are not guessed. */
const scaleOf: Readonly<Record<Field, Names<Scale>>> = {
  energy: new Names({ Wh: { powerOfTen: 0 }, kWh: { powerOfTen: 3 } }),
  power: new Names({ W: { powerOfTen: 0 }, kW: { powerOfTen: 3 } }),
  current: new Names({ A: { powerOfTen: 3 } }),
  voltage: new Names({ V: { powerOfTen: 3 } }),
  soc: new Names({ Percent: { powerOfTen: 0 } }),
  vehicleTemperature: temperatureScales,
  cableTemperature: temperatureScales,
  ambientTemperature: temperatureScales,
};

/** The standard names Wh as the default of energy; stations without a unit for others mean the plain one. */
const defaultUnit: Readonly<Record<Field, string>> = {
  energy: 'Wh',
  power: 'W',
  current: 'A',
  voltage: 'V',
  soc: 'Percent',
  vehicleTemperature: 'Celsius',
  cableTemperature: 'Celsius',
  ambientTemperature: 'Celsius',
};

/** 0 to 2: a phase (against neutral or unspecified); 3 to 5: between phases; neutral and unknown phases are ignored. */
const phaseSlot = new Names<number>({
  L1: 0,
  L2: 1,
  L3: 2,
  'L1-N': 0,
  'L2-N': 1,
  'L3-N': 2,
  'L1-L2': 3,
  'L2-L3': 4,
  'L3-L1': 5,
});

/**
 * The samples of one field, in thousandths of our unit; NaN marks an unusable value. `rank` orders competing samples:
 * the outlet before other locations, and everything before a Transaction.Begin that shares a time with later values. A
 * higher rank replaces lower ones.
 */
type Channel = { rank: number; total: number | undefined; phases: (number | undefined)[] | undefined };

function toReading(sampledValues: readonly unknown[], at: Instant, unusable: string[]): Reading | null {
  const channels: Partial<Record<Field, Channel>> = {};
  let signedData: string | undefined;
  let anything = false;
  for (const sample of sampledValues) {
    if (!isPayload(sample)) continue;
    if (sample.format === 'SignedData') {
      if (typeof sample.value === 'string') signedData = sample.value.replaceAll('\0', '');
      continue;
    }
    const known = fieldOf.get(sample.measurand ?? 'Energy.Active.Import.Register');
    if (known === undefined) continue;
    const field = known === 'temperature' ? (temperatureFieldOf.get(sample.location) ?? 'ambientTemperature') : known;
    note(channels, field, sample, unusable);
    anything = true;
  }
  if (!anything && signedData === undefined) return null;
  const reading: Reading = { at };
  const energy = sumOf(channels.energy);
  if (energy !== null) reading.energyWh = wattHours(energy);
  const power = sumOf(channels.power);
  if (power !== null) reading.powerW = watts(power);
  const current = sumOf(channels.current);
  if (current !== null) reading.currentMa = milliamperes(current);
  const voltage = meanOf(channels.voltage);
  if (voltage !== null) reading.voltageMv = millivolts(voltage);
  const soc = sumOf(channels.soc);
  if (soc !== null) reading.socPercent = soc;
  const vehicleTemperature = degreesOf(channels.vehicleTemperature);
  if (vehicleTemperature !== null) reading.vehicleTemperatureC = vehicleTemperature;
  const cableTemperature = degreesOf(channels.cableTemperature);
  if (cableTemperature !== null) reading.cableTemperatureC = cableTemperature;
  const ambientTemperature = degreesOf(channels.ambientTemperature);
  if (ambientTemperature !== null) reading.ambientTemperatureC = ambientTemperature;
  if (signedData !== undefined) reading.signedData = signedData;
  leaveOutImpossible(reading, unusable);
  for (const name in reading) if (name !== 'at') return reading;
  return null;
}

function note(channels: Partial<Record<Field, Channel>>, field: Field, sample: Payload, unusable: string[]): void {
  const rank =
    (sample.context === 'Transaction.Begin' ? 0 : 2) +
    (sample.location === undefined || sample.location === null || sample.location === 'Outlet' ? 1 : 0);
  let channel = channels[field];
  if (channel === undefined || channel.rank < rank) {
    channel = { rank, total: undefined, phases: undefined };
    channels[field] = channel;
  } else if (channel.rank > rank) return;
  const text = textOf(sample.value);
  const value = thousandthsOf(field, text, sample.unit);
  // An empty value, or a meter's noise around zero, is not a fault.
  if (Number.isNaN(value) && text !== '' && !text.startsWith('-')) {
    unusable.push(`${field}: "${text.slice(0, loggedCharsMax)}"`);
  }
  if (sample.phase === undefined || sample.phase === null) {
    channel.total = better(channel.total, value);
    return;
  }
  const slot = phaseSlot.get(sample.phase);
  if (slot === undefined) return;
  channel.phases ??= [];
  channel.phases[slot] = better(channel.phases[slot], value);
}

/** The later value, unless it is unusable and the earlier is not. */
function better(earlier: number | undefined, later: number): number {
  return earlier !== undefined && Number.isNaN(later) ? earlier : later;
}

/** Maximum length of an unusable value in the log. */
const loggedCharsMax = 40;

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : '';
}

function thousandthsOf(field: Field, text: string, unit: unknown): number {
  const scale = scaleOf[field].get(unit ?? defaultUnit[field]);
  if (scale === undefined) return Number.NaN;
  const thousandths = readThousandths(text, scale.powerOfTen);
  if (thousandths === null) return Number.NaN;
  if (thousandths < 0 && scaleOf[field] !== temperatureScales) return Number.NaN;
  return scale.toOurs?.(thousandths) ?? thousandths;
}

/** The total if the station sends one, else the sum over its phases; null when one of them is unusable. */
function sumOf(channel: Channel | undefined): number | null {
  if (channel === undefined) return null;
  if (channel.total !== undefined) return whole(channel.total);
  if (channel.phases === undefined) return null;
  let sum: number | undefined;
  for (let slot = 0; slot < 3; slot += 1) {
    const value = channel.phases[slot];
    if (value !== undefined) sum = (sum ?? 0) + value;
  }
  return sum === undefined ? null : whole(sum);
}

/**
 * The total if the station sends one, else the mean over its phases against neutral, without dead phases; else the same
 * between phases.
 */
function meanOf(channel: Channel | undefined): number | null {
  if (channel === undefined) return null;
  if (channel.total !== undefined) return whole(channel.total);
  const { phases } = channel;
  if (phases === undefined) return null;
  const toNeutral = [phases[0], phases[1], phases[2]].filter((value) => value !== undefined);
  const given = toNeutral.length > 0 ? toNeutral : phases.filter((value) => value !== undefined);
  const live = given.filter((value) => value !== 0);
  if (live.length === 0) return 0;
  return whole(live.reduce((sum, value) => sum + value, 0) / live.length);
}

/** Degrees Celsius with one decimal. */
function degreesOf(channel: Channel | undefined): number | null {
  const thousandths = channel?.total;
  if (thousandths === undefined || Number.isNaN(thousandths)) return null;
  return Math.round(thousandths / 100) / 10 + 0;
}

function whole(thousandths: number): number | null {
  const rounded = roundThousandths(thousandths);
  return Number.isSafeInteger(rounded) ? rounded : null;
}
