import type { ErrorCode } from '@voltdeck/contract/errors';
import { rehearsedChargesMax } from '@voltdeck/contract/rehearsed-charges';
import type { Task } from '@voltdeck/contract/tasks';
import { type PhraseParams, phrase } from '../../phrases.ts';
import { countText } from '../figures.ts';

/** What the text of a failure says beyond its code, which is all that a task keeps of it. */
const paramsOf: Partial<Record<ErrorCode, () => PhraseParams>> = {
  'rehearsal.too_many': () => ({ max: countText(rehearsedChargesMax) }),
};

/** Why a task failed; null where it did not. */
export function taskFailureText({ errorCode }: Pick<Task, 'errorCode'>): string | null {
  if (errorCode === null) return null;
  const code = errorCode as ErrorCode;
  return phrase(`error.${code}`, paramsOf[code]?.());
}
