import {
  createInvoice,
  getInvoiceChoices,
  type Invoice,
  type InvoiceChoices,
  listInvoices,
} from '@voltdeck/contract/invoices';
import type { CustomerId, GroupId } from '@voltdeck/units/id';
import { Form, Select } from 'antd';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { useCan } from '../session/use-can.ts';
import { moneyText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { sumText } from './invoice-words.ts';
import { OrderPicker } from './OrderPicker.tsx';

type Props = {
  given: { customerId?: CustomerId | undefined; groupId?: GroupId | undefined };
  open: boolean;
  onClose: () => void;
  onSaved: (invoice: Invoice) => void;
};

const own = { customerId: z.optional(z.int()) };

/** Applies for a registered user, over orders of theirs under one of their titles or a new one; or for a group. */
export default function InvoiceFormDrawer({ given, open, onClose, onSaved }: Props) {
  const [form] = Form.useForm();
  const customerId = Form.useWatch<CustomerId | undefined>('customerId', form) ?? given.customerId;
  const { groupId } = given;
  const payer = groupId === undefined ? { customerId } : { groupId };
  const isKnown = groupId !== undefined || customerId !== undefined;
  const { data: choices } = useAnswer(getInvoiceChoices, { query: payer }, { enabled: open && isKnown });
  const header = choices?.groupHeader ?? null;
  useEffect(() => {
    if (header === null) return;
    // What is shown masked is not the user's to send; the server takes it from the group.
    form.setFieldsValue(Object.fromEntries(Object.entries(header).filter(([, text]) => !text.includes('*'))));
    form.setFieldValue('titleKind', 'company');
  }, [form, header]);
  const orders = choices?.orders ?? [];
  const can = useCan();
  const { user } = useSession();
  const mayKeep = user.busiid === null && can('customer.edit');
  return (
    <RouteForm
      form={form}
      route={createInvoice}
      own={own}
      title={phrase('invoices.addTitle')}
      submitLabel={phrase('invoices.add')}
      draft="invoice add"
      initial={{ customerId: given.customerId, titleKind: 'personal', type: 'ordinary' }}
      fields={{
        customerId: {
          label: 'invoices.customer',
          shownIf: () => groupId === undefined,
          requiredIf: () => groupId === undefined,
        },
        orderIds: {
          label: 'invoices.orders',
          hint: ({ orderIds = [] }) =>
            orderIds.length === 0
              ? phrase('invoices.ordersHint')
              : phrase('invoices.chosen', { count: orderIds.length, amount: chosenText(orders, orderIds) }),
          control: <OrderPicker orders={isKnown ? choices?.orders : undefined} />,
        },
        titleKind: {
          label: 'invoices.titleKind',
          word: (value) => phrase(`invoice-title-kind.${value}`),
          below: () => <KeptTitles titles={choices?.titles ?? []} onChosen={(title) => form.setFieldsValue(title)} />,
        },
        title: { label: 'invoices.header' },
        taxNumber: {
          label: 'invoices.taxNumber',
          shownIf: ({ titleKind }) => titleKind === 'company',
          requiredIf: ({ titleKind }) => titleKind === 'company',
        },
        type: {
          label: 'invoices.type',
          word: (value) => phrase(`invoice-type.${value}`),
          shownIf: ({ titleKind }) => titleKind === 'company',
        },
        email: { label: 'invoices.email', hint: 'invoices.emailHint' },
        address: { label: 'invoices.address', kind: 'text', shownIf: ({ titleKind }) => titleKind === 'company' },
        phone: {
          label: 'invoices.titlePhone',
          kind: 'text',
          shownIf: ({ titleKind }) => titleKind === 'company',
        },
        bank: { label: 'invoices.bank', shownIf: ({ titleKind }) => titleKind === 'company', isShort: true },
        bankAccount: {
          label: 'invoices.bankAccount',
          shownIf: ({ titleKind }) => titleKind === 'company',
          isShort: true,
        },
        remark: { label: 'invoices.remark', rows: 2 },
        savesTitle: { label: 'invoices.savesTitle', shownIf: () => mayKeep && groupId === undefined },
      }}
      refreshes={[listInvoices, getInvoiceChoices]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}

function chosenText(orders: InvoiceChoices['orders'], ids: readonly number[]): string {
  return orders.length === 0 ? moneyText(0) : sumText(orders.filter(({ orderId }) => ids.includes(orderId)));
}

type Titles = InvoiceChoices['titles'];

/** Fills the form from a title that the user keeps. */
function KeptTitles({ titles, onChosen }: { titles: Titles; onChosen: (title: Partial<Titles[number]>) => void }) {
  if (titles.length === 0) return null;
  return (
    <Form.Item label={phrase('invoices.usedTitle')}>
      <Select
        options={titles.map(({ id, title, taxNumber }) => ({ value: id, label: `${title} ${taxNumber}`.trim() }))}
        onChange={(chosen: number) => {
          const found = titles.find(({ id }) => id === chosen);
          if (found === undefined) return;
          const { id: _, isDefault: __, ...title } = found;
          // What is shown masked is not the user's to send.
          onChosen(Object.fromEntries(Object.entries(title).filter(([, text]) => !text.includes('*'))));
        }}
      />
    </Form.Item>
  );
}
