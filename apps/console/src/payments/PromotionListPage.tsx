import { deletePromotion, listPromotions, type Promotion } from '@voltdeck/contract/promotions';
import { call } from '../api/call.ts';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { seesAgents } from '../session/reach.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { auditOf, deletion, formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps, OverlayProps } from '../ui/list-page.ts';

/** Lazy: most visits to a list never open it. */
const PromotionFormDrawer = lazyPart(() => import('./PromotionFormDrawer.tsx'));

const filters: Filters<typeof listPromotions> = {
  name: {},
  effective: {},
  displayed: {},
  scope: {},
  agentId: { title: 'promotions.agent', may: seesAgents },
};

const look: ListPageProps<typeof listPromotions>['look'] = {
  name: { widthPx: 200, isPinned: true },
  satisfiedFen: { isKeyFact: true },
  giftFen: { isKeyFact: true },
  effective: { tone: ({ effective }) => (effective ? 'free' : 'offline') },
};

const savedText = ({ name }: Promotion) => phrase('promotions.saved', { name });

function formOf(promotion: Promotion | null, over: OverlayProps<Promotion>) {
  return <PromotionFormDrawer promotion={promotion} {...formIn(over, savedText)} />;
}

const acts: Acts<Promotion> = {
  add: { on: 'list', label: 'promotions.add', may: 'promotion.edit', overlay: (over) => formOf(null, over) },
  edit: { on: 'row', label: 'promotions.edit', may: 'promotion.edit', overlay: formOf },
  delete: deletion({
    label: 'promotions.delete',
    may: 'promotion.edit',
    question: ({ name }) => phrase('promotions.deleteQuestion', { name }),
    details: () => phrase('promotions.deleteDetails'),
    act: ({ id }, idempotencyKey) => call(deletePromotion, { params: { id }, idempotencyKey }),
    told: ({ name }) => phrase('promotions.deleted', { name }),
    because: ({ uses }) => (uses > 0 ? phrase('error.promotion.used') : undefined),
  }),
  audit: auditOf('promotion'),
};

/** What recharges are given by themselves; /promotionList. */
export default function PromotionListPage() {
  return (
    <ListPage
      list={listPromotions}
      title="promotions.title"
      record="promotions.promotion"
      filters={filters}
      look={look}
      acts={acts}
      empty={{ title: 'promotions.empty', text: 'promotions.emptyText' }}
    />
  );
}
