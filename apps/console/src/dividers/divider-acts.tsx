import {
  type Divider,
  deleteDivider,
  enableDivider,
  getDividedPlace,
  listDividerTerms,
} from '@voltdeck/contract/dividers';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { asking, auditOf, deletion, formIn } from '../ui/list/usual-acts.ts';
import type { Acts } from '../ui/list-page.ts';
import { withWords } from '../words.ts';

/** Lazy: most visits to a list never open them. */
const DividerFormDrawer = lazyPart(() => import('./DividerFormDrawer.tsx'));
const DisableDividerForm = lazyPart(() => import('./DisableDividerForm.tsx'));
const OpenAccountForm = lazyPart(() => import('./OpenAccountForm.tsx'));
const ResetDividerForm = lazyPart(() => import('./ResetDividerForm.tsx'));
const PasswordOnce = lazyPart(withWords(['users'], () => import('../access/users/PasswordOnce.tsx')));

/** A new initial password and who signs in with it: the record may not know its account yet. */
type Shown = { loginName: string | null; password: string };

/** Acts on a divider, on its own page; a deleted one has nothing left to show there. */
export function actsOfPage(onDeleted?: () => void): Acts<Divider> {
  return {
    edit: {
      on: 'row',
      label: 'dividers.edit',
      may: 'divider.edit',
      overlay: (divider, over) => (
        <DividerFormDrawer
          divider={divider}
          {...formIn(over, ({ name }: Divider) => phrase('dividers.saved', { name }))}
        />
      ),
    },
    account: {
      on: 'row',
      label: 'dividers.account',
      may: 'divider.edit',
      isFor: ({ userId }) => userId === null,
      overlay: (divider, { open, close, show, tell }) => (
        <OpenAccountForm
          divider={divider}
          open={open}
          onClose={close}
          onOpened={(saved, password) => {
            tell(phrase('dividers.saved', { name: saved.name }));
            show('password', [saved], { loginName: saved.loginName, password });
          }}
        />
      ),
    },
    reset: {
      on: 'row',
      label: 'dividers.reset',
      may: 'divider.reset_password',
      isFor: ({ userId }) => userId !== null,
      overlay: (divider, { open, close, show, tell }) => (
        <ResetDividerForm
          divider={divider}
          open={open}
          onClose={close}
          onReset={(password) => {
            tell(phrase('dividers.resetDone', { name: divider.name }));
            show('password', [divider], { loginName: divider.loginName, password });
          }}
        />
      ),
    },
    /** Shown once, to whoever opened the account or reset its password. */
    password: {
      on: 'row',
      label: 'dividers.reset',
      may: ['divider.edit', 'divider.reset_password'],
      isQuiet: true,
      overlay: ({ name }, { open, close, carried }) => {
        const shown = carried as Shown | null;
        return shown === null ? null : (
          <PasswordOnce
            userName={shown.loginName ?? ''}
            realName={name}
            password={shown.password}
            open={open}
            onClose={close}
          />
        );
      },
    },
    disable: {
      on: 'row',
      label: 'dividers.disable',
      may: 'divider.edit',
      danger: true,
      isFor: ({ enabled }) => enabled,
      overlay: (divider, over) => (
        <DisableDividerForm
          divider={divider}
          {...formIn(over, ({ name }: Divider) => phrase('dividers.disabledNow', { name }))}
        />
      ),
    },
    enable: {
      ...asking<Divider>({
        label: 'dividers.enable',
        may: 'divider.edit',
        question: ({ name }) => phrase('dividers.enableQuestion', { name }),
        details: 'dividers.enableDetails',
        act: ({ id }, idempotencyKey) =>
          call(enableDivider, { params: { id }, body: { enabled: true }, idempotencyKey }),
        told: ({ name }) => phrase('dividers.enabledNow', { name }),
        isFor: ({ enabled }) => !enabled,
      }),
    },
    delete: deletion({
      label: 'dividers.delete',
      may: 'divider.delete',
      question: ({ name }) => phrase('dividers.deleteQuestion', { name }),
      details: 'dividers.deleteDetails',
      act: async ({ id }, idempotencyKey) => {
        await call(deleteDivider, { params: { id }, idempotencyKey });
        onDeleted?.();
      },
      told: ({ name }) => phrase('dividers.deleted', { name }),
      changes: [listDividerTerms, getDividedPlace],
    }),
    income: {
      on: 'row',
      label: 'dividers.income',
      leads: ({ id: dividerId }) => place('dividerIncome', { dividerId }),
    },
    withdrawals: {
      on: 'row',
      label: 'dividers.withdrawals',
      may: 'agent_withdrawal.read',
      leads: ({ id: dividerId }) => place('tixianRecods', { dividerId }),
    },
    audit: auditOf('divider'),
  };
}
