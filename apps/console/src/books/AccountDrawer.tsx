import { type AccountMovement, getLedgerAccount } from '@voltdeck/contract/books';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { AccountId } from '@voltdeck/units/id';
import { Drawer, Skeleton } from 'antd';
import { Link } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { to } from '../session/to.ts';
import { useMayGo } from '../session/use-go.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { nothingText, yuanText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { Money } from '../ui/Money.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import styles from './books.module.css';
import { Fact, Facts } from './Facts.tsx';
import { PartyLink, TransferLink } from './PartyLink.tsx';
import { ownerPlace, ownerText, type Party } from './party-words.ts';

const widthPx = 820;

type Account = AnswerOf<typeof getLedgerAccount>;
type Props = { id: AccountId; open: boolean; onClose: () => void };

/** One account: whose it is, what it holds, and what moved last. */
export default function AccountDrawer({ id, open, onClose }: Props) {
  const answer = useAnswer(getLedgerAccount, { params: { id } }, { enabled: open });
  return (
    <Drawer
      title={answer.data === undefined ? phrase('books.account') : phrase(`account-kind.${answer.data.kind}`)}
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <Shown account={answer.data} />
      )}
    </Drawer>
  );
}

function Shown({ account }: { account: Account }) {
  const { key, balanceFen, movements } = account;
  return (
    <>
      <Facts>
        <Fact title={phrase('books.owner')}>
          <OwnerLink party={account} />
        </Fact>
        <Fact title={phrase('books.balance')}>
          <strong>
            <Money fen={balanceFen} />
          </strong>
        </Fact>
        <Fact title={phrase('books.key')}>
          <CopyNumber value={key} />
        </Fact>
      </Facts>
      <div className={styles.headLine}>
        <h3 className={styles.head}>{phrase('books.movements')}</h3>
        <Link to={to('ledgerList', { account: key })}>{phrase('books.allTransfers')}</Link>
      </div>
      <p className={styles.note}>{phrase('books.movementsNote')}</p>
      {movements.length === 0 ? (
        <EmptyState title={phrase('books.noMovements')} />
      ) : (
        <Movements movements={movements} />
      )}
    </>
  );
}

function OwnerLink({ party }: { party: Party }) {
  const mayGo = useMayGo();
  const text = ownerText(party);
  const place = ownerPlace(party);
  if (text === null) return nothingText;
  return place === null || !mayGo(place.screen) ? text : <Link to={place.address}>{text}</Link>;
}

function Movements({ movements }: { movements: readonly AccountMovement[] }) {
  return (
    <ScrollRegion label={phrase('books.movements')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{phrase('books.at')}</th>
            <th scope="col">{phrase('books.reason')}</th>
            <th scope="col">{phrase('books.other')}</th>
            <th scope="col" className={styles.right}>
              {phrase('books.change')}
            </th>
            <th scope="col" className={styles.right}>
              {phrase('books.balanceAfter')}
            </th>
          </tr>
        </thead>
        <tbody>
          {movements.map(({ transferId, line, reason, createdAt, changeFen, balanceAfterFen, other }) => (
            <tr key={`${transferId} ${line}`}>
              <td>
                <Instant at={createdAt} exact />
              </td>
              <td>
                <TransferLink id={transferId}>{phrase(`transfer-reason.${reason}`)}</TransferLink>
              </td>
              <td>
                <PartyLink party={other} />
              </td>
              <td className={`figure ${styles.right}`}>{changeText(changeFen)}</td>
              <td className={`figure ${styles.right}`}>{yuanText(balanceAfterFen)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const changeText = (changeFen: number) => (changeFen > 0 ? `+${yuanText(changeFen)}` : yuanText(changeFen));
