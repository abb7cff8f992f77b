import { type Divider, getDivider, listDividers, resetDividerPassword } from '@voltdeck/contract/dividers';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type Props = { divider: Divider; open: boolean; onClose: () => void; onReset: (password: string) => void };

/** Gives the account of a divider a new initial password. */
export default function ResetDividerForm({ divider, open, onClose, onReset }: Props) {
  return (
    <RouteForm
      as="dialog"
      danger
      route={resetDividerPassword}
      params={{ id: divider.id }}
      title={phrase('dividers.resetQuestion', { name: divider.name })}
      submitLabel={phrase('dividers.reset')}
      intro={<p>{phrase('dividers.resetDetails', { loginName: divider.loginName ?? '' })}</p>}
      fields={{}}
      refreshes={[listDividers, getDivider]}
      open={open}
      onClose={onClose}
      onSaved={({ initialPassword }) => onReset(initialPassword)}
    />
  );
}
