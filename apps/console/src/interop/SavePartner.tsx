import type { Partner } from '@voltdeck/contract/partners';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { formIn } from '../ui/list/usual-acts.ts';
import type { OverlayProps } from '../ui/list-page.ts';
import KeysOnce from './KeysOnce.tsx';
import PartnerFormDrawer, { type SavedPartner } from './PartnerFormDrawer.tsx';

type Props = { partner: Partner | null; over: OverlayProps<Partner> };

/** The form of a partner, and after a new one its keys, once. */
export default function SavePartner({ partner, over }: Props) {
  const [added, setAdded] = useState<SavedPartner | null>(null);
  const told = formIn(over, ({ name }: SavedPartner) => phrase('interop.saved', { name }));
  if (added?.inbound !== undefined && added.outbound !== undefined) {
    const keys = { inbound: added.inbound, outbound: added.outbound };
    return (
      <KeysOnce
        partner={added}
        ownOperatorId={added.ownOperatorId}
        keys={keys}
        open={over.open}
        onClose={() => told.onSaved(added)}
      />
    );
  }
  return <PartnerFormDrawer partner={partner} {...told} onSaved={partner === null ? setAdded : told.onSaved} />;
}
