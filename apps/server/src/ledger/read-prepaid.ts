import { keyOf, prepaidAccount } from '@voltdeck/ledger/account';
import type { AgentId } from '@voltdeck/units/id';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** What an agent can still pay recharges from. */
export async function readPrepaid(db: Kysely<Tables>, agentId: AgentId): Promise<Fen> {
  const account = await db
    .selectFrom('ledger_accounts')
    .select('balance_fen')
    .where('key', '=', keyOf(prepaidAccount(agentId)))
    .executeTakeFirst();
  return account?.balance_fen ?? zeroFen;
}
