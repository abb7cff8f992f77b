import type { FieldFault } from '@voltdeck/contract/errors';
import { failed, ok, type Result } from '@voltdeck/units/result';

/** The one field that is given where a form must give exactly one of these. */
export function onlyOneOf<Path extends string>(
  form: { readonly [Field in Path]?: unknown },
  paths: readonly [Path, ...Path[]],
): Result<Path, FieldFault> {
  const [given, another] = paths.filter((path) => form[path] !== undefined);
  if (given === undefined) return failed({ path: paths[0], code: 'required' });
  return another === undefined ? ok(given) : failed({ path: another, code: 'only_one' });
}
