import { changePassword } from '@voltdeck/contract/access';
import { newPasswordField } from '@voltdeck/contract/fields';
import { Alert } from 'antd';
import type { ReactNode } from 'react';
import { leaveToLogin } from '../access/leave.ts';
import { readToken } from '../api/token.ts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';

type ChangePasswordFormProps = {
  onClose: () => void;
  /** Replaces the leave button while an initial password has to be changed first. */
  insteadOfLeaving?: ReactNode | undefined;
};

/** The new password ends every session, so this leads to the sign-in page. */
export default function ChangePasswordForm({ onClose, insteadOfLeaving }: ChangePasswordFormProps) {
  return (
    <RouteForm
      as="dialog"
      route={changePassword}
      title={phrase('shell.changePassword')}
      submitLabel={phrase('shell.changePassword')}
      intro={
        insteadOfLeaving === undefined ? null : (
          <Alert type="info" showIcon style={{ marginBottom: 16 }} title={phrase('access.initialPassword')} />
        )
      }
      // Specification section 7: the token is part of the body.
      given={{ token: readToken() ?? undefined }}
      own={{ repeated: newPasswordField }}
      fields={{
        password: { label: 'shell.oldPassword', autoComplete: 'current-password' },
        newPassword: { label: 'shell.newPassword' },
        repeated: {
          label: 'shell.repeatPassword',
          checkedWith: ['newPassword'],
          check: (repeated, { newPassword }) => (repeated === newPassword ? null : phrase('field.passwords_differ')),
        },
      }}
      fieldOf={{
        'password.wrong': 'password',
        'password.same': 'newPassword',
        'password.too_common': 'newPassword',
      }}
      open
      onClose={onClose}
      insteadOfLeaving={insteadOfLeaving}
      onSaved={() => leaveToLogin(phrase('shell.passwordChanged'))}
    />
  );
}
