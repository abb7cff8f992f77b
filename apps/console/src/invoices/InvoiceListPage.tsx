import { AuditOutlined, SettingOutlined } from '@ant-design/icons';
import { idParameter } from '@voltdeck/contract/fields';
import {
  getInvoice,
  getInvoiceDocument,
  type Invoice,
  invoicesAtOnceMax,
  listInvoices,
  resumeInvoice,
  retryInvoice,
  reviewInvoice,
  voidInvoice,
  voidInvoices,
} from '@voltdeck/contract/invoices';
import { type PersonAct, stepAfter } from '@voltdeck/invoices/transitions';
import { call } from '../api/call.ts';
import { useConsoleEvents } from '../api/events.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { usePaced } from '../api/paced.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { seesAgents } from '../session/reach.ts';
import { fetchFile } from '../ui/fetch-file.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { givenValues, type Taking } from '../ui/list/given-values.ts';
import { asking, askingMany, auditOf, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';
import { invoiceTones } from '../ui/state-colours.ts';
import { moneyOf, sumText, voidWords } from './invoice-words.ts';

/** Lazy: most visits to a list never open it. */
const InvoiceDrawer = lazyPart(() => import('./InvoiceDrawer.tsx'));
const InvoiceFormDrawer = lazyPart(() => import('./InvoiceFormDrawer.tsx'));
const ReviewInvoicesForm = lazyPart(() => import('./ReviewInvoicesForm.tsx'));
const RejectInvoiceForm = lazyPart(() => import('./RejectInvoiceForm.tsx'));
const RedLetterForm = lazyPart(() => import('./RedLetterForm.tsx'));
const SendInvoiceForm = lazyPart(() => import('./SendInvoiceForm.tsx'));
const SellerFormDrawer = lazyPart(() => import('./SellerFormDrawer.tsx'));

/** Invoices change in groups, when a job has asked the provider. */
const refreshGapMs = 1_000;

const filters: Filters<typeof listInvoices> = {
  number: {},
  nickname: {},
  phone: { title: 'invoices.phone' },
  state: {},
  from: { title: 'invoices.appliedAt' },
  title: { title: 'invoices.header' },
  attention: {},
  kind: {},
  type: {},
  titleKind: {},
  agentId: { title: 'invoices.seller', may: seesAgents },
  customerId: { title: 'invoices.customer' },
};

const look: ListPageProps<typeof listInvoices>['look'] = {
  number: { widthPx: 216, isPinned: true, opens: 'open' },
  nickname: { widthPx: 104 },
  customerPhone: {
    widthPx: 136,
    link: ({ customerId }) => (customerId === null ? null : place('registerUserDetail', { id: customerId })),
  },
  orderCount: { widthPx: 96 },
  amountFen: { widthPx: 112, isKeyFact: true },
  netFen: { widthPx: 112, isHidden: true },
  taxFen: { widthPx: 96 },
  electricityFen: { isHidden: true },
  serviceFen: { isHidden: true },
  reddenedFen: { isHidden: true },
  title: { widthPx: 200 },
  titleKind: { isHidden: true },
  taxNumber: { widthPx: 184, isHidden: true },
  email: { isHidden: true },
  state: { widthPx: 176, tone: ({ state }) => invoiceTones[state] },
  step: {
    widthPx: 176,
    render: ({ step, personStep }) => <span title={personStep ?? undefined}>{phrase(`invoice-step.${step}`)}</span>,
  },
  attention: { widthPx: 168, tone: ({ attention }) => (attention === null ? null : 'occupied') },
  kind: { widthPx: 88 },
  type: { isHidden: true },
  invoiceNumber: { widthPx: 200 },
  rejectionReason: { widthPx: 200 },
  failure: { widthPx: 200 },
  externalCode: { isHidden: true },
  appliedByName: { isHidden: true },
  delivery: { widthPx: 120 },
};

const takes: Taking<'invoiceList', 'add'> = {
  customerId: idParameter<'customer'>(),
  groupId: idParameter<'group'>(),
};

const isOpen = (act: PersonAct) => (row: Invoice) => stepAfter(row.kind, row.step, act) !== null;

const whyNotAll =
  (act: PersonAct, why: 'invoices.notWaiting' | 'invoices.notVoidable') => (rows: readonly Invoice[]) => {
    if (act === 'void' && rows.some(({ kind }) => kind === 'red')) return phrase('invoices.redApart');
    if (act === 'void' && rows.some(({ reddenedFen }) => reddenedFen > 0)) return phrase('invoices.partlyReddened');
    if (rows.length > invoicesAtOnceMax) return phrase('invoices.tooMany', { max: invoicesAtOnceMax });
    return rows.every(isOpen(act)) ? undefined : phrase(why);
  };

const acts: Acts<Invoice> = {
  add: {
    on: 'list',
    label: 'invoices.add',
    may: 'invoice.create',
    overlay: (over) => (
      <InvoiceFormDrawer
        given={givenValues(takes, over.given)}
        {...formIn(over, ({ number }: Invoice) => phrase('invoices.applied', { number }))}
      />
    ),
  },
  review: {
    on: 'list',
    label: 'invoices.reviewMany',
    may: 'invoice.review',
    icon: <AuditOutlined />,
    overlay: ({ open, close, tell }) => (
      <ReviewInvoicesForm invoices={[]} open={open} onClose={close} onReviewed={tell} />
    ),
  },
  settings: {
    on: 'list',
    label: 'invoices.settings',
    may: 'invoice.settings',
    icon: <SettingOutlined />,
    overlay: ({ open, close, tell }) => <SellerFormDrawer open={open} onClose={close} onSaved={tell} />,
  },
  pass: asking({
    label: 'invoices.pass',
    may: 'invoice.review',
    isFor: isOpen('pass'),
    question: ({ number }) => phrase('invoices.passQuestion', { number }),
    details: (row) => phrase('invoices.passDetails', moneyOf(row)),
    act: ({ id }, idempotencyKey) =>
      call(reviewInvoice, { params: { id }, body: { decision: 'pass' }, idempotencyKey }),
    told: ({ number }) => phrase('invoices.passed', { number }),
  }),
  reject: {
    on: 'row',
    label: 'invoices.reject',
    may: 'invoice.review',
    danger: true,
    isFor: isOpen('reject'),
    overlay: (invoice, { open, close, tell }) => (
      <RejectInvoiceForm invoice={invoice} open={open} onClose={close} onRejected={tell} />
    ),
  },
  resume: asking({
    label: 'invoices.resume',
    may: 'invoice.review',
    isFor: isOpen('resume'),
    question: () => phrase('invoices.resumeQuestion'),
    details: ({ personStep }) => personStep ?? '',
    act: ({ id }, idempotencyKey) => call(resumeInvoice, { params: { id }, idempotencyKey }),
    told: ({ number }) => phrase('invoices.resumed', { number }),
  }),
  retry: asking({
    label: 'invoices.retry',
    may: 'invoice.review',
    isFor: isOpen('retry'),
    question: ({ number }) => phrase('invoices.retryQuestion', { number }),
    details: (row) => phrase('invoices.retryDetails', { ...moneyOf(row), failure: row.failure ?? '' }),
    act: ({ id }, idempotencyKey) => call(retryInvoice, { params: { id }, idempotencyKey }),
    told: ({ number }) => phrase('invoices.retried', { number }),
  }),
  download: {
    on: 'row',
    label: 'invoices.download',
    isFor: ({ hasDocument }) => hasDocument,
    deed: ({ id }) => ({
      do: async () => phrase('invoices.downloaded', { name: await fetchFile(getInvoiceDocument, { params: { id } }) }),
    }),
  },
  send: {
    on: 'row',
    label: 'invoices.send',
    may: 'invoice.send',
    isFor: ({ step }) => step === 'issued',
    overlay: (invoice, over) => (
      <SendInvoiceForm
        invoice={invoice}
        {...formIn(over, ({ number }: Invoice) => phrase('invoices.sent', { number }))}
      />
    ),
  },
  redLetter: {
    on: 'row',
    label: 'invoices.redLetter',
    may: 'invoice.void',
    danger: true,
    isFor: isOpen('red_letter'),
    overlay: (invoice, over) => (
      <RedLetterForm
        invoice={invoice}
        {...formIn(over, ({ number }: Invoice) => phrase('invoices.reddened', { number }))}
      />
    ),
  },
  void: {
    on: 'row',
    label: (row) => voidWords(row).label,
    may: 'invoice.void',
    danger: true,
    isFor: isOpen('void'),
    because: ({ reddenedFen }) => (reddenedFen > 0 ? phrase('invoices.partlyReddened') : undefined),
    deed: (row) => {
      const { label, question, details, told } = voidWords(row);
      return {
        ask: { question, details, verb: phrase(label) },
        do: async (idempotencyKey) => {
          await call(voidInvoice, { params: { id: row.id }, body: {}, idempotencyKey });
          return told;
        },
      };
    },
  },
  reviewMany: {
    on: 'rows',
    label: 'invoices.reviewMany',
    may: 'invoice.review',
    because: whyNotAll('pass', 'invoices.notWaiting'),
    overlay: (invoices, { open, close, done, tell }) => (
      <ReviewInvoicesForm
        invoices={invoices}
        open={open}
        onClose={close}
        onReviewed={(told) => {
          tell(told);
          done();
        }}
      />
    ),
  },
  voidMany: askingMany({
    label: 'invoices.voidMany',
    may: 'invoice.void',
    danger: true,
    because: whyNotAll('void', 'invoices.notVoidable'),
    question: (rows) => phrase('invoices.voidManyQuestion', { count: rows.length }),
    details: (rows) => phrase('invoices.voidManyDetails', { amount: sumText(rows) }),
    act: async (rows, idempotencyKey) => {
      const { voided } = await call(voidInvoices, { body: { ids: rows.map(({ id }) => id) }, idempotencyKey });
      return phrase('invoices.voidedMany', { count: voided });
    },
  }),
  open: {
    on: 'row',
    label: 'invoices.viewDetail',
    overlay: (invoice, { open, close }) => <InvoiceDrawer invoice={invoice} open={open} onClose={close} />,
  },
  audit: auditOf('invoice'),
};

/** Invoices from their application to the document, and back; /invoiceList. */
export default function InvoiceListPage() {
  const refresh = useRefresh();
  const again = usePaced(() => void refresh(listInvoices, getInvoice), refreshGapMs);
  useConsoleEvents('invoice-changed', again);
  return (
    <ListPage
      list={listInvoices}
      title="invoices.title"
      record="invoices.invoice"
      filters={filters}
      look={look}
      acts={acts}
      one={getInvoice}
      empty={{ title: 'invoices.empty', text: 'invoices.emptyText' }}
    />
  );
}
