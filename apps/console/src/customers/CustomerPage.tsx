import { listCards } from '@voltdeck/contract/cards';
import { type Customer, type CustomerDetail, getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { listDebts } from '@voltdeck/contract/debts';
import { listMovements } from '@voltdeck/contract/movements';
import { listOrders } from '@voltdeck/contract/orders';
import { listVehicles } from '@voltdeck/contract/vehicles';
import type { CustomerId } from '@voltdeck/units/id';
import { addFen } from '@voltdeck/units/money';
import { Skeleton } from 'antd';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { orderScreen } from '../session/order-screen.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { useRecordId } from '../session/use-record-id.ts';
import { CopyNumber } from '../ui/CopyNumber.tsx';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { moneyText, nothingText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { LatestPanel } from '../ui/LatestPanel.tsx';
import { useActs } from '../ui/list/use-acts.tsx';
import { Money } from '../ui/Money.tsx';
import { useOfferedActs } from '../ui/offered-acts.ts';
import { orderStateText } from '../ui/order-state-text.ts';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { cardTones, customerTones, orderTones } from '../ui/state-colours.ts';
import { useTabTitle } from '../ui/tab-title.ts';
import { Avatar } from './Avatar.tsx';
import { actsOfPage } from './customer-acts.tsx';
import styles from './customers.module.css';

/** The latest records of each kind. */
const shownMax = 10;

/** One registered user: the money explained, what it came from and went to, cards, orders, debts; /registerUserDetail?id=. */
export default function CustomerPage() {
  const id = useRecordId<CustomerId>();
  if (id === null) {
    return (
      <EmptyState
        title={phrase('customers.noSuch')}
        action={
          <ScreenLink screen="registerUser">
            {phrase('shell.backToList', { list: phrase('customers.title') })}
          </ScreenLink>
        }
      />
    );
  }
  return <CustomerOf key={id} id={id} />;
}

function CustomerOf({ id }: { id: CustomerId }) {
  const can = useCan();
  const answer = useAnswer(getCustomer, { params: { id } });
  useTabTitle(answer.data?.nickname);
  const { actsOf, overlay } = useActs<Customer>(actsOfPage, answer.data === undefined ? undefined : [answer.data], {
    list: listCustomers,
    one: getCustomer,
  });
  const acts = answer.data === undefined ? [] : actsOf(answer.data);
  useOfferedActs(acts.map((act) => ({ ...act, key: `customer.${act.key}` })));
  if (answer.isPending) return <Skeleton active paragraph={{ rows: 8 }} className={styles.page ?? ''} />;
  if (answer.data === undefined) {
    const absent = {
      title: phrase('customers.noSuch'),
      list: 'registerUser',
      listName: phrase('customers.title'),
    } as const;
    return <ErrorState failure={answer.error} retry={() => void answer.refetch()} absent={absent} />;
  }
  const customer = answer.data;
  return (
    <div className={styles.page}>
      <Head customer={customer} acts={acts} />
      <Balances customer={customer} />
      <div className={styles.columns}>
        {can('debt.read') && customer.owedFen > 0 ? <Debts id={id} /> : null}
        {can('card.read') ? <Cards id={id} /> : null}
        {can('vehicle.read') && customer.vehicles > 0 ? <Vehicles id={id} /> : null}
        {can('order.read') ? <Orders id={id} /> : null}
        {can('recharge.read') ? <Movements id={id} /> : null}
      </div>
      {overlay}
    </div>
  );
}

type RowActs = ReturnType<ReturnType<typeof useActs<Customer>>['actsOf']>;

/** Who it is, whether charges can begin, and what can be done. */
function Head({ customer, acts }: { customer: CustomerDetail; acts: RowActs }) {
  const { nickname, phone, state, stateReason, createdAt, owedFen, debtLimitFen } = customer;
  return (
    <section className={styles.head} aria-label={phrase('customers.glance')}>
      <div className={styles.headLine}>
        <Avatar name={nickname} isLarge />
        <h1 className={styles.name}>{nickname}</h1>
        <StateTag tone={customerTones[state]}>{phrase(`customer-state.${state}`)}</StateTag>
        <div className={styles.acts}>
          {acts.map(({ key, label, danger, because, onClick }) => (
            <DisabledReason key={key} danger={danger} because={because} onClick={onClick}>
              {label}
            </DisabledReason>
          ))}
        </div>
      </div>
      <p className={styles.facts}>
        <CopyNumber value={phone} />
        <span>
          {phrase('customers.createdAt')} <Instant at={createdAt} />
        </span>
        {stateReason === '' ? null : (
          <span>
            {phrase('customers.stateReason')}: {stateReason}
          </span>
        )}
        {customer.mergedIntoId === null ? null : (
          <ScreenLink screen="registerUserDetail" query={{ id: customer.mergedIntoId }}>
            {phrase('customers.mergedInto', { name: customer.mergedIntoNickname ?? '' })}
          </ScreenLink>
        )}
      </p>
      {owedFen > debtLimitFen ? (
        <p className={styles.warning} role="status">
          {phrase('customers.cannotStart', { owed: moneyText(owedFen), limit: moneyText(debtLimitFen) })}
        </p>
      ) : null}
      {state === 'disabled' ? <p className={styles.warning}>{phrase('customers.isDisabled')}</p> : null}
    </section>
  );
}

/** The money, each part with what it is. */
function Balances({ customer }: { customer: CustomerDetail }) {
  const { balanceFen, paidFen, giftFen, cardBalanceFen, heldFen, frozenFen, owedFen, cards } = customer;
  const figures = [
    { label: 'customers.balance', amountFen: balanceFen, note: phrase('customers.balanceHint') },
    { label: 'customers.paid', amountFen: paidFen, note: phrase('customers.paidHint') },
    { label: 'customers.gift', amountFen: giftFen, note: phrase('customers.giftHint') },
    { label: 'customers.cardBalance', amountFen: cardBalanceFen, note: phrase('customers.onCards', { cards }) },
    { label: 'customers.total', amountFen: addFen(balanceFen, cardBalanceFen), note: phrase('customers.totalHint') },
    { label: 'customers.held', amountFen: heldFen, note: phrase('customers.heldHint') },
    { label: 'customers.frozen', amountFen: frozenFen, note: phrase('customers.frozenHint') },
    { label: 'customers.owed', amountFen: owedFen, note: phrase('customers.owedHint') },
  ] as const;
  return (
    <Panel title={phrase('customers.balances')}>
      <dl className={styles.balances}>
        {figures.map(({ label, amountFen, note }) => (
          <div key={label}>
            <dt>{phrase(label)}</dt>
            <dd className="figure">
              {moneyText(amountFen)}
              <small>{note}</small>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

type Of = { id: CustomerId };

/** The query of the latest records. */
function latestOf(customerId: CustomerId) {
  return { query: { customerId, pageSize: shownMax } };
}

function Debts({ id }: Of) {
  const answer = useAnswer(listDebts, latestOf(id));
  return (
    <LatestPanel
      title={phrase('customers.debts')}
      all={
        <ScreenLink screen="debtList" query={{ customerId: id }}>
          {phrase('customers.all')}
        </ScreenLink>
      }
      answer={answer}
      empty={phrase('customers.noDebts')}
      heads={[
        {
          title: phrase('debts.number'),
          cell: ({ id: orderId, number }) => (
            <CopyNumber value={number}>
              <ScreenLink screen="orderListDetailHistory" query={{ id: orderId }}>
                {number}
              </ScreenLink>
            </CopyNumber>
          ),
        },
        { title: phrase('debts.settledAt'), cell: ({ settledAt }) => <Instant at={settledAt} /> },
        { title: phrase('debts.bill'), isRight: true, cell: ({ billFen }) => <Money fen={billFen} bare /> },
        { title: phrase('debts.owed'), isRight: true, cell: ({ owedFen }) => <Money fen={owedFen} bare /> },
      ]}
    />
  );
}

function Cards({ id }: Of) {
  const answer = useAnswer(listCards, latestOf(id));
  return (
    <LatestPanel
      title={phrase('customers.cards')}
      all={
        <ScreenLink screen="cardList" query={{ customerId: id }}>
          {phrase('customers.all')}
        </ScreenLink>
      }
      answer={answer}
      empty={phrase('customers.noCards')}
      heads={[
        {
          title: phrase('customers.cardNumber'),
          cell: ({ number }) => (
            <CopyNumber value={number}>
              <ScreenLink screen="cardList" query={{ number }}>
                {number}
              </ScreenLink>
            </CopyNumber>
          ),
        },
        {
          title: phrase('customers.state'),
          cell: ({ state }) => <StateTag tone={cardTones[state]}>{phrase(`card-state.${state}`)}</StateTag>,
        },
        { title: phrase('customers.paid'), isRight: true, cell: ({ paidFen }) => <Money fen={paidFen} bare /> },
        { title: phrase('customers.gift'), isRight: true, cell: ({ giftFen }) => <Money fen={giftFen} bare /> },
        { title: phrase('customers.owed'), isRight: true, cell: ({ owedFen }) => <Money fen={owedFen} bare /> },
      ]}
    />
  );
}

function Orders({ id }: Of) {
  const answer = useAnswer(listOrders, latestOf(id));
  return (
    <LatestPanel
      title={phrase('customers.orders')}
      width="wide"
      all={
        <ScreenLink screen="orderListHistory" query={{ customerId: id, time: 'placed' }}>
          {phrase('customers.all')}
        </ScreenLink>
      }
      answer={answer}
      empty={phrase('customers.noOrders')}
      heads={[
        {
          title: phrase('customers.orderNumber'),
          cell: (order) => (
            <CopyNumber value={order.number}>
              <ScreenLink screen={orderScreen(order)} query={{ id: order.id }}>
                {order.number}
              </ScreenLink>
            </CopyNumber>
          ),
        },
        {
          title: phrase('customers.state'),
          cell: (order) => <StateTag tone={orderTones[order.state]}>{orderStateText(order)}</StateTag>,
        },
        { title: phrase('customers.site'), isWords: true, cell: ({ siteName }) => siteName ?? nothingText },
        { title: phrase('customers.placedAt'), cell: ({ placedAt }) => <Instant at={placedAt} /> },
        { title: phrase('customers.amount'), isRight: true, cell: ({ amountFen }) => <Money fen={amountFen} bare /> },
      ]}
    />
  );
}

/** Everything that moved the money of the user and the cards: recharges, charges, gifts, transfers, refunds. */
function Movements({ id }: Of) {
  const answer = useAnswer(listMovements, latestOf(id));
  return (
    <LatestPanel
      title={phrase('customers.movements')}
      width="whole"
      all={
        <ScreenLink screen="chongzhiRecods" query={{ customerId: id }}>
          {phrase('customers.all')}
        </ScreenLink>
      }
      answer={answer}
      empty={phrase('customers.noMovements')}
      heads={[
        { title: phrase('customers.recordNumber'), cell: ({ number }) => <CopyNumber value={number} /> },
        { title: phrase('customers.movementType'), cell: ({ type }) => phrase(`movement-type.${type}`) },
        { title: phrase('customers.paidMoved'), isRight: true, cell: ({ paidFen }) => <Money fen={paidFen} bare /> },
        { title: phrase('customers.giftMoved'), isRight: true, cell: ({ giftFen }) => <Money fen={giftFen} bare /> },
        {
          title: phrase('customers.balanceAfter'),
          isRight: true,
          cell: ({ balanceAfterFen }) => <Money fen={balanceAfterFen} bare />,
        },
        { title: phrase('customers.time'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
        {
          title: phrase('customers.remark'),
          isWords: true,
          cell: ({ remark }) => (remark === '' ? nothingText : remark),
        },
      ]}
    />
  );
}

function Vehicles({ id }: Of) {
  const answer = useAnswer(listVehicles, latestOf(id));
  return (
    <LatestPanel
      title={phrase('menu.vehicleList')}
      all={
        <ScreenLink screen="vehicleList" query={{ customerId: id }}>
          {phrase('customers.all')}
        </ScreenLink>
      }
      answer={answer}
      empty={phrase('customers.noVehicles')}
      heads={[
        { title: phrase('customers.plate'), cell: ({ plate }) => plate ?? nothingText },
        { title: phrase('customers.vin'), cell: ({ vin }) => <CopyNumber value={vin} /> },
        {
          title: phrase('customers.cardNumber'),
          cell: ({ cardNumber }) => <CopyNumber value={cardNumber} />,
        },
      ]}
    />
  );
}
