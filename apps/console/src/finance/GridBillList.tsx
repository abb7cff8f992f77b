import { ImportOutlined } from '@ant-design/icons';
import {
  deleteGridBill,
  type GridBill,
  getGridBill,
  listGridBills,
  listMargins,
  lockGridBill,
} from '@voltdeck/contract/grid-bills';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { moneyText } from '../ui/figures.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { asking, auditOf, deletion, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps, OverlayProps } from '../ui/list-page.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { lossText, lossTones } from './loss-words.ts';

/** Lazy: most visits to a list never open them. */
const GridBillFormDrawer = lazyPart(() => import('./GridBillFormDrawer.tsx'));
const GridBillImportDialog = lazyPart(() => import('./GridBillImportDialog.tsx'));
const UnlockGridBillForm = lazyPart(() => import('./UnlockGridBillForm.tsx'));

const filters: Filters<typeof listGridBills> = {
  siteId: { title: 'finance.site' },
  from: { title: 'gridBills.period' },
  accountNumber: {},
  locked: { title: 'gridBills.locked', words: ['gridBills.isLocked', 'gridBills.isOpen'] },
};

const look: ListPageProps<typeof listGridBills>['look'] = {
  siteName: { widthPx: 176, isPinned: true },
  accountNumber: { widthPx: 152 },
  fromOn: { widthPx: 112, isKeyFact: true },
  toOn: { widthPx: 112, isKeyFact: true, sort: 'fromOn' },
  amountFen: { isKeyFact: true },
  lossPercent: {
    widthPx: 112,
    isKeyFact: true,
    render: (row) =>
      row.lossMark === null ? (
        lossText(row.lossPercent)
      ) : (
        <StateTag tone={lossTones[row.lossMark]}>{lossText(row.lossPercent)}</StateTag>
      ),
  },
  lossMark: { widthPx: 240 },
  fileName: {
    widthPx: 120,
    render: ({ fileUrl, fileName }) =>
      fileUrl === null ? null : (
        <a href={fileUrl} target="_blank" rel="noreferrer">
          {fileName}
        </a>
      ),
  },
  sharpWh: { isHidden: true },
  peakWh: { isHidden: true },
  flatWh: { isHidden: true },
  valleyWh: { isHidden: true },
  energyFeeFen: { isHidden: true },
  registerFromWh: { isHidden: true },
  registerToWh: { isHidden: true },
  multiplier: { isHidden: true },
  registerWh: { isHidden: true },
  lockedByName: { isHidden: true },
  changedByName: { isHidden: true },
  changedAt: { isHidden: true },
};

const daysOf = ({ siteName: site, fromOn: from, toOn: to }: GridBill) => ({ site, from, to });
const whyLocked = ({ lockedAt }: GridBill) => (lockedAt === null ? undefined : phrase('gridBills.lockedReason'));
const nameOf = (bill: GridBill) => `${bill.siteName} ${bill.fromOn} – ${bill.toOn}`;
const savedText = (bill: GridBill) => phrase('gridBills.saved', daysOf(bill));

function formOf(bill: GridBill | null, over: OverlayProps<GridBill>) {
  return <GridBillFormDrawer bill={bill} {...formIn(over, savedText)} />;
}

const acts: Acts<GridBill> = {
  add: { on: 'list', label: 'gridBills.add', may: 'finance.grid_bill', overlay: (over) => formOf(null, over) },
  import: {
    on: 'list',
    label: 'gridBillImport.open',
    may: 'finance.grid_bill',
    icon: <ImportOutlined />,
    overlay: ({ open, close, tell }) => <GridBillImportDialog open={open} onClose={close} onDone={tell} />,
  },
  change: { on: 'row', label: 'gridBills.change', may: 'finance.grid_bill', because: whyLocked, overlay: formOf },
  lock: asking({
    label: 'gridBills.lock',
    may: 'finance.grid_bill_lock',
    isFor: ({ lockedAt }) => lockedAt === null,
    question: (bill) => phrase('gridBills.lockQuestion', daysOf(bill)),
    details: () => phrase('gridBills.lockDetails'),
    act: ({ id }, idempotencyKey) => call(lockGridBill, { params: { id }, body: { locked: true }, idempotencyKey }),
    told: () => phrase('gridBills.lockDone'),
  }),
  unlock: {
    on: 'row',
    label: 'gridBills.unlock',
    may: 'finance.grid_bill_lock',
    isFor: ({ lockedAt }) => lockedAt !== null,
    because: ({ mayUnlock }) => (mayUnlock ? undefined : phrase('gridBills.lockedByPlatform')),
    overlay: (bill, over) => <UnlockGridBillForm bill={bill} {...formIn(over, () => phrase('gridBills.unlockDone'))} />,
  },
  delete: deletion({
    label: 'gridBills.delete',
    may: 'finance.grid_bill',
    because: whyLocked,
    question: (bill) => phrase('gridBills.deleteQuestion', daysOf(bill)),
    details: ({ accountNumber: account, amountFen }) =>
      phrase('gridBills.deleteDetails', { account, amount: moneyText(amountFen) }),
    act: ({ id }, idempotencyKey) => call(deleteGridBill, { params: { id }, idempotencyKey }),
    told: (bill) => phrase('gridBills.deleted', daysOf(bill)),
    changes: [listMargins],
  }),
  audit: auditOf('grid_bill'),
};

/** The bills of the grid, each against what the ports of its site counted on the same days. */
export default function GridBillList({ tools }: { tools: ReactNode }) {
  return (
    <ListPage
      list={listGridBills}
      title="finance.bills"
      record="gridBills.bill"
      nameOf={nameOf}
      filters={filters}
      look={look}
      acts={acts}
      one={getGridBill}
      tools={tools}
      empty={{ title: 'gridBills.empty', text: 'gridBills.emptyText' }}
    />
  );
}
