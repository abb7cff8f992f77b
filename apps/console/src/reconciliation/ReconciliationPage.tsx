import { Segmented } from 'antd';
import { useSearchParams } from 'react-router';
import { phrase } from '../phrases.ts';
import { useAddress } from '../ui/use-address.ts';
import { DayList } from './DayList.tsx';
import { DifferenceList } from './DifferenceList.tsx';

const views = ['days', 'differences'] as const;
type View = (typeof views)[number];

/** Our records against those of channels, meters and the books, by day and by difference; /reconciliationList. */
export default function ReconciliationPage() {
  const [search] = useSearchParams();
  const view = views.find((each) => each === search.get('view')) ?? 'days';
  const tools = <ViewSwitch view={view} />;
  return view === 'days' ? <DayList tools={tools} /> : <DifferenceList tools={tools} />;
}

/** Each view is a list with filters of its own. */
function ViewSwitch({ view }: { view: View }) {
  const [, setSearch] = useAddress();
  return (
    <Segmented
      aria-label={phrase('reconciliation.views')}
      value={view}
      onChange={(next) => setSearch(next === 'days' ? {} : { view: next }, { replace: true })}
      options={views.map((value) => ({ value, label: phrase(`reconciliation.${value}`) }))}
    />
  );
}
