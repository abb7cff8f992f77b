import type { WithdrawalTerms } from '@voltdeck/contract/withdrawals';
import { customerAccount } from '@voltdeck/ledger/account';
import type { CustomerId } from '@voltdeck/units/id';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { OpenChannels } from '../channels/open-channels.ts';
import type { Tables } from '../database/tables.generated.ts';
import { debtOf } from '../ledger/debt.ts';
import { readParts } from '../ledger/wallet-parts.ts';
import { readWithdrawalTerms } from '../ledger/withdrawal-terms.ts';
import { openWays } from './open-ways.ts';

/** What a registered user could withdraw now; null where there is none, or the caller may not pay out. */
export async function findTerms(
  db: Kysely<Tables>,
  channels: OpenChannels,
  caller: Caller,
  customerId: CustomerId,
): Promise<WithdrawalTerms | null> {
  if (caller.agents !== 'all') return null;
  const customer = await db.selectFrom('customers').select('id').where('id', '=', customerId).executeTakeFirst();
  return customer === undefined ? null : termsFor(db, channels, customerId);
}

export async function termsFor(
  db: Kysely<Tables>,
  channels: OpenChannels,
  customerId: CustomerId,
): Promise<WithdrawalTerms> {
  const wallet = customerAccount(customerId);
  const [parts, owedFen, terms] = await Promise.all([
    readParts(db, wallet),
    debtOf(db, wallet),
    readWithdrawalTerms(db),
  ]);
  const { minFen, feeBp, takesGifts } = terms;
  return { ...parts, owedFen, minFen, feeBp, takesGifts, ways: openWays(channels) };
}
