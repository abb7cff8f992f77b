import { getCard, listCards } from '@voltdeck/contract/cards';
import { getCustomer, listCustomers } from '@voltdeck/contract/customers';
import { listMovements } from '@voltdeck/contract/movements';
import { createTransfer, listTransfers } from '@voltdeck/contract/transfers';
import { type Fen, formatYuan, subtractFen } from '@voltdeck/units/money';
import { Button, Form } from 'antd';
import * as z from 'zod/mini';
import { phrase } from '../../phrases.ts';
import { moneyText } from '../../ui/figures.ts';
import { RouteForm } from '../../ui/form/RouteForm.tsx';
import type { WalletShown } from './wallet-of.ts';

type Props = { from: WalletShown; open: boolean; onClose: () => void; onSaved: (said: string) => void };

const own = { receiver: z.enum(['customer', 'card']) };

/** Moves paid money to another user or card; it says what is left, and the button says how much. */
export default function TransferForm({ from, open, onClose, onSaved }: Props) {
  const [form] = Form.useForm();
  const { cardId, customerId, paidFen, giftFen, name } = from;
  const isInRange = (amountFen: Fen | undefined): amountFen is Fen =>
    amountFen !== undefined && amountFen > 0 && amountFen <= paidFen;
  return (
    <RouteForm
      route={createTransfer}
      form={form}
      own={own}
      given={cardId === undefined ? { fromCustomerId: customerId } : { fromCardId: cardId }}
      initial={{ receiver: 'customer' }}
      title={phrase('transfers.formTitle', { name })}
      submitLabel={({ amountFen }) =>
        isInRange(amountFen)
          ? phrase('transfers.verbAmount', { amount: moneyText(amountFen) })
          : phrase('transfers.verb')
      }
      intro={
        <p>
          {phrase(giftFen > 0 ? 'transfers.introGift' : 'transfers.intro', {
            paid: moneyText(paidFen),
            gift: moneyText(giftFen),
          })}
        </p>
      }
      fields={{
        receiver: { label: 'transfers.receiver', word: (kind) => phrase(`transfers.receiver.${kind}`) },
        toCustomerId: {
          label: 'transfers.toCustomer',
          shownIf: ({ receiver }) => receiver !== 'card',
          requiredIf: ({ receiver }) => receiver !== 'card',
        },
        toCardId: {
          label: 'transfers.toCardLabel',
          shownIf: ({ receiver }) => receiver === 'card',
          requiredIf: ({ receiver }) => receiver === 'card',
        },
        amountFen: {
          label: 'transfers.amount',
          check: (amountFen) =>
            isInRange(amountFen) ? null : phrase('error.transfer.too_high', { max: formatYuan(paidFen) }),
          beside: (
            <Button onClick={() => form.setFieldsValue({ amountFen: paidFen })}>{phrase('transfers.all')}</Button>
          ),
        },
        reason: { label: 'transfers.reason', rows: 2 },
      }}
      fieldOf={{ 'transfer.too_high': 'amountFen' }}
      refreshes={[listTransfers, listCards, getCard, listCustomers, getCustomer, listMovements]}
      open={open}
      onClose={onClose}
      onSaved={(answer) =>
        onSaved(phrase('transfers.done', { amount: moneyText(answer.amountFen), number: answer.number }))
      }
    >
      {({ amountFen }) =>
        isInRange(amountFen) ? (
          <p role="status">{phrase('transfers.left', { left: moneyText(subtractFen(paidFen, amountFen)) })}</p>
        ) : null
      }
    </RouteForm>
  );
}
