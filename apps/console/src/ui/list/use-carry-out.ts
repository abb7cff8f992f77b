import type { AnyRoute } from '../../api/call.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { useRefresh } from '../../api/queries.ts';
import { Waiting } from '../../api/refused.ts';
import { useConfirm } from '../confirm.tsx';
import type { Deed } from '../list-page.ts';
import { useTell } from '../use-tell.ts';
import { useShowOutcome } from './use-overlay.tsx';

/** Performs acts that need no form: asks first if required, shows the outcome, and refreshes what changed. */
export function useCarryOut(): (
  meant: Deed | Promise<Deed>,
  changes: readonly AnyRoute[],
  danger: boolean,
  done?: () => void,
) => void {
  const confirm = useConfirm();
  const refresh = useRefresh();
  const tell = useTell();
  const told = useShowOutcome();
  const begin = async (
    meant: Deed | Promise<Deed>,
    changes: readonly AnyRoute[],
    danger: boolean,
    done: () => void = () => {},
  ) => {
    const deed = await meant;
    const act = async (idempotencyKey: string) => {
      try {
        told(await deed.do(idempotencyKey));
      } catch (failure) {
        // Nothing was done, but what waits shows on the record.
        if (failure instanceof Waiting) await refresh(...changes);
        throw failure;
      }
      done();
      await refresh(...changes);
    };
    if (deed.ask === undefined) await act(newIdempotencyKey());
    else await confirm({ ...deed.ask, danger, act });
  };
  return (...meant) => void begin(...meant).catch(tell);
}
