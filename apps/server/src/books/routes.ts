import * as contract from '@voltdeck/contract/books';
import type { ApiError } from '@voltdeck/contract/errors';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import type { TransferId } from '@voltdeck/units/id';
import { toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { proveAllAndRecord } from '../ledger/record-proofs.ts';
import { publishMoved } from '../orders/order-events.ts';
import { tellBalanceLater } from '../orders/tell-balance.ts';
import { findLedgerAccount, sumBalances } from './accounts.ts';
import { readProofState } from './proofs.ts';
import { reverseEntry } from './reverse-entry.ts';
import { findLedgerTransfer } from './transfers.ts';

export function bindBooks({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  /** All agents share one set of books. */
  const forPlatform = async <Answer>(
    caller: Caller,
    answer: () => Promise<Result<Answer, ApiError>>,
  ): Promise<Result<Answer, ApiError>> => (caller.agents === 'all' ? answer() : failed({ code: 'access.denied' }));

  bind(contract.getLedgerAccount, ({ caller, params }) =>
    forPlatform(caller, async () => found(await findLedgerAccount(db, params.id))),
  );
  bind(contract.getLedgerTransfer, ({ caller, params }) =>
    forPlatform(caller, async () => found(await findLedgerTransfer(db, params.id))),
  );
  bind(
    contract.reverseLedgerTransfer,
    async ({ caller, params, body, at, transact }) => {
      const reversed = await transact(
        async (trx) => {
          const undone = await reverseEntry(trx, caller, params.id, body, at);
          if (undone.ok && !isWaiting(undone.value)) {
            for (const payer of undone.value.payers) await tellBalanceLater(trx, payer);
          }
          return undone;
        },
        { recordOf: (value) => (isWaiting(value) ? null : value.id) },
      );
      if (!reversed.ok) return reversed;
      if (isWaiting(reversed.value)) return ok(reversed.value);
      for (const order of reversed.value.repaidOrders) publishMoved(context, order);
      return found(await findLedgerTransfer(db, params.id));
    },
    { replay: async (recordId) => found(await findLedgerTransfer(db, recordId as TransferId)) },
  );
  bind(contract.getLedgerBalances, ({ caller, at }) => forPlatform(caller, async () => ok(await sumBalances(db, at))));
  bind(contract.getProofState, ({ caller }) => forPlatform(caller, async () => ok(await readProofState(db, caller))));
  // It reads the whole books, so concurrent requests share one proof.
  let running: ReturnType<typeof proveAllAndRecord> | null = null;
  bind(contract.getLedgerProof, ({ caller, at }) =>
    forPlatform(caller, async () => {
      running ??= proveAllAndRecord(db, caller.userId, at).finally(() => {
        running = null;
      });
      const { sumFen, accounts, transfers, mismatches } = await running;
      return ok({ sumFen, accounts, transfers, mismatches, checkedAt: toIso(context.now()) });
    }),
  );
}
