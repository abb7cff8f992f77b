import * as contract from '@voltdeck/contract/books';
import type { ApiError } from '@voltdeck/contract/errors';
import { toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { proveAllAndRecord } from '../ledger/record-proofs.ts';
import { findLedgerAccount, sumBalances } from './accounts.ts';
import { readProofState } from './proofs.ts';
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
