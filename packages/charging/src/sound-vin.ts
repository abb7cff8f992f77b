/**
 * A vehicle's number as a station reported it, in capitals; null when it is invalid. Short ones occur on older
 * vehicles.
 */
export function soundVin(told: unknown): string | null {
  if (typeof told !== 'string') return null;
  const vin = told.trim().toUpperCase();
  return /^[A-Z0-9]{5,17}$/.test(vin) ? vin : null;
}
