import { CaretRightOutlined, PauseOutlined } from '@ant-design/icons';
import { secondMs } from '@voltdeck/units/instant';
import { Button, Switch, Tooltip } from 'antd';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { countText } from '../../ui/figures.ts';
import styles from '../logs.module.css';
import type { Held } from './use-held.ts';
import type { LogTail } from './use-log-tail.ts';

/** Minimum interval between announcements to screen readers. */
const announceMs = 5 * secondMs;

type Props = {
  isLive: boolean;
  /** Why it cannot be switched on, if so. */
  cannot: string | null;
  tail: LogTail;
  held: Held;
  onSwitch: (on: boolean) => void;
};

/** Switches the live view on and off, pauses it, and shows how many rows are waiting. */
export function LiveBar({ isLive, cannot, tail, held, onSwitch }: Props) {
  const labelId = useId();
  const { rows, state } = tail;
  return (
    <div className={styles.live} data-live={isLive}>
      <Tooltip title={cannot}>
        <Switch
          size="small"
          checked={isLive}
          disabled={cannot !== null}
          aria-labelledby={labelId}
          onChange={onSwitch}
        />
      </Tooltip>
      <span id={labelId}>{phrase('logs.live')}</span>
      {isLive ? (
        <>
          <span className={styles.pulse} data-state={held.because === null ? state : 'held'} aria-hidden="true" />
          <span className={styles.quiet}>
            {phrase(
              state === 'open'
                ? held.because === null
                  ? 'logs.live.open'
                  : `logs.held.${held.because}`
                : `logs.live.${state}`,
            )}
          </span>
          <Button
            size="small"
            icon={held.isPaused ? <CaretRightOutlined /> : <PauseOutlined />}
            onClick={() => held.pause(!held.isPaused)}
          >
            {phrase(held.isPaused ? 'logs.resume' : 'logs.pause')}
          </Button>
          {rows.waitingCount === 0 ? null : (
            <Button
              size="small"
              type="primary"
              onClick={() => {
                held.letGo();
                tail.showWaiting();
              }}
            >
              {phrase('logs.waiting', { count: countText(rows.waitingCount) })}
            </Button>
          )}
          {rows.skippedCount === 0 ? null : (
            <span className={styles.skipped}>{phrase('logs.skipped', { count: countText(rows.skippedCount) })}</span>
          )}
          <Heard newestKey={rows.waiting[0]?.key ?? rows.shown[0]?.key} count={rows.waitingCount + rows.shown.length} />
        </>
      ) : null}
    </div>
  );
}

/** Announces from time to time that rows arrived, not each row. */
function Heard({ newestKey, count }: { newestKey: string | undefined; count: number }) {
  const [said, setSaid] = useState<{ key: string | undefined; count: number; text: string }>({
    key: newestKey,
    count,
    text: '',
  });
  const say = useEffectEvent(() => {
    if (newestKey === said.key) return;
    const more = Math.max(1, count - said.count);
    setSaid({ key: newestKey, count, text: phrase('logs.heard', { count: countText(more) }) });
  });
  useEffect(() => {
    const timer = setInterval(() => say(), announceMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <span role="status" className="for-readers">
      {said.text}
    </span>
  );
}
