import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { FrameExplanation, FrameSpan } from '@voltdeck/contract/logs';
import { useMemo, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { nothingText } from '../../ui/figures.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { spacedHex } from '../hex-rows.ts';
import { wordOf } from '../log-words.ts';
import styles from './microscope.module.css';
import { hueOf, spanName, spanNumbers } from './span-words.ts';

/** Further rows are shown on demand. */
const rowsShown = 200;

/** The parts of a frame in a table, in wire order. */
export function SpanTable({ frame }: { frame: FrameExplanation }) {
  const [isWhole, setWhole] = useState(false);
  const isBytes = protocolTraits[frame.protocol].frames === 'bytes';
  const rows = useMemo(() => {
    const numbers = spanNumbers(frame.spans);
    return frame.spans.flatMap((span, index) => {
      const number = numbers[index];
      return number === null || number === undefined ? [] : [{ span, index, number }];
    });
  }, [frame]);
  const shown = isWhole ? rows : rows.slice(0, rowsShown);
  const first = rows[0]?.index;
  return (
    <ScrollRegion label={phrase('logs.fields')} className={styles.fields}>
      <table className={styles.table} data-span-group="rows">
        <thead>
          <tr>
            <th scope="col">{phrase('logs.number')}</th>
            <th scope="col" className={styles.right}>
              {phrase('logs.offset')}
            </th>
            <th scope="col" className={styles.right}>
              {phrase('logs.length')}
            </th>
            <th scope="col">{phrase('logs.field')}</th>
            {isBytes ? <th scope="col">{phrase('logs.raw')}</th> : null}
            <th scope="col">{phrase('logs.value')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ span, index, number }) => (
            <tr key={index} data-span={index}>
              <td>
                <button
                  type="button"
                  className={styles.rowNumber}
                  data-hue={hueOf(span, index)}
                  data-span={index}
                  tabIndex={index === first ? 0 : -1}
                  aria-label={`${number} ${spanName(span)}`}
                >
                  {number}
                </button>
              </td>
              <td className={styles.right}>{span.offset}</td>
              <td className={styles.right}>{span.length}</td>
              <td>
                <span className={styles.fieldName}>{spanName(span)}</span>
                {span.path === null || span.path === spanName(span) ? null : (
                  <code className={styles.path}>{span.path}</code>
                )}
              </td>
              {isBytes ? <td className={styles.raw}>{spacedHex(span.raw)}</td> : null}
              <td>
                <Value span={span} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === rows.length ? null : (
        <button type="button" className="row-action" onClick={() => setWhole(true)}>
          {phrase('logs.allFields', { count: rows.length })}
        </button>
      )}
    </ScrollRegion>
  );
}

/** The value with its unit, and what it means. */
function Value({ span }: { span: FrameSpan }) {
  const unit = wordOf(span.unit);
  const items = span.items ?? [];
  const meanings = items.length > 0 ? [] : span.meanings.map((key) => wordOf(key) ?? key);
  return (
    <>
      {items.length > 0 && items.every(({ name }) => name === null) ? null : (
        <span className={styles.read}>
          {span.value === null ? nothingText : span.value}
          {span.value === null || unit === null ? null : <span className={styles.unit}>{unit}</span>}
        </span>
      )}
      {meanings.length === 0 ? null : (
        <ul className={styles.meanings}>
          {meanings.map((meaning) => (
            <li key={meaning}>{meaning}</li>
          ))}
        </ul>
      )}
      {items.length === 0 ? null : <Items items={items} />}
    </>
  );
}

type Item = NonNullable<FrameSpan['items']>[number];

/** Each bit that is set, or each half hour of a day at which something changes. */
function Items({ items }: { items: readonly Item[] }) {
  const said = (item: Item) =>
    [item.name === null ? item.text : wordOf(item.name), shownValue(item)].filter((part) => part !== null).join(' ');
  const told = items.filter((item, index) =>
    item.name === null ? index === 0 || items[index - 1]?.value !== item.value : item.isSet,
  );
  return (
    <ul className={styles.items}>
      {told.length === 0 ? (
        <li>{phrase('logs.nothingSet')}</li>
      ) : (
        told.map((item) => <li key={said(item)}>{said(item)}</li>)
      )}
    </ul>
  );
}

/** Null for a bit that is merely set: its name is enough. */
function shownValue({ meaning, value, unit, name }: Item): string | null {
  if (meaning !== null) return wordOf(meaning) ?? meaning;
  const unitText = wordOf(unit);
  if (unitText !== null) return `${value} ${unitText}`;
  return name !== null && value === '1' ? null : value;
}
