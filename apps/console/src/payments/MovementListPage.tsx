import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { lazyPart } from '../api/lazy-part.ts';
import { withWords } from '../words.ts';

const MovementList = lazyPart(() => import('./MovementList.tsx'));
const ChannelPaymentList = lazyPart(withWords(['rechargeCodes'], () => import('./ChannelPaymentList.tsx')));
const RechargeList = lazyPart(() => import('./RechargeList.tsx'));

/** Movements of balances, their recharges alone with more about each, or payments through channels; /chongzhiRecods. */
export default function MovementListPage() {
  const [search] = useSearchParams();
  const view = search.get('view');
  return (
    <Suspense>
      {view === 'recharges' ? <RechargeList /> : view === 'channels' ? <ChannelPaymentList /> : <MovementList />}
    </Suspense>
  );
}
