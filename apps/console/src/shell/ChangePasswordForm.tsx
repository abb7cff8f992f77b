import { changePassword } from '@voltdeck/contract/access';
import { Alert, Form, Input } from 'antd';
import type { ReactNode } from 'react';
import { leaveToLogin } from '../access/leave.ts';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';

type Values = { password: string; newPassword: string; repeated: string };

/** Specification section 5. */
const passwordLengthMin = 6;

type ChangePasswordFormProps = {
  onClose: () => void;
  /** What stands in place of leaving while the password is an initial one, which has to be changed first. */
  insteadOfLeaving?: ReactNode | undefined;
};

/** The new password ends every session, so the way leads to the sign-in page. */
export default function ChangePasswordForm({ onClose, insteadOfLeaving }: ChangePasswordFormProps) {
  const required = { required: true, message: phrase('field.required') };
  return (
    <FormDrawer<Values, null>
      as="dialog"
      title={phrase('shell.changePassword')}
      open
      onClose={onClose}
      insteadOfLeaving={insteadOfLeaving}
      submitLabel={phrase('shell.changePassword')}
      submit={({ password, newPassword }) => call(changePassword, { body: { password, newPassword } })}
      fieldOf={{
        'password.wrong': 'password',
        'password.same': 'newPassword',
        'password.too_common': 'newPassword',
      }}
      onDone={() => leaveToLogin(phrase('shell.passwordChanged'))}
    >
      {insteadOfLeaving === undefined ? null : (
        <Alert type="info" showIcon style={{ marginBottom: 16 }} title={phrase('access.initialPassword')} />
      )}
      <Form.Item name="password" label={phrase('shell.oldPassword')} rules={[required]}>
        <Input.Password autoComplete="current-password" maxLength={256} />
      </Form.Item>
      <Form.Item
        name="newPassword"
        label={phrase('shell.newPassword')}
        rules={[required, { min: passwordLengthMin, message: phrase('shell.passwordShort') }]}
      >
        <Input.Password autoComplete="new-password" maxLength={256} />
      </Form.Item>
      <Form.Item
        name="repeated"
        label={phrase('shell.repeatPassword')}
        dependencies={['newPassword']}
        rules={[
          required,
          ({ getFieldValue }) => ({
            validator: async (_, value: unknown) => {
              if (value && value !== getFieldValue('newPassword')) throw new Error(phrase('shell.passwordsDiffer'));
            },
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={256} />
      </Form.Item>
    </FormDrawer>
  );
}
