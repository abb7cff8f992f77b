import { listSignIns } from '@voltdeck/contract/audit';
import { enableUser, getUser, listUsers, signOutUser, type User } from '@voltdeck/contract/users';
import { call } from '../../api/call.ts';
import { lazyPart } from '../../api/lazy-part.ts';
import { phrase } from '../../phrases.ts';
import { place } from '../../session/place.ts';
import { isPlatform, seesAgents } from '../../session/reach.ts';
import { type Session, useSession } from '../../session/session.ts';
import { Instant } from '../../ui/Instant.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { enabling } from '../../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps, OverlayProps } from '../../ui/list-page.ts';
import { StateTag } from '../../ui/StateTag.tsx';
import { enabledTone } from '../../ui/state-colours.ts';
import type { UserFormTask } from './UserFormDrawer.tsx';
import styles from './users.module.css';

const UserFormDrawer = lazyPart(() => import('./UserFormDrawer.tsx'));
const ResetPasswordForm = lazyPart(() => import('./ResetPasswordForm.tsx'));
const PasswordOnce = lazyPart(() => import('./PasswordOnce.tsx'));

const isAwaiting = (user: User) => user.positionId === null && !user.admin;

const filters: Filters<typeof listUsers> = {
  text: { title: 'users.anyName' },
  awaiting: { title: 'users.position', words: ['users.awaiting', 'users.hasPosition'] },
  enabled: {},
  positionId: { title: 'users.positionNamed' },
  kind: {},
  agentId: { title: 'users.agent', may: seesAgents },
  userName: {},
  realName: {},
  phone: {},
};

const look: ListPageProps<typeof listUsers>['look'] = {
  userName: { widthPx: 128, isPinned: true },
  realName: { widthPx: 124 },
  phone: { widthPx: 136 },
  positionName: {
    widthPx: 156,
    render: (user) =>
      isAwaiting(user) ? (
        <StateTag tone="occupied">{phrase('users.awaiting')}</StateTag>
      ) : (
        (user.positionName ?? phrase('users.admin'))
      ),
  },
  enabled: { widthPx: 108, tone: ({ enabled }) => enabledTone(enabled) },
  sessions: {
    link: ({ id, sessions }) => (sessions === 0 ? null : place('signInLog', { userId: id, open: true })),
  },
  lastLoginAt: {
    widthPx: 184,
    render: ({ lastLoginAt, lastLoginAddress }) =>
      lastLoginAt === null ? (
        phrase('users.neverSignedIn')
      ) : (
        <span className={styles.login}>
          <Instant at={lastLoginAt} />
          <span className={`${styles.quiet} ${styles.mono}`}>{lastLoginAddress}</span>
        </span>
      ),
  },
  createdAt: { isHidden: true },
};

function UserForm({ task, over: { open, close, show, tell } }: { task: UserFormTask; over: OverlayProps<User> }) {
  const session = useSession();
  return (
    <UserFormDrawer
      task={task}
      mayChooseAgent={isPlatform(session) && seesAgents(session)}
      open={open}
      onClose={close}
      onSaved={({ user, password }) => {
        tell(phrase('users.saved', { name: user.realName }));
        if (password !== null) show('password', [user], password);
      }}
    />
  );
}

const adminOnly = (user: User, { user: caller }: Session) =>
  user.admin && !caller.admin ? phrase('users.adminOnly') : undefined;
const notOwnAccount = (user: User, session: Session) =>
  adminOnly(user, session) ?? (user.id === session.user.id ? phrase('error.user.yourself') : undefined);

const acts: Acts<User> = {
  add: {
    on: 'list',
    label: 'users.add',
    may: 'user.edit',
    overlay: (over) => <UserForm task={{ kind: 'add' }} over={over} />,
  },
  edit: {
    on: 'row',
    label: (user) => (isAwaiting(user) ? 'users.givePosition' : 'users.edit'),
    may: 'user.edit',
    because: adminOnly,
    overlay: (user, over) => <UserForm task={{ kind: 'edit', user }} over={over} />,
  },
  reset: {
    on: 'row',
    label: 'users.reset',
    may: 'user.reset_password',
    because: notOwnAccount,
    overlay: (user, { open, close, show, tell }) => (
      <ResetPasswordForm
        user={user}
        open={open}
        onClose={close}
        onReset={(password) => {
          tell(phrase('users.resetDone', { name: user.realName }));
          if (password !== null) show('password', [user], password);
        }}
      />
    ),
  },
  /** Shown once, to whoever created it. */
  password: {
    on: 'row',
    label: 'users.reset',
    may: ['user.edit', 'user.reset_password'],
    isQuiet: true,
    overlay: ({ userName, realName }, { open, close, carried }) =>
      typeof carried === 'string' ? (
        <PasswordOnce userName={userName} realName={realName} password={carried} open={open} onClose={close} />
      ) : null,
  },
  signIns: { on: 'row', label: 'users.showSignIns', leads: ({ id }) => place('signInLog', { userId: id }) },
  audit: { on: 'row', label: 'users.showAudit', leads: ({ id }) => place('auditLog', { userId: id }) },
  signOut: {
    on: 'row',
    label: 'users.signOut',
    may: 'user.sign_out',
    danger: true,
    because: (user, session) => (user.sessions === 0 ? phrase('users.noSessions') : adminOnly(user, session)),
    deed: ({ id, realName: name, sessions }) => ({
      ask: {
        question: phrase('users.signOutQuestion', { name, count: sessions }),
        details: phrase('users.signOutDetails'),
        verb: phrase('users.signOut'),
      },
      do: async (idempotencyKey) => {
        const { ended } = await call(signOutUser, { params: { id }, idempotencyKey });
        return phrase('users.signedOut', { name, count: ended });
      },
    }),
    changes: [listSignIns],
  },
  enable: enabling({
    labels: ['users.enable', 'users.disable'],
    may: 'user.edit',
    because: notOwnAccount,
    question: ({ realName: name, userName }) => phrase('users.disableQuestion', { name, userName }),
    details: ({ sessions: count }) =>
      phrase(count === 0 ? 'users.disableDetails' : 'users.disableDetailsSessions', { count }),
    act: ({ id }, enabled, idempotencyKey) => call(enableUser, { params: { id }, body: { enabled }, idempotencyKey }),
    told: ({ realName: name }, enabled) => phrase(enabled ? 'users.enabledNow' : 'users.disabledNow', { name }),
    changes: [listSignIns],
  }),
};

/** System users: who may sign in, their position and their last sign-in; /user. */
export default function UserListPage() {
  return (
    <ListPage
      list={listUsers}
      title="users.title"
      record="users.user"
      filters={filters}
      look={look}
      acts={acts}
      one={getUser}
      empty={{ title: 'users.empty' }}
    />
  );
}
