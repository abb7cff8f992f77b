import type { Instant } from '@voltdeck/units/instant';

export type ChargedEnergy = { from: Instant; to: Instant; energyWh: number };
export type Stretch = { from: Instant; energyWh: number; charges: number };

/**
 * Energy per stretch of time. A charge's energy is spread evenly over its duration, as far as it falls into them; it
 * counts as a charge where it ended. Each stretch is rounded once.
 */
export function spreadEnergy(
  charges: readonly ChargedEnergy[],
  stretches: { from: Instant; everyMs: number; count: number },
): Stretch[] {
  const { from: firstAt, everyMs, count } = stretches;
  const energies = new Float64Array(count);
  const ended = new Int32Array(count);
  const indexAt = (at: number) => Math.floor((at - firstAt) / everyMs);
  for (const { from, to, energyWh } of charges) {
    const lastIndex = indexAt(to);
    if (lastIndex >= 0 && lastIndex < count) ended[lastIndex] = (ended[lastIndex] ?? 0) + 1;
    const durationMs = to - from;
    if (durationMs <= 0) {
      if (lastIndex >= 0 && lastIndex < count) energies[lastIndex] = (energies[lastIndex] ?? 0) + energyWh;
      continue;
    }
    for (let index = Math.max(0, indexAt(from)); index <= Math.min(count - 1, lastIndex); index += 1) {
      const begins = firstAt + index * everyMs;
      const within = Math.min(to, begins + everyMs) - Math.max(from, begins);
      if (within > 0) energies[index] = (energies[index] ?? 0) + (energyWh * within) / durationMs;
    }
  }
  return Array.from(energies, (energyWh, index) => ({
    from: (firstAt + index * everyMs) as Instant,
    energyWh: Math.round(energyWh),
    charges: ended[index] ?? 0,
  }));
}
