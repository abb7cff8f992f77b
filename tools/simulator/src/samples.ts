import type { OCPP16 } from 'typed-ocpp';
import type { ChargeKind, CurvePoint } from './charging-curve.ts';
import type { Measurand } from './configuration.ts';

/**
 * A meter register as the station reports it: whole watt-hours, rounded down. The margin absorbs floating-point noise.
 */
export function wholeWh(registerWh: number): number {
  return Math.floor(registerWh + 1e-6);
}

/**
 * One MeterValue with the requested measurands. `point` is null at an idle connector, where only the register is known.
 */
export function meterValue(options: {
  timestamp: string;
  registerWh: number;
  point: CurvePoint | null;
  kind: ChargeKind;
  measurands: readonly Measurand[];
  context: OCPP16.Context;
}): OCPP16.MeterValue {
  const { timestamp, registerWh, point, kind, context } = options;
  const sampledValue: OCPP16.SampledValue[] = [];
  for (const measurand of options.measurands) {
    sampledValue.push(...sample(measurand, registerWh, point, kind).map((value) => ({ context, ...value })));
  }
  return { timestamp, sampledValue };
}

function sample(
  measurand: Measurand,
  registerWh: number,
  point: CurvePoint | null,
  kind: ChargeKind,
): OCPP16.SampledValue[] {
  if (measurand === 'Energy.Active.Import.Register') {
    return [{ value: String(wholeWh(registerWh)), measurand, unit: 'Wh', location: 'Outlet' }];
  }
  if (point === null) return [];
  switch (measurand) {
    case 'Power.Active.Import':
      return [{ value: String(Math.round(point.powerW)), measurand, unit: 'W', location: 'Outlet' }];
    case 'Current.Import': {
      const value = point.currentA.toFixed(kind === 'two-wheel' ? 2 : 1);
      if (point.phases === 1) return [{ value, measurand, unit: 'A', location: 'Outlet' }];
      return (['L1', 'L2', 'L3'] as const).map((phase) => ({ value, measurand, phase, unit: 'A', location: 'Outlet' }));
    }
    case 'Voltage': {
      const value = point.voltageV.toFixed(1);
      if (point.phases === 1) return [{ value, measurand, unit: 'V', location: 'Outlet' }];
      return (['L1-N', 'L2-N', 'L3-N'] as const).map((phase) => ({
        value,
        measurand,
        phase,
        unit: 'V',
        location: 'Outlet',
      }));
    }
    case 'SoC':
      // Only a DC gun communicates with the battery; an AC station does not know the state of charge.
      if (kind !== 'dc') return [];
      return [{ value: String(Math.floor(point.socPercent)), measurand, unit: 'Percent', location: 'EV' }];
    case 'Temperature':
      return [{ value: point.temperatureC.toFixed(1), measurand, unit: 'Celsius', location: 'Outlet' }];
  }
}
