import { getCard, listCards } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import {
  createRecharge,
  findRechargeTargets,
  listRecharges,
  type Recharge,
  type RechargeTarget,
  rechargeFenMax,
} from '@voltdeck/contract/payments';
import { previewRecharge } from '@voltdeck/contract/promotions';
import { addFen, type Fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useCan } from '../session/use-can.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { balanceAfter } from './balance-after.ts';
import { Figure } from './Figure.tsx';
import styles from './recharge.module.css';
import { targetName } from './target-name.ts';

type Props = {
  target: RechargeTarget;
  /** What the agent can still pay recharges from; null for the platform. */
  prepaidFen: Fen | null;
  open: boolean;
  onClose: () => void;
  onDone: (recharge: Recharge) => void;
};

/** Puts money on a card or a registered user. It says what the balance will be, and the button says how much. */
export default function RechargeForm({ target, prepaidFen, open, onClose, onDone }: Props) {
  const name = targetName(target);
  const mayGive = useCan()('recharge.gift') && prepaidFen === null;
  const { cardId, customerId } = target;
  return (
    <RouteForm
      as="dialog"
      route={createRecharge}
      given={cardId === null ? { customerId: customerId ?? undefined } : { cardId }}
      title={phrase('recharges.formTitle', { target: name })}
      submitLabel={({ amountFen }) =>
        amountFen === undefined || amountFen <= 0
          ? phrase('recharges.submitEmpty')
          : phrase('recharges.submit', { amount: moneyText(amountFen) })
      }
      intro={<Balances target={target} />}
      fields={{
        amountFen: {
          label: 'recharges.amountLabel',
          check: (amountFen) =>
            prepaidFen === null || amountFen <= prepaidFen
              ? null
              : phrase('recharges.prepaidShort', { amount: moneyText(prepaidFen) }),
        },
        giftFen: { label: 'recharges.giftByHand', hint: 'recharges.giftByHandHint', shownIf: () => mayGive },
        remark: { label: 'recharges.remark', rows: 2 },
      }}
      fieldOf={{ 'agent.prepaid_too_low': 'amountFen', 'recharge.day_limit': 'amountFen' }}
      refreshes={[listRecharges, listCards, getCard, listCustomers, getCustomer, findRechargeTargets]}
      open={open}
      onClose={onClose}
      onSaved={onDone}
    >
      {({ amountFen, giftFen }) =>
        amountFen === undefined || amountFen <= 0 ? null : (
          <Outcome
            target={target}
            amountFen={amountFen}
            giftFen={giftFen ?? zeroFen}
            prepaidFen={prepaidFen}
            name={name}
          />
        )
      }
    </RouteForm>
  );
}

/** What is on it now. */
function Balances({ target }: { target: RechargeTarget }) {
  const { balanceFen, heldFen, owedFen } = target;
  return (
    <dl className={styles.balances}>
      <Figure label={phrase('recharges.balance')} amountFen={balanceFen} />
      <Figure label={phrase('recharges.held')} amountFen={heldFen} />
      <Figure label={phrase('recharges.owed')} amountFen={owedFen} />
    </dl>
  );
}

type OutcomeProps = Pick<Props, 'target' | 'prepaidFen'> & { amountFen: Fen; giftFen: Fen; name: string };

/** What will be on it. */
function Outcome({ target, amountFen, giftFen, prepaidFen, name }: OutcomeProps) {
  const { cardId, customerId } = target;
  const of = cardId === null ? { customerId: customerId ?? undefined } : { cardId };
  const isPossible = amountFen <= rechargeFenMax;
  const { data } = useAnswer(
    previewRecharge,
    { query: { ...of, amountFen } },
    { keepPrevious: true, staleMs: 0, enabled: isPossible },
  );
  const promotion = data?.promotion ?? null;
  const givenFen = addFen(giftFen, promotion?.giftFen ?? zeroFen);
  const { repaidFen, afterFen, paidAfterFen } = balanceAfter(target, amountFen, givenFen);
  return (
    <div className={styles.outcome} role="status">
      <strong>{phrase('recharges.question', { target: name, amount: moneyText(amountFen) })}</strong>
      <span>
        {phrase('recharges.questionDetails', { before: moneyText(target.balanceFen), after: moneyText(afterFen) })}
      </span>
      <span>
        {phrase('recharges.partsAfter', {
          paid: moneyText(paidAfterFen),
          gift: moneyText(subtractFen(afterFen, paidAfterFen)),
        })}
      </span>
      {data === undefined ? null : (
        <span>
          {promotion === null
            ? phrase('recharges.noPromotion')
            : phrase('recharges.promotionApplies', { name: promotion.name, amount: moneyText(promotion.giftFen) })}
        </span>
      )}
      {data === undefined ? null : (
        <span>{phrase('recharges.leftToday', { amount: moneyText(data.leftTodayFen) })}</span>
      )}
      {repaidFen === 0 ? null : <span>{phrase('recharges.questionRepaid', { amount: moneyText(repaidFen) })}</span>}
      {prepaidFen === null || prepaidFen < amountFen ? null : (
        <span>{phrase('recharges.prepaidLeft', { amount: moneyText(subtractFen(prepaidFen, amountFen)) })}</span>
      )}
    </div>
  );
}
