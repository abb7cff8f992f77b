import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { withWords } from '../words.ts';

const MovementList = lazy(() => import('./MovementList.tsx'));
const ChannelPaymentList = lazy(withWords(['rechargeCodes'], () => import('./ChannelPaymentList.tsx')));
const RechargeList = lazy(() => import('./RechargeList.tsx'));

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
