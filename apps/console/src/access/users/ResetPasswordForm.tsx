import { listUsers, resetPassword, type User } from '@voltdeck/contract/users';
import { call } from '../../api/call.ts';
import { useRefresh } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { FormDrawer } from '../../ui/FormDrawer.tsx';
import { PasswordFields } from './PasswordFields.tsx';
import { passwordOf, type UserValues } from './user-form-body.ts';
import styles from './users.module.css';

type Values = Pick<UserValues, 'passwordWay' | 'password'>;
type Props = { user: User; open: boolean; onClose: () => void; onReset: (password: string | null) => void };

/** Gives a user a new first password and signs them out everywhere. */
export default function ResetPasswordForm({ user, open, onClose, onReset }: Props) {
  const refresh = useRefresh();
  return (
    <FormDrawer<Values, string | null>
      as="dialog"
      title={phrase('users.resetTitle', { name: user.realName })}
      open={open}
      onClose={onClose}
      initial={{ passwordWay: 'made' }}
      submitLabel={phrase('users.resetVerb')}
      danger
      submit={async (values, idempotencyKey) => {
        const input = { params: { id: user.id }, body: passwordOf(values), idempotencyKey, quiet: true };
        return (await call(resetPassword, input)).initialPassword;
      }}
      fieldOf={{ 'password.too_common': 'password' }}
      onDone={(password) => {
        void refresh(listUsers);
        onReset(password);
      }}
    >
      <p className={styles.intro}>
        {phrase(user.sessions === 0 ? 'users.resetIntro' : 'users.resetIntroSessions', {
          userName: user.userName,
          count: user.sessions,
        })}
      </p>
      <PasswordFields />
    </FormDrawer>
  );
}
