import { useSearchParams } from 'react-router';
import { QualityFigures } from './QualityFigures.tsx';
import { StartAttemptList } from './StartAttemptList.tsx';

/** How far attempts to charge get, the figures of quality, and the attempts behind them; /quality. */
export default function QualityPage() {
  const [search] = useSearchParams();
  return search.get('view') === 'attempts' ? <StartAttemptList /> : <QualityFigures />;
}
