import type { Deposit, PartnerPayment } from '@voltdeck/contract/partner-deposits';
import type { PartnerPull } from '@voltdeck/contract/partner-pulls';
import {
  deletePartner,
  enablePartner,
  getPartner,
  type Partner,
  type PartnerDetail,
} from '@voltdeck/contract/partners';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { moneyText } from '../ui/figures.ts';
import { auditOf, deletion, enabling, formIn } from '../ui/list/usual-acts.ts';
import type { Acts } from '../ui/list-page.ts';

/** Lazy: most visits to a list never open it. */
const PartnerFormDrawer = lazyPart(() => import('./PartnerFormDrawer.tsx'));
const RotateKeysForm = lazyPart(() => import('./RotateKeysForm.tsx'));
const KeysOnce = lazyPart(() => import('./KeysOnce.tsx'));
const PartnerSitesForm = lazyPart(() => import('./PartnerSitesForm.tsx'));
const PullForm = lazyPart(() => import('./PullForm.tsx'));
const DepositForm = lazyPart(() => import('./DepositForm.tsx'));
const PayPartnerForm = lazyPart(() => import('./PayPartnerForm.tsx'));

const named = ({ name }: Partner) => ({ name });
const savedText = (partner: Partner) => phrase('interop.saved', named(partner));

export const partnerActs: Acts<Partner> = {
  add: {
    on: 'list',
    label: 'interop.add',
    may: 'partner.edit',
    overlay: ({ open, close, show, tell }) => (
      <PartnerFormDrawer
        partner={null}
        open={open}
        onClose={close}
        onSaved={({ inbound, outbound, ...partner }) => {
          tell(savedText(partner));
          if (inbound !== undefined && outbound !== undefined) show('keys', [partner], { inbound, outbound });
        }}
      />
    ),
  },
  change: {
    on: 'row',
    label: 'interop.change',
    may: 'partner.edit',
    overlay: (partner, over) => <PartnerFormDrawer partner={partner} {...formIn(over, savedText)} />,
  },
  sites: {
    on: 'row',
    label: 'interop.openSites',
    may: 'partner.sites',
    overlay: (partner, over) => (
      <PartnerSitesForm
        partner={partner}
        {...formIn(over, ({ name, siteCount }: PartnerDetail) =>
          phrase('interop.sitesOpened', { name, count: siteCount }),
        )}
      />
    ),
  },
  rotate: {
    on: 'row',
    label: 'interop.rotate',
    may: 'partner.keys',
    overlay: (partner, { open, close, show }) => (
      <RotateKeysForm
        partner={partner}
        open={open}
        onClose={close}
        onSaved={({ direction, keys }) => show('keys', [partner], { [direction]: keys })}
      />
    ),
  },
  /** Shown once, to whoever added the partner or rotated its keys. */
  keys: {
    on: 'row',
    label: 'interop.rotate',
    may: ['partner.edit', 'partner.keys'],
    isQuiet: true,
    overlay: (partner, { open, close, carried }) =>
      typeof carried === 'object' && carried !== null ? (
        <KeysOnce partner={partner} keys={carried} open={open} onClose={close} />
      ) : null,
  },
  deposit: {
    on: 'row',
    label: 'interop.deposit',
    may: 'partner.deposit',
    because: ({ role }) => (role === 'supervision' ? phrase('error.partner.no_deposit') : undefined),
    overlay: (partner, over) => (
      <DepositForm
        partner={partner}
        {...formIn(over, ({ amountFen, balanceAfterFen }: Deposit) =>
          phrase('interop.deposited', { amount: moneyText(amountFen), balance: moneyText(balanceAfterFen) }),
        )}
      />
    ),
  },
  pay: {
    on: 'row',
    label: 'interop.pay',
    may: 'partner.pay',
    isFor: ({ role, payableFen }) => role === 'infrastructure' || role === 'both' || payableFen !== 0,
    overlay: (partner, over) => (
      <PayPartnerForm
        partner={partner}
        {...formIn(over, ({ amountFen, payableAfterFen }: PartnerPayment) =>
          phrase('interop.paid', { amount: moneyText(amountFen), payable: moneyText(payableAfterFen) }),
        )}
      />
    ),
  },
  queue: {
    on: 'row',
    label: 'interop.queue',
    may: 'partner_delivery.read',
    leads: ({ id: partnerId }) => place('platformList', { view: 'deliveries', partnerId }),
  },
  pull: {
    on: 'row',
    label: 'pulls.now',
    may: 'partner_site.pull',
    isFor: ({ role }) => role === 'infrastructure' || role === 'both',
    overlay: (partner, over) => (
      <PullForm
        partner={partner}
        {...formIn(over, ({ partnerName: name }: PartnerPull) => phrase('pulls.begun', { name }))}
      />
    ),
  },
  enable: enabling({
    labels: ['interop.enable', 'interop.disable'],
    may: 'partner.edit',
    question: (partner) => phrase('interop.disableQuestion', named(partner)),
    details: 'interop.disableDetails',
    act: ({ id }, enabled, idempotencyKey) =>
      call(enablePartner, { params: { id }, body: { enabled }, idempotencyKey }),
    told: (partner, enabled) => phrase(enabled ? 'interop.enabledNow' : 'interop.disabledNow', named(partner)),
    changes: [getPartner],
  }),
  delete: deletion({
    label: 'interop.delete',
    may: 'partner.edit',
    question: (partner) => phrase('interop.deleteQuestion', named(partner)),
    details: 'interop.deleteDetails',
    act: ({ id }, idempotencyKey) => call(deletePartner, { params: { id }, idempotencyKey }),
    told: (partner) => phrase('interop.deleted', named(partner)),
  }),
  audit: auditOf('partner'),
};
