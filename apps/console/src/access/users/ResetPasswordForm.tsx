import { listUsers, resetPassword, type User } from '@voltdeck/contract/users';
import { phrase } from '../../phrases.ts';
import { RouteForm } from '../../ui/form/RouteForm.tsx';
import { ownPassword, passwordFields } from './password-fields.ts';
import styles from './users.module.css';

type Props = { user: User; open: boolean; onClose: () => void; onReset: (password: string | null) => void };

/** Sets a new initial password and signs the user out everywhere. */
export default function ResetPasswordForm({ user, open, onClose, onReset }: Props) {
  return (
    <RouteForm
      as="dialog"
      danger
      route={resetPassword}
      params={{ id: user.id }}
      title={phrase('users.resetTitle', { name: user.realName })}
      submitLabel={phrase('users.resetVerb')}
      intro={
        <p className={styles.intro}>
          {phrase(user.sessions === 0 ? 'users.resetIntro' : 'users.resetIntroSessions', {
            userName: user.userName,
            count: user.sessions,
          })}
        </p>
      }
      own={ownPassword}
      initial={{ passwordWay: 'made' }}
      fields={passwordFields(true)}
      fieldOf={{ 'password.too_common': 'password' }}
      refreshes={[listUsers]}
      open={open}
      onClose={onClose}
      onSaved={({ initialPassword }) => onReset(initialPassword)}
    />
  );
}
