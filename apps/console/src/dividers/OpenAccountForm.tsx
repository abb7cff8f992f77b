import { type Divider, getDivider, listDividers, openDividerAccount } from '@voltdeck/contract/dividers';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = {
  divider: Divider;
  open: boolean;
  onClose: () => void;
  onOpened: (divider: Divider, password: string | null) => void;
};

/** Gives a divider an account of its own. */
export default function OpenAccountForm({ divider, open, onClose, onOpened }: Props) {
  return (
    <RouteForm
      as="dialog"
      route={openDividerAccount}
      params={{ id: divider.id }}
      title={phrase('dividers.accountTitle', { name: divider.name })}
      submitLabel={phrase('dividers.account')}
      intro={<p>{phrase('dividers.accountDetails')}</p>}
      fields={{
        loginName: { label: 'dividers.accountLogin', kind: 'code', hint: 'dividers.accountLoginHint' },
      }}
      fieldOf={{
        'user.name_taken': 'loginName',
        'user.phone_taken': 'loginName',
        'position.beyond_own': 'loginName',
        'divider.no_position': 'loginName',
      }}
      refreshes={[listDividers, getDivider]}
      open={open}
      onClose={onClose}
      onSaved={(saved) => onOpened(saved, saved.initialPassword)}
    />
  );
}
