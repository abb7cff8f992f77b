import { HeartOutlined } from '@ant-design/icons';
import type { Conversation, InteractionLog } from '@voltdeck/contract/logs';
import { hourMs, minuteMs, secondMs } from '@voltdeck/units/instant';
import { useEffect, useMemo, useRef, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { countText } from '../../ui/figures.ts';
import { StateTag } from '../../ui/StateTag.tsx';
import { answerStateOf, clockTime, exactTime, faultText, latencyText, messageName, previewOf } from '../log-words.ts';
import { waitsForAnswer } from '../message-kinds.ts';
import styles from './conversation.module.css';
import { timelineOf } from './timeline.ts';

/** "1", "1.5" */
const tenths = (value: number) => String(Math.round(value * 10) / 10);

function lengthText(lengthMs: number): string {
  if (lengthMs < minuteMs) return phrase('logs.seconds', { count: tenths(lengthMs / secondMs) });
  if (lengthMs < hourMs) return phrase('logs.minutes', { count: tenths(lengthMs / minuteMs) });
  return phrase('logs.hours', { count: tenths(lengthMs / hourMs) });
}

type Props = {
  conversation: Conversation;
  /** The moment to scroll to. */
  moment?: string;
  onOpen: (log: InteractionLog) => void;
};

/** Station on the left, platform on the right, one line for a call and its answer. */
export function ConversationTimeline({ conversation, moment, onOpen }: Props) {
  const items = useMemo(() => timelineOf(conversation.exchanges), [conversation]);
  const list = useRef<HTMLOListElement>(null);
  const nearest = useMemo(() => {
    if (moment === undefined) return null;
    const distance = (log: InteractionLog) => Math.abs(Date.parse(log.at) - Date.parse(moment));
    return conversation.exchanges.reduce<InteractionLog | null>(
      (found, log) => (found === null || distance(log) < distance(found) ? log : found),
      null,
    );
  }, [conversation, moment]);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div className={styles.timeline}>
      <div className={styles.sides} aria-hidden="true">
        <span>{phrase('logs.sideStation')}</span>
        <span>{phrase('logs.sidePlatform')}</span>
      </div>
      <ol ref={list} className={styles.items} aria-label={phrase('logs.timeline')}>
        {items.map((item) =>
          item.kind === 'gap' ? (
            <li key={item.key} className={styles.gap}>
              <span>{phrase('logs.gap', { length: lengthText(item.lengthMs) })}</span>
            </li>
          ) : item.kind === 'heartbeats' ? (
            <Heartbeats key={item.key} logs={item.logs} onOpen={onOpen} />
          ) : (
            <Exchange key={item.key} log={item.log} isMoment={item.log.key === nearest?.key} onOpen={onOpen} />
          ),
        )}
      </ol>
    </div>
  );
}

function Heartbeats({ logs, onOpen }: { logs: readonly InteractionLog[]; onOpen: (log: InteractionLog) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [first] = logs;
  const last = logs.at(-1);
  if (first === undefined || last === undefined) return null;
  return (
    <li className={styles.beats}>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <HeartOutlined /> {phrase('logs.heartbeats', { count: countText(logs.length) })}{' '}
        <span className="figure">
          {logs.length === 1
            ? clockTime(first.at)
            : phrase('list.fromUntil', { from: clockTime(first.at), to: clockTime(last.at) })}
        </span>
      </button>
      {isOpen ? (
        <ol className={styles.items}>
          {logs.map((log) => (
            <Exchange key={log.key} log={log} isMoment={false} onOpen={onOpen} />
          ))}
        </ol>
      ) : null}
    </li>
  );
}

type ExchangeProps = { log: InteractionLog; isMoment: boolean; onOpen: (log: InteractionLog) => void };

function Exchange({ log, isMoment, onOpen }: ExchangeProps) {
  const isFromStation = log.direction === 'from-station';
  const state = answerStateOf(log);
  const answer =
    log.answer !== null ? phrase('logs.answerTo') : waitsForAnswer(log) ? phrase('logs.answer.missing') : null;
  const request = (
    <span className={styles.said} data-part="request">
      <strong className={styles.name}>
        {messageName(log)}
        {log.action === null || log.action === messageName(log) ? null : <code>{log.action}</code>}
      </strong>
      <span className={styles.preview}>{previewOf(log)}</span>
    </span>
  );
  const reply =
    answer === null ? (
      <span />
    ) : (
      <span className={styles.said} data-part="answer" data-state={state}>
        {answer}
      </span>
    );
  return (
    <li className={styles.item}>
      <button
        type="button"
        className={styles.exchange}
        data-direction={log.direction}
        {...(isMoment ? { 'aria-current': 'true' as const } : {})}
        onClick={() => onOpen(log)}
      >
        <time className={`figure ${styles.time}`} dateTime={log.at} title={exactTime(log.at)}>
          {clockTime(log.at)}
        </time>
        {isFromStation ? request : reply}
        <span className={styles.wires} data-state={state}>
          <span aria-hidden="true">{isFromStation ? '→' : '←'}</span>
          <span className="for-readers">{phrase(isFromStation ? 'logs.fromStation' : 'logs.toStation')}</span>
          {log.latencyMs === null ? null : (
            <span className="figure">
              {state === 'slow'
                ? phrase('logs.answer.slow', { time: latencyText(log.latencyMs) })
                : latencyText(log.latencyMs)}
            </span>
          )}
        </span>
        {isFromStation ? reply : request}
        {log.fault === null ? null : (
          <span className={styles.faultTag}>
            <StateTag tone="fault">{faultText(log.fault)}</StateTag>
          </span>
        )}
      </button>
    </li>
  );
}
