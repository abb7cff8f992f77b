import { faultOfValue } from '@voltdeck/contract/body-fields';
import { listCards } from '@voltdeck/contract/cards';
import { type Connector, listConnectors } from '@voltdeck/contract/connectors';
import { listCustomers } from '@voltdeck/contract/customers';
import { cardNumberField } from '@voltdeck/contract/fields';
import { findChargePayer, getStartChoices, listOrders, type Order, placeOrder } from '@voltdeck/contract/orders';
import { getStation } from '@voltdeck/contract/stations';
import type { ConnectorId } from '@voltdeck/units/id';
import { App, Button, Form } from 'antd';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { call } from '../api/call.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { useCan } from '../session/use-can.ts';
import { useGo, useMayGo } from '../session/use-go.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { SuggestInput, type Suggestion } from '../ui/form/SuggestInput.tsx';
import { choiceText } from './choice-text.ts';
import { startRefusal } from './start-refusal.ts';
import styles from './stations.module.css';

const ways = ['card', 'customer'] as const;
const suggestionsMax = 8;

type Props = {
  /** The ports to choose from; preselected if only one is available. */
  ports: readonly Connector[];
  /** The preselected port. */
  chosen?: ConnectorId | undefined;
  /** Fills in who pays. */
  paidBy?: { cardNumber?: string | undefined; customerPhone?: string | undefined };
  open: boolean;
  onClose: () => void;
  onStarted?: (order: Order, port: Connector | undefined) => void;
};

/** Starts a charge remotely, paid by a card or a customer. */
export default function StartChargeForm({ ports, chosen, paidBy = {}, open, onClose, onStarted }: Props) {
  const can = useCan();
  const { user } = useSession();
  const isPlatform = user.dataScope === 'platform';
  // Masked suggestions could not be sent.
  const knowsNumbers = can('personal.reveal');
  const go = useGo();
  const mayGo = useMayGo();
  const { message } = App.useApp();
  const stationId = ports[0]?.stationId;
  const placed = useAnswer(
    listOrders,
    { query: { state: ['placed'], total: 'none', ...(stationId === undefined ? {} : { stationId }) } },
    { enabled: open && can('order.read') },
  );
  /** A requested charge that has not started yet occupies its port. */
  const refusalOf = (port: Connector): string | undefined => {
    const waiting = placed.data?.items.find(
      (order) => order.stationId === port.stationId && order.connectorNumber === port.number,
    );
    return waiting === undefined ? startRefusal(port) : phrase('stations.startPending', { number: waiting.number });
  };
  const startable = ports.filter((port) => refusalOf(port) === undefined);
  const only = chosen ?? (startable.length === 1 ? startable[0]?.id : undefined);
  const [form] = Form.useForm();
  const refresh = useRefresh();
  const initial = {
    ...paidBy,
    paidWith: isPlatform && paidBy.customerPhone !== undefined ? 'customer' : 'card',
    connectorId: only,
  } as const;
  const { connectorId, paidWith, customerPhone } = {
    ...initial,
    ...(Form.useWatch([], form) as Partial<typeof initial> | undefined),
  };
  const choices = useAnswer(
    getStartChoices,
    { params: { id: connectorId as ConnectorId } },
    { enabled: open && connectorId !== undefined },
  );
  const isPhone = customerPhone !== undefined && /^\d{11}$/.test(customerPhone);
  const asksForPayer = open && paidWith === 'customer' && connectorId !== undefined && isPhone;
  const { data: payers } = useAnswer(
    findChargePayer,
    { params: { id: connectorId as ConnectorId }, query: { customerPhone: customerPhone ?? '' } },
    { enabled: asksForPayer },
  );
  const group = asksForPayer ? (payers?.group ?? null) : null;
  const payerByDefault = group === null ? undefined : group.cannotPay === null ? 'group' : 'self';
  useEffect(() => {
    form.setFieldValue('payer', payerByDefault);
  }, [form, payerByDefault]);
  const offered = (paidWith === 'customer' ? choices.data?.customer : choices.data?.card) ?? null;
  return (
    <RouteForm
      as="dialog"
      form={form}
      route={placeOrder}
      title={phrase('stations.startTitle')}
      submitLabel={phrase('stations.startVerb')}
      intro={<p className={styles.formIntro}>{phrase('stations.startIntro')}</p>}
      own={{ paidWith: z.optional(z.enum(ways)), choiceAt: z.optional(z.int()) }}
      initial={initial}
      adjust={({ choiceAt, ...body }) => {
        const choice = choiceAt === undefined ? undefined : offered?.choices[choiceAt];
        return offered === null || choice === undefined ? body : { ...body, choice: { ...choice, kind: offered.kind } };
      }}
      fieldOf={{ 'order.choice_changed': 'choiceAt' }}
      onFailed={() => void refresh(getStartChoices)}
      fields={{
        connectorId: {
          label: 'stations.port',
          kind: 'select',
          check: (id) => {
            const port = ports.find((one) => one.id === id);
            return port === undefined ? null : (refusalOf(port) ?? null);
          },
          options: ports.map((port) => {
            const because = refusalOf(port);
            const name = phrase('stations.portNamed', { station: port.stationName, number: port.number });
            return {
              value: port.id,
              label: because === undefined ? name : `${name} · ${because}`,
              disabled: because !== undefined,
            };
          }),
        },
        paidWith: {
          label: 'stations.payer',
          word: (way) => phrase(way === 'card' ? 'stations.byCard' : 'stations.byCustomer'),
          // An agent spends from its cards only, so it has nothing to choose.
          shownIf: () => isPlatform,
        },
        cardNumber: {
          label: 'stations.cardNumber',
          control: <SuggestInput suggest={can('card.read') && knowsNumbers ? suggestCards : null} maxLength={20} />,
          shownIf: ({ paidWith }) => paidWith !== 'customer',
          requiredIf: ({ paidWith }) => paidWith !== 'customer',
          check: (number) =>
            faultOfValue({ schema: cardNumberField }, number) === null ? null : phrase('field.card_number'),
        },
        customerPhone: {
          label: 'stations.customerPhone',
          control: (
            <SuggestInput
              suggest={can('customer.read') && knowsNumbers ? suggestCustomers : null}
              maxLength={20}
              inputMode="numeric"
            />
          ),
          shownIf: ({ paidWith }) => paidWith === 'customer',
          requiredIf: ({ paidWith }) => paidWith === 'customer',
        },
        payer: {
          label: 'stations.whoPays',
          word: (who) =>
            who === 'group' ? phrase('stations.groupPays', { group: group?.name ?? '' }) : phrase('stations.selfPays'),
          shownIf: () => group !== null,
          hint: () =>
            group === null
              ? undefined
              : (group.because ??
                (group.leftFen === null
                  ? undefined
                  : phrase('stations.groupLeft', { left: moneyText(group.leftFen) }))),
          check: (who) => (who === 'group' ? (group?.because ?? null) : null),
        },
        choiceAt: {
          label: 'stations.choice',
          kind: 'select',
          shownIf: () => offered !== null,
          requiredIf: () => offered !== null,
          check: (place) => (offered?.choices[place] === undefined ? phrase('field.required') : null),
          hint: () => (offered === null ? undefined : phrase(`stations.choice-${offered.kind}`)),
          options: (offered?.choices ?? []).map((choice, value) => ({ value, label: choiceText(choice) })),
        },
      }}
      refreshes={[listOrders, listConnectors, getStation]}
      open={open}
      onClose={onClose}
      onSaved={(order) => {
        message.success(
          <>
            {phrase('stations.startAgreed', { number: order.number })}{' '}
            {mayGo('orderListDetailReal') ? (
              <Button type="link" size="small" onClick={() => go('orderListDetailReal', { id: order.id })}>
                {phrase('stations.startedOrder')}
              </Button>
            ) : null}
          </>,
        );
        onStarted?.(
          order,
          ports.find((port) => port.stationId === order.stationId && port.number === order.connectorNumber),
        );
      }}
    />
  );
}

/** A suggestion with the balance, so that the operator sees whether it is sufficient. */
function suggestion(value: string, whose: string | null, balanceFen: number): Suggestion {
  return {
    value,
    label: (
      <span className={styles.payerChoice}>
        <span>
          {value}
          {whose ? ` · ${whose}` : ''}
        </span>
        <span className="figure">{moneyText(balanceFen)}</span>
      </span>
    ),
  };
}

async function suggestCards(text: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
  const query = { number: text, state: ['active' as const], pageSize: suggestionsMax };
  const { items } = await call(listCards, { query, signal, quiet: true });
  return items.map((card) => suggestion(card.number, card.customerPhone, card.balanceFen));
}

async function suggestCustomers(text: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
  const query = { phone: text, state: ['normal' as const], pageSize: suggestionsMax };
  const { items } = await call(listCustomers, { query, signal, quiet: true });
  return items.map(({ phone, nickname, balanceFen }) => suggestion(phone, nickname, balanceFen));
}
