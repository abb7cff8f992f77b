import {
  getPartner,
  keyDirections,
  listPartners,
  overlapHours,
  type Partner,
  rotatePartnerKeys,
} from '@voltdeck/contract/partners';
import type { AnswerOf } from '@voltdeck/contract/route';
import * as z from 'zod/mini';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  partner: Partner;
  open: boolean;
  onClose: () => void;
  onSaved: (rotated: AnswerOf<typeof rotatePartnerKeys>) => void;
};

const key = z.optional(z.string().check(z.maxLength(64)));
const own = { operatorSecret: key, sigSecret: key, dataSecret: key, dataSecretIv: key };

/** Begins new keys of one direction: entered as the other side sent them, or generated. */
export default function RotateKeysForm({ partner, open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={rotatePartnerKeys}
      params={{ id: partner.id }}
      own={own}
      title={phrase('interop.rotateTitle', { name: partner.name })}
      submitLabel={phrase('interop.rotate')}
      initial={{ direction: keyDirections[0], overlapHours: overlapHours.usual }}
      fields={{
        direction: { label: 'interop.direction', word: (direction) => phrase(`key-direction.${direction}`) },
        overlapHours: { label: 'interop.overlapHours', hint: 'interop.overlapHoursHint' },
        operatorSecret: { label: 'interop.operatorSecret', hint: 'interop.generatedHint', kind: 'code' },
        sigSecret: { label: 'interop.sigSecret', kind: 'code' },
        dataSecret: { label: 'interop.dataSecret', kind: 'code' },
        dataSecretIv: { label: 'interop.dataSecretIv', kind: 'code' },
      }}
      adjust={({ operatorSecret, sigSecret, dataSecret, dataSecretIv, ...body }) => ({
        ...body,
        keys: Object.fromEntries(
          Object.entries({ operatorSecret, sigSecret, dataSecret, dataSecretIv }).filter(([, value]) => value),
        ),
      })}
      refreshes={[listPartners, getPartner]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
