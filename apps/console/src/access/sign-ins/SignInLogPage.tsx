import { endSession, listSignIns, type SignInEntry } from '@voltdeck/contract/audit';
import { listUsers } from '@voltdeck/contract/users';
import { call } from '../../api/call.ts';
import { phrase } from '../../phrases.ts';
import { place } from '../../session/place.ts';
import { nothingText } from '../../ui/figures.ts';
import { findable } from '../../ui/is-masked.ts';
import { ListPage } from '../../ui/ListPage.tsx';
import type { Acts, Filters, ListPageProps } from '../../ui/list-page.ts';
import { StateTag } from '../../ui/StateTag.tsx';
import { sessionTones, signInTones } from './sign-in-tones.ts';
import styles from './sign-ins.module.css';

const filters: Filters<typeof listSignIns> = {
  name: {},
  result: {},
  open: { title: 'sign-ins.session', words: ['sign-ins.openOnly', 'sign-ins.closedOnly'] },
  from: { title: 'sign-ins.at' },
  userId: { title: 'sign-ins.user', may: ({ user }) => user.permissions.includes('user.read') },
  remoteAddress: {},
};

const look: ListPageProps<typeof listSignIns>['look'] = {
  at: { widthPx: 190, isPinned: true, isExact: true },
  name: { link: ({ userName }) => (userName === null ? null : place('user', { userName: findable(userName) })) },
  result: { widthPx: 128, tone: ({ result }) => signInTones[result] },
  remoteAddress: { widthPx: 132 },
  sessionState: {
    widthPx: 196,
    render: ({ sessionState, isThis }) =>
      sessionState === null ? (
        nothingText
      ) : (
        <span className={styles.session}>
          <StateTag tone={sessionTones[sessionState]}>{phrase(`session-state.${sessionState}`)}</StateTag>
          {isThis ? <span className={styles.mine}>{phrase('sign-ins.thisSession')}</span> : null}
        </span>
      ),
  },
  lastUsedAt: { isHidden: true },
  userAgent: { widthPx: 280, isHidden: true },
};

function whoOf({ userName, name, realName }: SignInEntry): string {
  const shown = userName ?? name;
  return realName === null ? shown : phrase('sign-ins.who', { realName, name: shown });
}

const acts: Acts<SignInEntry> = {
  end: {
    on: 'row',
    label: 'sign-ins.end',
    may: 'session.end',
    danger: true,
    isFor: ({ sessionId }) => sessionId !== null,
    because: ({ isThis, sessionState }) => {
      if (isThis) return phrase('sign-ins.endOwn');
      return sessionState === 'open' ? undefined : phrase('sign-ins.endedAlready');
    },
    deed: (entry) => ({
      ask: {
        question: phrase('sign-ins.endQuestion', { who: whoOf(entry), browser: entry.browser, system: entry.system }),
        details: phrase('sign-ins.endDetails', { address: entry.remoteAddress }),
        verb: phrase('sign-ins.end'),
      },
      do: async (idempotencyKey) => {
        if (entry.sessionId === null) return null;
        await call(endSession, { params: { id: entry.sessionId }, idempotencyKey });
        return phrase('sign-ins.ended', { who: whoOf(entry) });
      },
    }),
    changes: [listUsers],
  },
};

/** Sign-in attempts and their sessions; /signInLog. */
export default function SignInLogPage() {
  return (
    <ListPage
      list={listSignIns}
      title="sign-ins.title"
      nameOf={(entry) => phrase('sign-ins.rowName', { who: whoOf(entry) })}
      filters={filters}
      look={look}
      acts={acts}
      empty={{ title: 'sign-ins.empty' }}
    />
  );
}
