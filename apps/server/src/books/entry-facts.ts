import type { ApprovalFact } from '@voltdeck/contract/approval-records';
import type { CustomerId } from '@voltdeck/units/id';
import { addFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { readBalance } from '../ledger/read-balance.ts';
import { readPrepaid } from '../ledger/read-prepaid.ts';
import type { ApprovalDetails } from '../second-person/approval-details.ts';
import { findReceiver, money } from '../second-person/fact-figures.ts';
import { findEntry, type WalletChange } from './find-entry.ts';

type Db = Kysely<Tables>;

/** What a reversal in the ledger takes back and returns, and from whom to whom. */
export async function factsOfEntryReversal(
  db: Db,
  { transferId }: ApprovalDetails['reversal'],
): Promise<ApprovalFact[]> {
  const { key } = await db
    .selectFrom('ledger_transfers')
    .select('key')
    .where('id', '=', transferId)
    .executeTakeFirstOrThrow();
  const entry = await findEntry(db, key);
  if (entry === null) throw new Error(`transfer ${key} has no record`);
  const { kind, changes, prepaid } = entry;
  const facts: ApprovalFact[] = [{ name: 'reversed', kind: 'word', before: null, after: `approval-reversed.${kind}` }];
  for (const change of changes) facts.push(...(await factsOfChange(db, change)));
  if (prepaid === null) return facts;
  const { agentId, amountFen } = prepaid;
  const agent = await db.selectFrom('agents').select('name').where('id', '=', agentId).executeTakeFirstOrThrow();
  const prepaidFen = await readPrepaid(db, agentId);
  return [
    ...facts,
    { name: 'takenFrom', kind: 'text', before: null, after: agent.name },
    money('prepaid', prepaidFen, subtractFen(prepaidFen, amountFen)),
  ];
}

/** Whose wallet changes, and its parts that do. */
async function factsOfChange(db: Db, change: WalletChange): Promise<ApprovalFact[]> {
  const { wallet, cardId, paidFen, giftFen } = change;
  const isTaken = paidFen < 0 || giftFen < 0;
  const { balanceFen, giftFen: giftsFen } = await readBalance(db, wallet);
  const of = cardId === null ? { toCustomerId: wallet.owner as CustomerId } : { toCardId: cardId };
  const name = isTaken ? 'takenFrom' : 'returnedTo';
  return [
    { name, kind: 'text', before: null, after: await findReceiver(db, { ...of, amountFen: zeroFen }) },
    ...(paidFen === 0 ? [] : [money(isTaken ? 'balance' : 'receiverBalance', balanceFen, addFen(balanceFen, paidFen))]),
    ...(giftFen === 0 ? [] : [money(isTaken ? 'gifts' : 'receiverGifts', giftsFen, addFen(giftsFen, giftFen))]),
  ];
}
