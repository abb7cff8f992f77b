import type { Permission } from '@voltdeck/contract/permissions';
import { Switch } from 'antd';
import { useState } from 'react';
import type { AnyRoute } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { type PhraseKey, phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { useShowOutcome } from '../ui/list/use-overlay.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { enabledTone } from '../ui/state-colours.ts';
import { useTell } from '../ui/use-tell.ts';

type Props = {
  of: { id: number; title: string; enabled: boolean };
  words: Readonly<{
    /** The accessible name: "Show advert …". */
    label: PhraseKey;
    states: readonly [on: PhraseKey, off: PhraseKey];
    outcomes: readonly [on: PhraseKey, off: PhraseKey];
  }>;
  /** Users without it see the state as text. */
  may: Permission;
  change: (enabled: boolean) => Promise<unknown>;
  changes: readonly AnyRoute[];
};

/** A switch in a list for an enabled state. */
export function EnabledSwitch({ of: { title: name, enabled }, words, may, change, changes }: Props) {
  const can = useCan();
  const tell = useTell();
  const told = useShowOutcome();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const state = phrase(words.states[enabled ? 0 : 1]);
  if (!can(may)) return <StateTag tone={enabledTone(enabled)}>{state}</StateTag>;
  return (
    <Switch
      size="small"
      checked={enabled}
      loading={isBusy}
      aria-label={phrase(words.label, { name })}
      title={state}
      onChange={async (next) => {
        setBusy(true);
        try {
          await change(next);
          told(phrase(words.outcomes[next ? 0 : 1], { name }));
          await refresh(...changes);
        } catch (failure) {
          tell(failure);
        } finally {
          setBusy(false);
        }
      }}
    />
  );
}
