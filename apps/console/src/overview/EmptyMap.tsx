import { Button } from 'antd';
import { useNavigate } from 'react-router';
import { phrase } from '../phrases.ts';
import { opened } from '../session/place.ts';
import { useCan } from '../session/use-can.ts';
import { useMayGo } from '../session/use-go.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import styles from './first-steps.module.css';

/** Over a map without sites: what puts the first one there. */
export function EmptyMap() {
  const can = useCan();
  const mayGo = useMayGo();
  const navigate = useNavigate();
  const { screen, address } = opened('plotList', 'add', {});
  const mayAdd = can('site.edit') && mayGo(screen);
  return (
    <div className={styles.emptyMap}>
      <EmptyState
        title={phrase('overview.emptyTitle')}
        text={phrase(mayAdd ? 'overview.emptyText' : 'overview.emptyTextOther')}
        action={mayAdd ? <Button onClick={() => void navigate(address)}>{phrase('overview.do.addSite')}</Button> : null}
      />
    </div>
  );
}
