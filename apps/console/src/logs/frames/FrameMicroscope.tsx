import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { FrameExplanation } from '@voltdeck/contract/logs';
import { useId, useMemo, useRef, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { StateTag } from '../../ui/StateTag.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { Direction } from '../Direction.tsx';
import { hexRows, spacedHex } from '../hex-rows.ts';
import { wordOf } from '../log-words.ts';
import { CopyButton } from './CopyButton.tsx';
import styles from './microscope.module.css';
import { prettySpans } from './pretty-spans.ts';
import { SpanTable } from './SpanTable.tsx';
import { hueOf, spanName, spanNumbers } from './span-words.ts';
import { useSpanPointing } from './use-span-pointing.ts';

const bytesPerRow = 16;
const bytesPerNarrowRow = 8;

type Props = { frame: FrameExplanation; title: string };

/** One frame: its bytes or text with every part marked, and the same parts in a table below. */
export function FrameMicroscope({ frame, title }: Props) {
  const titleId = useId();
  const whole = useRef<HTMLElement>(null);
  useSpanPointing(whole);
  const isBytes = protocolTraits[frame.protocol].frames === 'bytes';
  const name = wordOf(frame.name);
  return (
    <section ref={whole} className={styles.frame} aria-labelledby={titleId}>
      <header className={styles.frameHead}>
        <h3 id={titleId} className={styles.frameTitle}>
          {title}
          {name === null ? null : <span className={styles.frameName}>{name}</span>}
          {frame.action === null || frame.action === name ? null : <code className={styles.wire}>{frame.action}</code>}
        </h3>
        {frame.direction === null ? null : <Direction of={frame.direction} />}
        <span className={styles.copies}>
          {isBytes ? (
            <CopyButton label={phrase('logs.copyHex')} text={() => spacedHex(frame.text)} />
          ) : (
            <CopyButton label={phrase('logs.copyJson')} text={() => prettyText(frame)} />
          )}
        </span>
        <div className={styles.verdicts}>
          {isBytes ? <Checksum checksum={frame.checksum} /> : null}
          {/* A wrong checksum already says so. */}
          {frame.fault === null || frame.checksum.verdict === 'wrong' ? null : (
            <StateTag tone="fault">{wordOf(frame.fault) ?? frame.fault}</StateTag>
          )}
        </div>
      </header>
      {isBytes ? <Bytes frame={frame} /> : <Text frame={frame} />}
      <SpanTable frame={frame} />
    </section>
  );
}

/** The checksum's verdict, with the found and expected values where they differ. */
function Checksum({ checksum: { verdict, found, expected } }: Pick<FrameExplanation, 'checksum'>) {
  switch (verdict) {
    case 'right':
      return <StateTag tone="free">{phrase('logs.checksum.right')}</StateTag>;
    case 'right_high_first':
      return <StateTag tone="occupied">{phrase('logs.checksum.right_high_first')}</StateTag>;
    case 'wrong':
      return (
        <StateTag tone="fault">
          {phrase('logs.checksum.wrong', { found: spacedHex(found ?? ''), expected: spacedHex(expected ?? '') })}
        </StateTag>
      );
    case 'none':
      return <StateTag tone="offline">{phrase('logs.checksum.none')}</StateTag>;
  }
}

/** Bytes in rows with offsets. The first bytes of each part are a button; arrow keys move between parts. */
function Bytes({ frame }: { frame: FrameExplanation }) {
  const isNarrow = useNarrow();
  const rows = useMemo(
    () => hexRows(frame.text, frame.spans, isNarrow ? bytesPerNarrowRow : bytesPerRow),
    [frame, isNarrow],
  );
  const numbers = useMemo(() => spanNumbers(frame.spans), [frame]);
  return (
    <fieldset className={styles.bytes} data-span-group="marks">
      <legend className="for-readers">{phrase('logs.bytes')}</legend>
      {rows.map(({ offset, pieces }) => (
        <div key={offset} className={styles.byteRow}>
          <span className={styles.offset} aria-hidden="true">
            {offset.toString(16).toUpperCase().padStart(4, '0')}
          </span>
          {pieces.map(({ index, bytes, isStart, isEnd }) => {
            const span = frame.spans[index];
            if (span === undefined) return null;
            const look = {
              className: styles.piece,
              'data-span': index,
              'data-hue': hueOf(span, index),
              'data-start': isStart,
              'data-end': isEnd,
            };
            const inside = (
              <>
                {isStart ? (
                  <>
                    <span className={styles.number}>{numbers[index]}</span>
                    <span className="for-readers"> {spanName(span)} </span>
                  </>
                ) : null}
                {bytes.map((byte, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: bytes are told apart by their place alone
                  <span key={place} className={styles.byte}>
                    {byte}
                  </span>
                ))}
              </>
            );
            return isStart ? (
              <button key={index} type="button" {...look} tabIndex={index === 0 ? 0 : -1} title={spanName(span)}>
                {inside}
              </button>
            ) : (
              <span key={index} {...look}>
                {inside}
              </span>
            );
          })}
        </div>
      ))}
    </fieldset>
  );
}

/** Longer texts are cut until the user asks for all of it. */
const linesShown = 400;

/** Formatted JSON with every value a button. */
function Text({ frame }: { frame: FrameExplanation }) {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => prettySpans(frame.text, frame.spans), [frame]);
  const first = frame.spans.findIndex(({ part }) => part !== 'syntax');
  const shown = isWhole ? lines : lines.slice(0, linesShown);
  return (
    <fieldset className={styles.text} data-span-group="marks">
      <legend className="for-readers">{phrase('logs.jsonText')}</legend>
      {shown.map(({ depth, pieces }, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are told apart by their place alone
        <div key={line} className={styles.line} style={{ paddingInlineStart: `${depth * 1.25}em` }}>
          {pieces.map(({ text, index }, place) => {
            const span = index === null ? undefined : frame.spans[index];
            if (index === null || span === undefined) {
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces are told apart by their place alone
                <span key={place} className={styles.syntax}>
                  {text}
                </span>
              );
            }
            return (
              <button
                key={index}
                type="button"
                className={styles.value}
                data-span={index}
                data-hue={hueOf(span, index)}
                tabIndex={index === first ? 0 : -1}
                title={spanName(span)}
              >
                {text}
              </button>
            );
          })}
        </div>
      ))}
      {shown.length === lines.length ? null : (
        <button type="button" className="row-action" onClick={() => setWhole(true)}>
          {phrase('logs.allLines', { count: lines.length })}
        </button>
      )}
    </fieldset>
  );
}

function prettyText({ text, spans }: FrameExplanation): string {
  return prettySpans(text, spans)
    .map(({ depth, pieces }) => '  '.repeat(depth) + pieces.map((piece) => piece.text).join(''))
    .join('\n');
}
