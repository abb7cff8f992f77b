import type { FieldFault } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { createTariff } from '@voltdeck/contract/tariffs';
import { readTariff } from '@voltdeck/tariffs/check-tariff';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { failed, ok, type Result } from '@voltdeck/units/result';

/** The prices of a form in the order of the day or of power, or the faults of its fields. */
export function readTariffForm(form: BodyOf<typeof createTariff>): Result<Tariff, FieldFault[]> {
  const read = readTariff(form);
  if (read.ok) return ok(read.value);
  return failed(read.error.map(({ code, path, params }) => ({ path: path.join('.'), code, params })));
}
