import { PlusOutlined } from '@ant-design/icons';
import { listSignIns } from '@voltdeck/contract/audit';
import { enableUser, getUser, listUsers, signOutUser, type User, userKinds } from '@voltdeck/contract/users';
import { App, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '../../api/call.ts';
import { useRefresh } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { useSession } from '../../session/session.ts';
import { useCan } from '../../session/use-can.ts';
import { useMayOpen } from '../../session/use-may-open.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { nothingText } from '../../ui/figures.ts';
import { Instant } from '../../ui/Instant.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { agentChoices, positionChoices } from '../../ui/list/record-choices.ts';
import type { ListColumn, ListFilter, RowAction } from '../../ui/list-page.ts';
import { StateTag } from '../../ui/StateTag.tsx';
import { enabledTone } from '../../ui/state-colours.ts';
import { useReopenedDraft } from '../../ui/use-draft.ts';
import { useTell } from '../../ui/use-tell.ts';
import type { UserFormTask, UserSaved } from './UserFormDrawer.tsx';
import { maskedPhone } from './user-form-body.ts';
import styles from './users.module.css';

const UserFormDrawer = lazy(() => import('./UserFormDrawer.tsx'));
const ResetPasswordForm = lazy(() => import('./ResetPasswordForm.tsx'));
const PasswordOnce = lazy(() => import('./PasswordOnce.tsx'));

const isAwaiting = (user: User) => user.positionId === null && !user.admin;

function userColumns(isWhole: boolean, mayOpen: (path: string) => boolean): ListColumn<typeof listUsers>[] {
  return [
    {
      key: 'userName',
      title: phrase('users.userName'),
      widthPx: 128,
      sort: 'userName',
      initiallyPinned: true,
      render: (user) => <span className={styles.mono}>{user.userName}</span>,
    },
    { key: 'realName', title: phrase('users.realName'), widthPx: 100, render: (user) => user.realName },
    {
      key: 'phone',
      title: phrase('users.phone'),
      widthPx: 120,
      render: (user) => (
        <span className="figure">
          {user.phone === null ? nothingText : isWhole ? user.phone : maskedPhone(user.phone)}
        </span>
      ),
    },
    {
      key: 'position',
      title: phrase('users.position'),
      widthPx: 132,
      render: (user) =>
        isAwaiting(user) ? (
          <StateTag tone="occupied">{phrase('users.awaiting')}</StateTag>
        ) : (
          (user.positionName ?? phrase('users.admin'))
        ),
    },
    {
      key: 'enabled',
      title: phrase('users.enabled'),
      widthPx: 88,
      render: (user) => (
        <StateTag tone={enabledTone(user.enabled)}>
          {phrase(user.enabled ? 'station-state.enabled' : 'station-state.disabled')}
        </StateTag>
      ),
    },
    {
      key: 'sessions',
      title: phrase('users.sessions'),
      hint: phrase('users.sessionsHint'),
      widthPx: 88,
      align: 'right',
      render: (user) =>
        user.sessions > 0 && mayOpen('/signInLog') ? (
          <Link className="figure" to={`/signInLog?userId=${user.id}&open=true`}>
            {user.sessions}
          </Link>
        ) : (
          <span className="figure">{user.sessions}</span>
        ),
    },
    {
      key: 'lastLogin',
      title: phrase('users.lastLogin'),
      widthPx: 204,
      sort: 'lastLoginAt',
      render: (user) =>
        user.lastLoginAt === null ? (
          phrase('users.neverSignedIn')
        ) : (
          <span className={styles.login}>
            <Instant at={user.lastLoginAt} />
            <span className={`${styles.quiet} ${styles.mono}`}>{user.lastLoginAddress}</span>
          </span>
        ),
    },
    {
      key: 'agent',
      title: phrase('users.agent'),
      widthPx: 112,
      render: (user) => user.agentName ?? phrase('users.platform'),
    },
    { key: 'kind', title: phrase('users.kind'), widthPx: 92, render: (user) => phrase(`user-kind.${user.kind}`) },
    {
      key: 'createdAt',
      title: phrase('users.createdAt'),
      widthPx: 148,
      sort: 'createdAt',
      initiallyHidden: true,
      render: (user) => <Instant at={user.createdAt} />,
    },
  ];
}

function userFilters(hasAgents: boolean): ListFilter<typeof listUsers>[] {
  const agent = { kind: 'record', name: 'agentId', label: phrase('users.agent'), ...agentChoices } as const;
  return [
    { kind: 'text', name: 'text', label: phrase('users.anyName') },
    {
      kind: 'flag',
      name: 'awaiting',
      label: phrase('users.position'),
      yes: phrase('users.awaiting'),
      no: phrase('users.hasPosition'),
    },
    {
      kind: 'flag',
      name: 'enabled',
      label: phrase('users.enabled'),
      yes: phrase('station-state.enabled'),
      no: phrase('station-state.disabled'),
    },
    { kind: 'record', name: 'positionId', label: phrase('users.positionNamed'), ...positionChoices },
    {
      kind: 'choice',
      name: 'kind',
      label: phrase('users.kind'),
      choices: userKinds.map((value) => ({ value, label: phrase(`user-kind.${value}`) })),
    },
    ...(hasAgents ? [agent] : []),
    { kind: 'text', name: 'userName', label: phrase('users.userName'), maxLength: 32 },
    { kind: 'text', name: 'realName', label: phrase('users.realName'), maxLength: 32 },
    { kind: 'text', name: 'phone', label: phrase('users.phone'), maxLength: 20 },
  ];
}

type Overlay = { kind: 'form'; task: UserFormTask } | { kind: 'reset'; user: User };
type Told = { user: User; password: string };

/** System users: who may sign in, with which position, and from where they last did; /user. */
export default function UserListPage() {
  const can = useCan();
  const mayOpen = useMayOpen();
  const confirm = useConfirm();
  const tellFailure = useTell();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const { message } = App.useApp();
  const { user: caller } = useSession();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [told, setTold] = useState<Told | null>(null);
  const [isTelling, setTelling] = useState(false);
  const hasAgents = can('agent.read') || can('station.read') || can('order.read');
  const show = (next: Overlay) => {
    setOverlay(next);
    setOpen(true);
  };
  useReopenedDraft('user add', () => show({ kind: 'form', task: { kind: 'add' } }));
  const tell = (user: User, password: string) => {
    setTold({ user, password });
    setTelling(true);
  };

  const onSaved = ({ user, password }: UserSaved) => {
    message.success(phrase('users.saved', { name: user.realName }));
    if (password !== null) tell(user, password);
  };

  const enable = (user: User) => {
    const enabled = !user.enabled;
    const act = async () => {
      await call(enableUser, { params: { id: user.id }, body: { enabled } });
      message.success(phrase(enabled ? 'users.enabledNow' : 'users.disabledNow', { name: user.realName }));
      await refresh(listUsers, getUser, listSignIns);
    };
    if (enabled) return void act().catch(tellFailure);
    return void confirm({
      question: phrase('users.disableQuestion', { name: user.realName, userName: user.userName }),
      details: phrase(user.sessions === 0 ? 'users.disableDetails' : 'users.disableDetailsSessions', {
        count: user.sessions,
      }),
      verb: phrase('users.disable'),
      danger: true,
      act,
    });
  };

  const signOut = (user: User) =>
    void confirm({
      question: phrase('users.signOutQuestion', { name: user.realName, count: user.sessions }),
      details: phrase('users.signOutDetails'),
      verb: phrase('users.signOut'),
      danger: true,
      act: async () => {
        const { ended } = await call(signOutUser, { params: { id: user.id } });
        message.success(phrase('users.signedOut', { name: user.realName, count: ended }));
        await refresh(listUsers, listSignIns);
      },
    });

  const actsOf = (user: User): RowAction[] => {
    const isAdminOnly = user.admin && !caller.admin ? phrase('users.adminOnly') : undefined;
    const isSelf = user.id === caller.id ? phrase('error.user.yourself') : undefined;
    return [
      ...(can('user.edit')
        ? [
            {
              key: 'edit',
              label: phrase(isAwaiting(user) ? 'users.givePosition' : 'users.edit'),
              because: isAdminOnly,
              onClick: () => show({ kind: 'form', task: { kind: 'edit', user } }),
            },
          ]
        : []),
      ...(can('user.reset_password')
        ? [
            {
              key: 'reset',
              label: phrase('users.reset'),
              because: isAdminOnly ?? isSelf,
              onClick: () => show({ kind: 'reset', user }),
            },
          ]
        : []),
      ...(mayOpen('/signInLog')
        ? [
            {
              key: 'signIns',
              label: phrase('users.showSignIns'),
              onClick: () => navigate(`/signInLog?userId=${user.id}`),
            },
          ]
        : []),
      ...(mayOpen('/auditLog')
        ? [{ key: 'audit', label: phrase('users.showAudit'), onClick: () => navigate(`/auditLog?userId=${user.id}`) }]
        : []),
      ...(can('user.sign_out')
        ? [
            {
              key: 'signOut',
              label: phrase('users.signOut'),
              because: user.sessions === 0 ? phrase('users.noSessions') : isAdminOnly,
              onClick: () => signOut(user),
            },
          ]
        : []),
      ...(can('user.edit')
        ? [
            {
              key: 'enable',
              label: phrase(user.enabled ? 'users.disable' : 'users.enable'),
              because: isAdminOnly ?? isSelf,
              danger: user.enabled,
              onClick: () => enable(user),
            },
          ]
        : []),
    ];
  };

  const add = can('user.edit') ? (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ kind: 'form', task: { kind: 'add' } })}>
      {phrase('users.add')}
    </Button>
  ) : null;

  return (
    <>
      <ListPage
        name="users"
        title={phrase('users.title')}
        route={listUsers}
        rowKey={(user) => user.id}
        rowName={(user) => `${phrase('users.user')} ${user.userName}`}
        filters={userFilters(hasAgents)}
        columns={userColumns(can('user.edit'), mayOpen)}
        toolbar={add}
        rowActions={actsOf}
        empty={{ title: phrase('users.empty'), action: add }}
      />
      <Suspense>
        {overlay?.kind === 'form' ? (
          <UserFormDrawer
            key={overlay.task.kind === 'add' ? 'add' : overlay.task.user.id}
            task={overlay.task}
            mayChooseAgent={hasAgents && caller.dataScope === 'platform'}
            open={isOpen}
            onClose={() => setOpen(false)}
            onSaved={onSaved}
          />
        ) : null}
        {overlay?.kind === 'reset' ? (
          <ResetPasswordForm
            key={overlay.user.id}
            user={overlay.user}
            open={isOpen}
            onClose={() => setOpen(false)}
            onReset={(password) => {
              message.success(phrase('users.resetDone', { name: overlay.user.realName }));
              if (password !== null) tell(overlay.user, password);
            }}
          />
        ) : null}
        {told === null ? null : (
          <PasswordOnce
            userName={told.user.userName}
            realName={told.user.realName}
            password={told.password}
            open={isTelling}
            onClose={() => setTelling(false)}
          />
        )}
      </Suspense>
    </>
  );
}
