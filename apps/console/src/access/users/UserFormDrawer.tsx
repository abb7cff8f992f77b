import { listPositions } from '@voltdeck/contract/positions';
import { changeUser, createUser, getUser, listUsers, type User } from '@voltdeck/contract/users';
import { phrase } from '../../phrases.ts';
import { RouteForm } from '../../ui/form/RouteForm.tsx';
import { ownPassword, passwordFields } from './password-fields.ts';

export type UserFormTask = { kind: 'add' } | { kind: 'edit'; user: User };
/** `password` is set when the server generated one. */
type UserSaved = { user: User; password: string | null };

type Props = {
  task: UserFormTask;
  /** Whether agents can be chosen; an agent's users create users for their own agent only. */
  mayChooseAgent: boolean;
  open: boolean;
  onClose: () => void;
  onSaved: (saved: UserSaved) => void;
};

/** Adds or changes a system user. */
export default function UserFormDrawer({ task, mayChooseAgent, open, onClose, onSaved }: Props) {
  const user = task.kind === 'edit' ? task.user : null;
  return (
    <RouteForm
      route={createUser}
      change={changeUser}
      record={user}
      title={user === null ? phrase('users.addTitle') : phrase('users.editTitle', { name: user.realName })}
      submitLabel={phrase(user === null ? 'users.add' : 'users.save')}
      draft={`user ${user?.id ?? 'add'}`}
      own={ownPassword}
      initial={{ passwordWay: 'made' }}
      fields={{
        userName: { label: 'users.userName', kind: 'code', hint: 'users.userNameHint' },
        realName: { label: 'users.realName' },
        phone: { label: 'users.phone', hint: 'users.phoneHint' },
        positionId: { label: 'users.position', hint: 'users.positionHint' },
        ...(mayChooseAgent ? { agentId: { label: 'users.agent', hint: 'users.agentHint' } } : {}),
        ...passwordFields(user === null),
      }}
      fieldOf={{
        'user.name_taken': 'userName',
        'user.phone_taken': 'phone',
        'position.beyond_own': 'positionId',
        'password.too_common': 'password',
      }}
      refreshes={[listUsers, getUser, listPositions]}
      open={open}
      onClose={onClose}
      onSaved={(saved) =>
        onSaved(
          'initialPassword' in saved
            ? { user: saved.user, password: saved.initialPassword }
            : { user: saved, password: null },
        )
      }
    />
  );
}
