import type { Position } from '@voltdeck/contract/positions';
import { Drawer, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { phrase } from '../../phrases.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { nothingText } from '../../ui/figures.ts';
import { Instant } from '../../ui/Instant.tsx';
import styles from './positions.module.css';
import { RightsList } from './RightsList.tsx';
import { useGrantTree } from './use-grant-tree.ts';

const widthPx = 560;

/** A position in plain words. */
export default function PositionDrawer({
  position,
  open,
  onClose,
}: {
  position: Position;
  open: boolean;
  onClose: () => void;
}) {
  const answer = useGrantTree();
  return (
    <Drawer
      title={position.name}
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
    >
      <dl className={styles.facts}>
        <Fact label={phrase('positions.description')}>{position.description || nothingText}</Fact>
        <Fact label={phrase('positions.owner')}>{position.agentName ?? phrase('list.ofPlatform')}</Fact>
        <Fact label={phrase('positions.users')}>{position.users}</Fact>
        <Fact label={phrase('positions.createdAt')}>
          <Instant at={position.createdAt} />
        </Fact>
      </dl>
      <h3 className={styles.formHead}>{phrase('positions.rights')}</h3>
      {answer.kind === 'loading' ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : answer.kind === 'failed' ? (
        <ErrorState failure={answer.failure} retry={answer.retry} />
      ) : (
        <RightsList tree={answer.tree} codes={position.menuCodes} dataScope={position.dataScope} />
      )}
    </Drawer>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
