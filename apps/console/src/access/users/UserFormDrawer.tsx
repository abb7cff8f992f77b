import { listPositions } from '@voltdeck/contract/positions';
import { changeUser, createUser, getUser, listUsers, type User } from '@voltdeck/contract/users';
import { Form, Input } from 'antd';
import { call } from '../../api/call.ts';
import { useRefresh } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { FormDrawer } from '../../ui/FormDrawer.tsx';
import { agentChoices, positionChoices } from '../../ui/list/record-choices.ts';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { PasswordFields } from './PasswordFields.tsx';
import { bodyOf, passwordOf, type UserValues, valuesOf } from './user-form-body.ts';
import styles from './users.module.css';

export type UserFormTask = { kind: 'add' } | { kind: 'edit'; user: User };
/** `password` is told when the server has made one. */
export type UserSaved = { user: User; password: string | null };

type Props = {
  task: UserFormTask;
  /** Whether agents can be chosen; an agent's people make users of their own agent. */
  mayChooseAgent: boolean;
  open: boolean;
  onClose: () => void;
  onSaved: (saved: UserSaved) => void;
};

/** Add or edit a system user. */
export default function UserFormDrawer({ task, mayChooseAgent, open, onClose, onSaved }: Props) {
  const refresh = useRefresh();
  const edited = task.kind === 'edit' ? task.user : null;
  const required = { required: true, whitespace: true, message: phrase('field.required') };

  const save = async (values: UserValues, idempotencyKey: string): Promise<UserSaved> => {
    const body = bodyOf(values, mayChooseAgent);
    if (edited !== null) {
      return { user: await call(changeUser, { params: { id: edited.id }, body, quiet: true }), password: null };
    }
    const { user, initialPassword } = await call(createUser, {
      body: { ...body, userName: values.userName.trim(), ...passwordOf(values) },
      idempotencyKey,
      quiet: true,
    });
    return { user, password: initialPassword };
  };

  return (
    <FormDrawer<UserValues, UserSaved>
      title={edited === null ? phrase('users.addTitle') : phrase('users.editTitle', { name: edited.realName })}
      open={open}
      onClose={onClose}
      draftKey={`user ${edited?.id ?? 'add'}`}
      initial={edited === null ? { passwordWay: 'made' } : valuesOf(edited)}
      submitLabel={phrase(edited === null ? 'users.add' : 'users.save')}
      submit={save}
      fieldOf={{
        'user.name_taken': 'userName',
        'user.phone_taken': 'phone',
        'position.beyond_own': 'positionId',
        'password.too_common': 'password',
      }}
      onDone={(saved) => {
        void refresh(listUsers, getUser, listPositions);
        onSaved(saved);
      }}
    >
      <Form.Item
        name="userName"
        label={phrase('users.userName')}
        {...(edited === null ? { extra: phrase('users.userNameHint') } : {})}
        rules={[
          required,
          { pattern: /^\s*[\p{Script=Han}A-Za-z0-9._-]{1,32}\s*$/u, message: phrase('users.userNameFormat') },
        ]}
      >
        <Input maxLength={32} disabled={edited !== null} autoComplete="off" className={styles.mono} />
      </Form.Item>
      <Form.Item name="realName" label={phrase('users.realName')} rules={[required]}>
        <Input maxLength={32} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="phone"
        label={phrase('users.phone')}
        extra={phrase('users.phoneHint')}
        validateFirst
        rules={[
          { pattern: /^\s*\d*\s*$/, message: phrase('field.phone_digits') },
          { pattern: /^\s*\d{11}\s*$/, message: phrase('field.phone_length') },
        ]}
      >
        <Input maxLength={13} inputMode="numeric" autoComplete="off" />
      </Form.Item>
      <Form.Item name="positionId" label={phrase('users.position')} extra={phrase('users.positionHint')}>
        <RecordSelect optional search={positionChoices.search} initialName={edited?.positionName} />
      </Form.Item>
      {mayChooseAgent ? (
        <Form.Item name="agentId" label={phrase('users.agent')} extra={phrase('users.agentHint')}>
          <RecordSelect optional search={agentChoices.search} initialName={edited?.agentName} />
        </Form.Item>
      ) : null}
      {edited === null ? <PasswordFields /> : null}
    </FormDrawer>
  );
}
