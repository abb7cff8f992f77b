import { getPartner, type Partner, type rotatePartnerKeys } from '@voltdeck/contract/partners';
import type { AnswerOf } from '@voltdeck/contract/route';
import { useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import KeysOnce from './KeysOnce.tsx';
import RotateKeysForm from './RotateKeysForm.tsx';

type Props = { partner: Partner; open: boolean; onClose: () => void };

/** The form for new keys, and then these, once. */
export default function RotateKeys({ partner, open, onClose }: Props) {
  const [rotated, setRotated] = useState<AnswerOf<typeof rotatePartnerKeys> | null>(null);
  const answer = useAnswer(getPartner, { params: { id: partner.id } });
  if (rotated === null) return <RotateKeysForm partner={partner} open={open} onClose={onClose} onSaved={setRotated} />;
  return (
    <KeysOnce
      partner={partner}
      ownOperatorId={answer.data?.ownOperatorId ?? null}
      keys={{ [rotated.direction]: rotated.keys }}
      open={open}
      onClose={onClose}
    />
  );
}
