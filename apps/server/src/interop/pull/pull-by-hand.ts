import type { ApiError } from '@voltdeck/contract/errors';
import type { PartnerPull, pullPartner as route } from '@voltdeck/contract/partner-pulls';
import type { BodyOf } from '@voltdeck/contract/route';
import type { PartnerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { giveJob } from '../../database/give-job.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { findPartnerById, isStationSide } from '../partner.ts';
import { beginPull } from './pull-sites.ts';
import { findPull } from './queries.ts';

/** Begins a pull that a person asked for. Workers carry it out, one after the other; who watches hears of its end. */
export async function pullByHand(
  trx: Trx,
  caller: Caller,
  id: PartnerId,
  { kind }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<PartnerPull, ApiError>> {
  const partner = caller.agents === 'all' ? await findPartnerById(trx, id) : null;
  if (partner === null) return failed({ code: 'record.not_found' });
  if (!isStationSide(partner)) return failed({ code: 'partner.without_stations' });
  if (!partner.isEnabled) return failed({ code: 'partner.disabled' });
  const pullId = await beginPull(trx, id, { kind, userId: caller.userId }, at);
  if (pullId === null) return failed({ code: 'partner.pull_running' });
  await giveJob(trx, 'pull-partner', { pullId }, { key: `pull-partner-${pullId}`, queue: 'pull-partner' });
  await audit(trx, caller, at, { action: 'partner.pull', recordKind: 'partner', recordId: id, after: { kind } });
  return found(await findPull(trx, caller, pullId));
}
