import { getLedgerTransfer, type LedgerTransferDetail, reversalRefusals } from '@voltdeck/contract/books';
import type { OrderId, RechargeId, TransferId } from '@voltdeck/units/id';
import { Drawer, Skeleton } from 'antd';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { opened } from '../session/place.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { nothingText, yuanText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { whyActWaits } from '../ui/list/act-waits.ts';
import { Money } from '../ui/Money.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { withWords } from '../words.ts';
import styles from './books.module.css';
import { Fact, Facts } from './Facts.tsx';
import { PartyLink, TransferLink } from './PartyLink.tsx';

/** Lazy: few transfers wait or are reversed. */
const WaitingActs = lazyPart(withWords(['approvals'], () => import('../ui/WaitingActs.tsx')));
const ReverseTransferForm = lazyPart(() => import('./ReverseTransferForm.tsx'));

const widthPx = 720;

type Props = { id: TransferId; position: number | null; open: boolean; onClose: () => void };

/** One transfer: why money moved, both sides of every posting, and what undid it. */
export default function TransferDrawer({ id, position, open, onClose }: Props) {
  const answer = useAnswer(getLedgerTransfer, { params: { id } }, { enabled: open });
  const number = answer.data?.position ?? position;
  return (
    <Drawer
      title={phrase('books.transferTitle', { position: number ?? '' })}
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
        <Shown transfer={answer.data} />
      )}
    </Drawer>
  );
}

function Shown({ transfer }: { transfer: LedgerTransferDetail }) {
  const { reason, amountFen, createdAt, key, postings, reversal, reverses } = transfer;
  return (
    <>
      {transfer.waits.length === 0 ? null : (
        <Suspense>
          <WaitingActs waits={transfer.waits} />
        </Suspense>
      )}
      <Facts>
        <Fact title={phrase('books.reason')}>{phrase(`transfer-reason.${reason}`)}</Fact>
        <Fact title={phrase('books.amount')}>
          <Money fen={amountFen} />
        </Fact>
        <Fact title={phrase('books.at')}>
          <Instant at={createdAt} exact />
        </Fact>
        <Fact title={phrase('books.cause')}>
          <Cause cause={transfer.cause} />
        </Fact>
        <Fact title={phrase('books.transferKey')}>
          <CopyNumber value={key} />
        </Fact>
        {reverses === null ? (
          <Fact title={phrase('books.reversal')}>
            {reversal === null ? (
              <>
                {phrase('books.notReversed')} <Undoing transfer={transfer} />
                <Reversing transfer={transfer} />
              </>
            ) : (
              <>
                <TransferLink id={reversal.id}>{reversal.position}</TransferLink>{' '}
                <Instant at={reversal.createdAt} exact />
              </>
            )}
          </Fact>
        ) : (
          <Fact title={phrase('books.reverses')}>
            <TransferLink id={reverses.id}>{reverses.position}</TransferLink> <Instant at={reverses.createdAt} exact />
          </Fact>
        )}
      </Facts>
      <h3 className={styles.head}>{phrase('books.postings')}</h3>
      <p className={styles.note}>{phrase('books.postingsNote')}</p>
      <ScrollRegion label={phrase('books.postings')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{phrase('books.line')}</th>
              <th scope="col">{phrase('books.from')}</th>
              <th scope="col">{phrase('books.to')}</th>
              <th scope="col" className={styles.right}>
                {phrase('books.fen')}
              </th>
            </tr>
          </thead>
          <tbody>
            {postings.map((posting) => (
              <tr key={posting.line}>
                <td className="figure">{posting.line}</td>
                <td>
                  <PartyLink party={posting.from} />
                </td>
                <td>
                  <PartyLink party={posting.to} />
                </td>
                <td className={`figure ${styles.right}`}>{yuanText(posting.amountFen)}</td>
              </tr>
            ))}
          </tbody>
          {postings.length === 1 ? null : (
            <tfoot>
              <tr>
                <th scope="row" colSpan={3}>
                  {phrase('books.total')}
                </th>
                <td className={`figure ${styles.right}`}>{yuanText(amountFen)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      </ScrollRegion>
    </>
  );
}

/** Reverses what a person entered, unless its wallet is closed or its reversal waits already. */
function Reversing({ transfer }: { transfer: LedgerTransferDetail }) {
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  if (reversalRefusals[transfer.reason] !== null || !can('ledger.reverse')) return null;
  const why = transfer.walletClosed ? phrase('error.reversal.wallet_closed') : whyActWaits('reversal', transfer);
  return (
    <>
      <DisabledReason danger size="small" because={why} onClick={() => setOpen(true)}>
        {phrase('books.reverse')}
      </DisabledReason>
      <Suspense>
        {isOpen ? <ReverseTransferForm transfer={transfer} open onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  );
}

/** The act that undoes a transfer together with the record that it comes from, where one does. */
function Undoing({ transfer: { cause, reason } }: { transfer: LedgerTransferDetail }) {
  const can = useCan();
  if (cause === null || cause.number === null) return null;
  const { kind, id, number } = cause;
  if (kind === 'recharge' && reason === 'recharge' && can('recharge.reverse')) {
    const query = { view: 'recharges', number } as const;
    return (
      <Link to={opened('chongzhiRecods', 'reverse', { of: id as RechargeId }, query).address}>
        {phrase('books.reverseRecharge')}
      </Link>
    );
  }
  if (kind === 'order' && reason === 'charge_settled' && can('order.refund')) {
    return (
      <Link to={opened('orderListHistory', 'refund', { of: id as OrderId }, { number }).address}>
        {phrase('books.refundOrder')}
      </Link>
    );
  }
  return null;
}

function Cause({ cause }: Pick<LedgerTransferDetail, 'cause'>) {
  if (cause === null) return nothingText;
  const { kind, id, number } = cause;
  const text = `${phrase(`books.cause.${kind}`)} ${number ?? id}`;
  switch (kind) {
    case 'order':
      return (
        <ScreenLink screen="orderListDetailHistory" query={{ id: id as OrderId }}>
          {text}
        </ScreenLink>
      );
    case 'recharge':
      return (
        <ScreenLink screen="chongzhiRecods" query={number === null ? {} : { number }}>
          {text}
        </ScreenLink>
      );
    default:
      return text;
  }
}
