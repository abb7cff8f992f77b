import { endSession, listSignIns, type SignInEntry, signInResults } from '@voltdeck/contract/audit';
import { listUsers } from '@voltdeck/contract/users';
import { App } from 'antd';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { useRefresh } from '../../api/queries.ts';
import { phrase } from '../../phrases.ts';
import { useCan } from '../../session/use-can.ts';
import { useMayOpen } from '../../session/use-may-open.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { nothingText } from '../../ui/figures.ts';
import { Instant } from '../../ui/Instant.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { userChoices } from '../../ui/list/record-choices.ts';
import type { ListColumn, ListFilter, RowAction } from '../../ui/list-page.ts';
import { StateTag } from '../../ui/StateTag.tsx';
import { sessionTones, signInTones } from './sign-in-tones.ts';
import styles from './sign-ins.module.css';

function signInColumns(mayOpen: (path: string) => boolean): ListColumn<typeof listSignIns>[] {
  return [
    {
      key: 'at',
      title: phrase('sign-ins.at'),
      widthPx: 190,
      sort: 'at',
      initiallyPinned: true,
      render: (entry) => <Instant at={entry.at} exact />,
    },
    {
      key: 'name',
      title: phrase('sign-ins.name'),
      hint: phrase('sign-ins.nameHint'),
      widthPx: 124,
      render: (entry) =>
        entry.userName !== null && mayOpen('/user') ? (
          <Link to={`/user?userName=${encodeURIComponent(entry.userName)}`}>{entry.name}</Link>
        ) : (
          entry.name
        ),
    },
    {
      key: 'realName',
      title: phrase('sign-ins.realName'),
      widthPx: 104,
      render: (entry) => entry.realName ?? nothingText,
    },
    {
      key: 'result',
      title: phrase('sign-ins.result'),
      widthPx: 128,
      render: (entry) => (
        <StateTag tone={signInTones[entry.result]}>{phrase(`sign-in-result.${entry.result}`)}</StateTag>
      ),
    },
    {
      key: 'address',
      title: phrase('sign-ins.address'),
      widthPx: 132,
      render: (entry) => <span className={styles.mono}>{entry.remoteAddress}</span>,
    },
    {
      key: 'browser',
      title: phrase('sign-ins.browser'),
      widthPx: 112,
      render: (entry) => entry.browser || nothingText,
    },
    { key: 'system', title: phrase('sign-ins.system'), widthPx: 104, render: (entry) => entry.system || nothingText },
    {
      key: 'session',
      title: phrase('sign-ins.session'),
      widthPx: 196,
      render: (entry) =>
        entry.sessionState === null ? (
          nothingText
        ) : (
          <span className={styles.session}>
            <StateTag tone={sessionTones[entry.sessionState]}>{phrase(`session-state.${entry.sessionState}`)}</StateTag>
            {entry.isThis ? <span className={styles.mine}>{phrase('sign-ins.thisSession')}</span> : null}
          </span>
        ),
    },
    {
      key: 'lastUsed',
      title: phrase('sign-ins.lastUsed'),
      widthPx: 148,
      initiallyHidden: true,
      render: (entry) => <Instant at={entry.lastUsedAt} />,
    },
    {
      key: 'userAgent',
      title: phrase('sign-ins.userAgent'),
      widthPx: 280,
      initiallyHidden: true,
      render: (entry) => entry.userAgent,
    },
  ];
}

function signInFilters(mayFindUsers: boolean): ListFilter<typeof listSignIns>[] {
  const user = { kind: 'record', name: 'userId', label: phrase('sign-ins.user'), ...userChoices } as const;
  return [
    { kind: 'text', name: 'name', label: phrase('sign-ins.name') },
    {
      kind: 'choice',
      name: 'result',
      label: phrase('sign-ins.result'),
      choices: signInResults.map((value) => ({ value, label: phrase(`sign-in-result.${value}`) })),
    },
    {
      kind: 'flag',
      name: 'open',
      label: phrase('sign-ins.session'),
      yes: phrase('sign-ins.openOnly'),
      no: phrase('sign-ins.closedOnly'),
    },
    { kind: 'period', name: 'period', label: phrase('sign-ins.at'), from: 'from', to: 'to' },
    ...(mayFindUsers ? [user] : []),
    { kind: 'text', name: 'remoteAddress', label: phrase('sign-ins.address') },
  ];
}

function whoOf(entry: SignInEntry): string {
  const name = entry.userName ?? entry.name;
  return entry.realName === null ? name : phrase('sign-ins.who', { realName: entry.realName, name });
}

/** Attempts to sign in, and the sessions that came of them; /signInLog. */
export default function SignInLogPage() {
  const can = useCan();
  const mayOpen = useMayOpen();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const { message } = App.useApp();

  const end = (entry: SignInEntry, id: NonNullable<SignInEntry['sessionId']>) =>
    void confirm({
      question: phrase('sign-ins.endQuestion', { who: whoOf(entry), browser: entry.browser, system: entry.system }),
      details: phrase('sign-ins.endDetails', { address: entry.remoteAddress }),
      verb: phrase('sign-ins.end'),
      danger: true,
      act: async () => {
        await call(endSession, { params: { id } });
        message.success(phrase('sign-ins.ended', { who: whoOf(entry) }));
        await refresh(listSignIns, listUsers);
      },
    });

  const actsOf = (entry: SignInEntry): RowAction[] => {
    const { sessionId, sessionState, isThis } = entry;
    if (sessionId === null || !can('session.end')) return [];
    const because = isThis
      ? phrase('sign-ins.endOwn')
      : sessionState === 'open'
        ? undefined
        : phrase('sign-ins.endedAlready');
    return [{ key: 'end', label: phrase('sign-ins.end'), danger: true, because, onClick: () => end(entry, sessionId) }];
  };

  return (
    <ListPage
      name="sign-ins"
      title={phrase('sign-ins.title')}
      route={listSignIns}
      rowKey={(entry) => entry.id}
      rowName={(entry) => phrase('sign-ins.rowName', { who: whoOf(entry) })}
      filters={signInFilters(can('user.read'))}
      columns={signInColumns(mayOpen)}
      {...(can('session.end') ? { rowActions: actsOf } : {})}
      empty={{ title: phrase('sign-ins.empty') }}
    />
  );
}
