import {
  findRechargeTargets,
  type Recharge,
  type RechargeTarget,
  rechargeTargetTextMin,
} from '@voltdeck/contract/payments';
import { listPaymentChannels } from '@voltdeck/contract/recharge-codes';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { CardId, CustomerId } from '@voltdeck/units/id';
import { App, Button, Input, Skeleton } from 'antd';
import { Suspense, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { moneyText } from '../ui/figures.ts';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { cardTones } from '../ui/state-colours.ts';
import { useAddress } from '../ui/use-address.ts';
import { withWords } from '../words.ts';
import { Figure } from './Figure.tsx';
import styles from './recharge.module.css';
import { targetName } from './target-name.ts';

/** Lazy: finding comes first. */
const RechargeForm = lazyPart(() => import('./RechargeForm.tsx'));
const RechargeByCode = lazyPart(withWords(['rechargeCodes'], () => import('./RechargeByCode.tsx')));

type Found = AnswerOf<typeof findRechargeTargets>;
type Chosen = { cardId: CardId } | { customerId: CustomerId };
/** Money that is in hand, or a code that the payer scans. */
type Way = 'cash' | 'code';

const madeMax = 20;

/** The card or the registered user that the address names. */
function useChosen(): Chosen | null {
  const cardId = useRecordId<CardId>('cardId');
  const customerId = useRecordId<CustomerId>('customerId');
  if (cardId !== null) return { cardId };
  return customerId === null ? null : { customerId };
}

const keyOf = ({ cardId, customerId }: RechargeTarget) =>
  cardId === null ? `customer ${customerId}` : `card ${cardId}`;

/** Puts money on a card or a registered user, found by number or phone; /recharge. */
export default function RechargePage() {
  const can = useCan();
  const { message } = App.useApp();
  const [search, setSearch] = useAddress();
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const [made, setMade] = useState<readonly Recharge[]>([]);
  const chosen = useChosen();
  const mayRecharge = can('recharge.create');
  const isAsking = asked.length >= rechargeTargetTextMin;
  const found = useAnswer(
    findRechargeTargets,
    { query: { text: asked } },
    { enabled: mayRecharge && isAsking, staleMs: 0 },
  );
  const named = useAnswer(
    findRechargeTargets,
    { query: chosen ?? {} },
    { enabled: mayRecharge && chosen !== null, staleMs: 0 },
  );
  const channels = useAnswer(listPaymentChannels, {}, { enabled: mayRecharge }).data?.channels ?? [];
  const isByCode = search.get('by') === 'code';
  const choose = (next: Chosen | null, way: Way = 'cash') =>
    setSearch(
      (current) => {
        const after = new URLSearchParams(current);
        after.delete('cardId');
        after.delete('customerId');
        after.delete('by');
        if (way === 'code') after.set('by', way);
        for (const [name, id] of Object.entries(next ?? {})) after.set(name, String(id));
        return after;
      },
      { replace: true },
    );
  const target = chosen === null ? undefined : named.data?.targets[0];
  const isGone = chosen !== null && named.data !== undefined && target === undefined;

  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{phrase('recharges.pageTitle')}</h1>
      <Panel title={phrase('recharges.find')}>
        <Input.Search
          className={styles.find ?? ''}
          size="large"
          aria-label={phrase('recharges.findLabel')}
          placeholder={phrase('recharges.findHint')}
          maxLength={20}
          value={text}
          disabled={!mayRecharge}
          enterButton={phrase('recharges.findVerb')}
          autoComplete="off"
          onChange={({ target: { value } }) => setText(value)}
          onSearch={(typed) => {
            setAsked(typed.trim());
            if (typed.trim() === asked) void found.refetch();
          }}
        />
        {mayRecharge ? null : <p className={styles.quiet}>{phrase('error.access.denied')}</p>}
        {asked !== '' && !isAsking ? <p className={styles.quiet}>{phrase('recharges.findHint')}</p> : null}
        {isAsking ? <Targets text={asked} found={found} hasCodes={channels.length > 0} onChoose={choose} /> : null}
        {isGone ? <EmptyState title={phrase('error.record.not_found')} /> : null}
        {chosen !== null && named.isError ? (
          <ErrorState failure={named.error} retry={() => void named.refetch()} />
        ) : null}
      </Panel>
      {made.length === 0 ? null : <Made recharges={made} />}
      {target === undefined ? null : (
        <Suspense key={`${keyOf(target)} ${isByCode}`}>
          {isByCode ? (
            <RechargeByCode
              target={target}
              channels={channels}
              open={chosen !== null && channels.length > 0}
              onClose={() => choose(null)}
            />
          ) : (
            <RechargeForm
              target={target}
              prepaidFen={named.data?.prepaidFen ?? null}
              open={chosen !== null}
              onClose={() => choose(null)}
              onDone={(recharge) => {
                setMade((before) => [recharge, ...before].slice(0, madeMax));
                message.success(
                  phrase('recharges.done', { target: targetName(recharge), amount: moneyText(recharge.amountFen) }),
                );
              }}
            />
          )}
        </Suspense>
      )}
    </div>
  );
}

type TargetsProps = {
  text: string;
  found: ReturnType<typeof useAnswer<typeof findRechargeTargets>>;
  /** Whether a payment channel is on. */
  hasCodes: boolean;
  onChoose: (chosen: Chosen, way: Way) => void;
};

/** The cards and users that the text finds, each with its balance. */
function Targets({ text, found, hasCodes, onChoose }: TargetsProps) {
  if (found.isPending) return <Skeleton active paragraph={{ rows: 3 }} className={styles.found ?? ''} />;
  if (found.data === undefined) return <ErrorState failure={found.error} retry={() => void found.refetch()} />;
  const { targets } = found.data as Found;
  if (targets.length === 0) {
    return (
      <EmptyState
        title={phrase('recharges.nobody', { text })}
        text={phrase('recharges.nobodyText')}
        action={
          <span className={styles.links}>
            <ScreenLink screen="cardList">{phrase('recharges.toCards')}</ScreenLink>
            <ScreenLink screen="registerUser">{phrase('recharges.toCustomers')}</ScreenLink>
          </span>
        }
      />
    );
  }
  return (
    <ul className={styles.found} aria-label={phrase('recharges.found')}>
      {targets.map((target) => (
        <li key={keyOf(target)} className={styles.target}>
          <TargetName target={target} />
          <dl className={styles.balances}>
            <Figure label={phrase('recharges.balance')} amountFen={target.balanceFen} />
            {target.heldFen === 0 ? null : <Figure label={phrase('recharges.held')} amountFen={target.heldFen} />}
            {target.owedFen === 0 ? null : <Figure label={phrase('recharges.owed')} amountFen={target.owedFen} />}
          </dl>
          <Choose target={target} hasCodes={hasCodes} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  );
}

function TargetName({ target }: { target: RechargeTarget }) {
  const { cardNumber, customerPhone, nickname, cardState } = target;
  return (
    <span className={styles.name}>
      <span className={styles.kind}>
        {phrase(cardNumber === null ? 'recharges.customer' : 'recharges.card')}
        {cardState === null || cardState === 'active' ? null : (
          <StateTag tone={cardTones[cardState]}>{phrase(`card-state.${cardState}`)}</StateTag>
        )}
      </span>
      <CopyNumber value={cardNumber ?? customerPhone ?? ''} />
      <span className={styles.quiet}>
        {cardNumber === null
          ? nickname
          : customerPhone === null
            ? phrase('recharges.noHolder')
            : `${nickname ?? ''} ${customerPhone}`}
      </span>
    </span>
  );
}

function Choose({
  target,
  hasCodes,
  onChoose,
}: { target: RechargeTarget } & Pick<TargetsProps, 'hasCodes' | 'onChoose'>) {
  const { cardId, customerId, cardState } = target;
  if (cardState !== null && cardState !== 'active') {
    return (
      <span className={styles.quiet}>
        {phrase('recharges.notUsable', { state: phrase(`card-state.${cardState}`) })}
      </span>
    );
  }
  const chosen = cardId === null ? (customerId === null ? null : { customerId }) : { cardId };
  if (chosen === null) return null;
  return (
    <span className={styles.ways}>
      {hasCodes ? (
        <Button
          aria-label={`${phrase('recharges.byCode')} ${targetName(target)}`}
          onClick={() => onChoose(chosen, 'code')}
        >
          {phrase('recharges.byCode')}
        </Button>
      ) : null}
      <Button
        type="primary"
        aria-label={`${phrase('recharges.recharge')} ${targetName(target)}`}
        onClick={() => onChoose(chosen, 'cash')}
      >
        {phrase('recharges.recharge')}
      </Button>
    </span>
  );
}

/** What was put on in this visit, with the balances before and after. */
function Made({ recharges }: { recharges: readonly Recharge[] }) {
  return (
    <Panel title={phrase('recharges.made')}>
      <ul className={styles.made}>
        {recharges.map((recharge) => (
          <li key={recharge.id}>
            <strong>
              {phrase('recharges.done', { target: targetName(recharge), amount: moneyText(recharge.amountFen) })}
            </strong>
            <span className="figure">
              {phrase('recharges.doneBalance', {
                before: moneyText(recharge.balanceBeforeFen),
                after: moneyText(recharge.balanceAfterFen),
              })}
            </span>
            <ScreenLink screen="chongzhiRecods" query={{ view: 'recharges', number: recharge.number }}>
              {recharge.number}
            </ScreenLink>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
