import type { Permission } from '@voltdeck/contract/permissions';
import { Switch } from 'antd';
import { useState } from 'react';
import { useCan } from '../session/use-can.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { enabledTone } from '../ui/state-colours.ts';
import { useTell } from '../ui/use-tell.ts';

export type EnabledSwitchProps = {
  enabled: boolean;
  /** What the switch is about: "Show advert …". */
  label: string;
  on: string;
  off: string;
  /** Without it the state is only told. */
  needs: Permission;
  change: (enabled: boolean) => Promise<unknown>;
};

/** A state that a list switches in place. */
export function EnabledSwitch({ enabled, label, on, off, needs, change }: EnabledSwitchProps) {
  const can = useCan();
  const tell = useTell();
  const [isBusy, setBusy] = useState(false);
  if (!can(needs)) return <StateTag tone={enabledTone(enabled)}>{enabled ? on : off}</StateTag>;
  return (
    <Switch
      size="small"
      checked={enabled}
      loading={isBusy}
      aria-label={label}
      title={enabled ? on : off}
      onChange={async (next) => {
        setBusy(true);
        try {
          await change(next);
        } catch (failure) {
          tell(failure);
        } finally {
          setBusy(false);
        }
      }}
    />
  );
}
