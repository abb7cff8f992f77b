import { type CreditScore, getCredit, listCredits } from '@voltdeck/contract/credit';
import { lazyPart } from '../api/lazy-part.ts';
import { phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { countText } from '../ui/figures.ts';
import { findable } from '../ui/is-masked.ts';
import { ListPage } from '../ui/ListPage.tsx';
import { formIn } from '../ui/list/usual-acts.ts';
import type { Acts, Filters, ListPageProps } from '../ui/list-page.ts';

/** Lazy: most visits to a list never open it. */
const AdjustCreditForm = lazyPart(() => import('./AdjustCreditForm.tsx'));

const filters: Filters<typeof listCredits> = {
  phone: {},
  nickname: {},
  userType: {},
  customerId: { title: 'credits.customer' },
};

const look: ListPageProps<typeof listCredits>['look'] = {
  nickname: { widthPx: 200, isPinned: true, isKeyFact: true },
  id: { widthPx: 112 },
  phone: { widthPx: 144, link: ({ phone }) => place('registerUser', { phone: findable(phone) }) },
  score: { isKeyFact: true },
};

const acts: Acts<CreditScore> = {
  details: {
    on: 'row',
    label: 'credits.details',
    leads: ({ id }) => place('creditDetail', { customerId: id }),
  },
  adjust: {
    on: 'row',
    label: 'credits.adjust',
    may: 'credit.adjust',
    overlay: (credit, over) => (
      <AdjustCreditForm
        credit={credit}
        {...formIn(over, ({ score }: CreditScore) => phrase('credits.adjusted', { score: countText(score) }))}
      />
    ),
  },
};

/** What registered users earned by paying for charges; /creditList. */
export default function CreditListPage() {
  return (
    <ListPage
      list={listCredits}
      title="credits.title"
      record="credits.score"
      filters={filters}
      look={look}
      acts={acts}
      one={getCredit}
      empty={{ title: 'credits.empty', text: 'credits.emptyText' }}
    />
  );
}
