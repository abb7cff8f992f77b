import { idField } from '@voltdeck/contract/fields';
import { listPartnerPulls, type PartnerPull, pullPartner } from '@voltdeck/contract/partner-pulls';
import type { PartnerId } from '@voltdeck/units/id';
import { Form } from 'antd';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  /** Null where it is still to be chosen. */
  partner: { id: PartnerId } | null;
  /** The one that is chosen at first. */
  likely?: PartnerId | undefined;
  open: boolean;
  onClose: () => void;
  onSaved: (pull: PartnerPull) => void;
};

const own = { partnerId: idField<'partner'>() };

/** Pulls the sites of a partner at once. */
export default function PullForm({ partner, likely, open, onClose, onSaved }: Props) {
  const [form] = Form.useForm();
  const chosen = Form.useWatch<PartnerId | undefined>('partnerId', form);
  const id = partner?.id ?? chosen ?? likely;
  return (
    <RouteForm
      as="dialog"
      form={form}
      route={pullPartner}
      params={{ id }}
      own={own}
      title={phrase('pulls.nowTitle')}
      submitLabel={phrase('pulls.now')}
      initial={{ kind: 'incremental', ...(id === undefined ? {} : { partnerId: id }) }}
      fields={{
        partnerId: { label: 'interop.partner', fixedIf: () => partner !== null },
        kind: { label: 'pulls.kind', hint: 'pulls.nowHint', word: (kind) => phrase(`pull-kind.${kind}`) },
      }}
      fieldOf={{
        'partner.pull_running': 'partnerId',
        'partner.without_stations': 'partnerId',
        'partner.disabled': 'partnerId',
      }}
      refreshes={[listPartnerPulls]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
