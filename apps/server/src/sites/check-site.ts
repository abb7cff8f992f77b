import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { lackedFields } from '@voltdeck/contract/site-opening';
import { chinaBounds, type createSite, isInChina, type PictureSlot, type Site } from '@voltdeck/contract/sites';
import type { AgentId, FileId, SiteId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { lockAgent } from '../caller/lock-agent.ts';
import { agentOfNewRecord, isInScope } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { readFacilities } from './facilities.ts';
import { isRegionCode } from './region-code.ts';

export type SiteForm = BodyOf<typeof createSite>;

export type CheckedSite = {
  agentId: AgentId | null;
  /** Null where the form has none: they stay as they are. */
  pictures: readonly { fileId: FileId; slot: PictureSlot }[] | null;
};

/**
 * Checks what the schema cannot: that the region exists and can hold the point, that the facilities are known, and that
 * the caller may use the agent and the pictures. What a changed site already has may stay.
 */
export async function checkSite(
  trx: Trx,
  caller: Caller,
  form: SiteForm,
  before: Site | null,
): Promise<Result<CheckedSite, ApiError>> {
  const fields: FieldFault[] = [];
  if (isRegionCode(form.regionCode)) fields.push(...faultsOfPosition(form));
  else fields.push({ path: 'regionCode', code: 'not_region' });
  const agentId =
    form.agentId === undefined && before !== null
      ? before.agentId
      : agentOfNewRecord(caller, form.agentId ?? undefined);
  if (agentId === undefined) return failed({ code: 'access.denied' });
  if (agentId !== null && !(await lockAgent(trx, caller, agentId))) {
    fields.push({ path: 'agentId', code: 'unknown_reference' });
  }
  fields.push(...(await faultsOfFacilities(trx, caller, form.facilities ?? [], before)));
  const pictures = form.pictures === undefined ? null : await findPictures(trx, caller, form.pictures, before);
  const unknown = pictures?.indexOf(null) ?? -1;
  if (unknown >= 0) fields.push({ path: `pictures.${unknown}.key`, code: 'unknown_reference' });
  if (before?.opened === true) {
    const after = {
      ...form,
      kind: form.kind ?? null,
      place: form.place ?? null,
      servicePhone: form.servicePhone ?? '',
      ownGrid: form.ownGrid ?? false,
      gridAccount: form.gridAccount ?? '',
    };
    fields.push(...lackedFields(after).map((path) => ({ path, code: 'needed_while_opened' as const })));
  }
  if (fields.length > 0) return failed({ code: 'request.invalid', fields });
  return ok({ agentId, pictures: pictures?.filter((picture) => picture !== null) ?? null });
}

function faultsOfPosition({ regionCode, longitude, latitude }: SiteForm): FieldFault[] {
  if (!isInChina(regionCode)) return [];
  const { west, east, south, north } = chinaBounds;
  return [
    ...(longitude < west || longitude > east ? [{ path: 'longitude', code: 'outside_china' } as const] : []),
    ...(latitude < south || latitude > north ? [{ path: 'latitude', code: 'outside_china' } as const] : []),
  ];
}

async function faultsOfFacilities(
  trx: Trx,
  { language }: Caller,
  codes: readonly string[],
  before: Site | null,
): Promise<FieldFault[]> {
  if (codes.length === 0) return [];
  const known = new Set([
    ...(await readFacilities(trx, language)).map(({ code }) => code),
    ...(before?.facilities ?? []),
  ]);
  return codes.flatMap((code, index): FieldFault[] =>
    known.has(code) ? [] : [{ path: `facilities.${index}`, code: 'unknown_reference' }],
  );
}

/** Null for a picture that the caller cannot use. All are locked against deletion until the commit. */
async function findPictures(
  trx: Trx,
  caller: Caller,
  asked: SiteForm['pictures'] & {},
  before: Site | null,
): Promise<({ fileId: FileId; slot: PictureSlot } | null)[]> {
  if (asked.length === 0) return [];
  const files = await trx
    .selectFrom('files')
    .select(['id', 'key', 'agent_id as agentId'])
    .where('purpose', '=', 'site')
    .where('key', 'in', [...new Set(asked.map(({ key }) => key))])
    .orderBy('id')
    .forKeyShare()
    .execute();
  const own = new Set(before?.pictures.map(({ key }) => key));
  const usable = new Map(
    files
      .filter(({ key, agentId }) => own.has(key) || isInScope(caller, agentId))
      .map(({ key, id }) => [key, id as FileId]),
  );
  return asked.map(({ key, slot }) => {
    const fileId = usable.get(key);
    // Each picture once.
    usable.delete(key);
    return fileId === undefined ? null : { fileId, slot };
  });
}

export async function writePictures(trx: Trx, siteId: SiteId, { pictures }: CheckedSite): Promise<void> {
  if (pictures === null) return;
  await trx.deleteFrom('site_pictures').where('site_id', '=', siteId).execute();
  if (pictures.length === 0) return;
  await trx
    .insertInto('site_pictures')
    .values(pictures.map(({ fileId, slot }, index) => ({ site_id: siteId, place: index + 1, file_id: fileId, slot })))
    .execute();
}
