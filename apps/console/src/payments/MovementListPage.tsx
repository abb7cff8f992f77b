import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';

const MovementList = lazy(() => import('./MovementList.tsx'));
const RechargeList = lazy(() => import('./RechargeList.tsx'));

/** Movements of balances, or their recharges alone with more about each; /chongzhiRecods. */
export default function MovementListPage() {
  const [search] = useSearchParams();
  return <Suspense>{search.get('view') === 'recharges' ? <RechargeList /> : <MovementList />}</Suspense>;
}
