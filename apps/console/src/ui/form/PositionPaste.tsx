import { type Datum, datums, type Point } from '@voltdeck/regions/datum';
import { Button, Input, Select } from 'antd';
import { useId, useState } from 'react';
import { phrase } from '../../phrases.ts';
import styles from './form.module.css';
import { parsePosition } from './parse-position.ts';

const textMax = 120;

type Props = {
  onPoint: (point: Point, datum: Datum) => void;
  /** Whether the mark is still where this point put it. */
  isAt: (point: Point, datum: Datum) => boolean;
};

/** Coordinates copied from another map, in that map's datum. Pasting places them at once. */
export function PositionPaste({ onPoint, isAt }: Props) {
  const [text, setText] = useState('');
  const [datum, setDatum] = useState<Datum>('wgs84');
  /** The datum that the text was placed by; null while it has not been. */
  const [placedBy, setPlacedBy] = useState<Datum | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const faultId = useId();

  const place = (given: string, by: Datum) => {
    const parsed = parsePosition(given);
    setPlacedBy(parsed.kind === 'point' ? by : null);
    setFault(
      parsed.kind === 'point' ? null : phrase(parsed.kind === 'none' ? 'position.notRead' : 'position.nonsense'),
    );
    if (parsed.kind === 'point') onPoint(parsed.point, by);
  };

  return (
    <div className={styles.paste}>
      <Input
        aria-label={phrase('position.paste')}
        aria-invalid={fault !== null}
        {...(fault === null ? {} : { 'aria-describedby': faultId, status: 'error' as const })}
        placeholder={`${phrase('position.paste')}: ${phrase('position.pasteExample')}`}
        maxLength={textMax}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setPlacedBy(null);
          setFault(null);
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text').slice(0, textMax);
          if (parsePosition(pasted).kind === 'none') return;
          event.preventDefault();
          setText(pasted.trim());
          place(pasted, datum);
        }}
        onPressEnter={(event) => {
          event.preventDefault();
          place(text, datum);
        }}
      />
      <Select<Datum>
        aria-label={phrase('position.datum')}
        className={styles.datum ?? ''}
        options={datums.map((value) => ({ value, label: phrase(`position.datum.${value}`) }))}
        value={datum}
        onChange={(next) => {
          setDatum(next);
          // Whoever notices afterwards which map the text is from need not paste it again; a mark moved since stays.
          const parsed = parsePosition(text);
          if (placedBy !== null && parsed.kind === 'point' && isAt(parsed.point, placedBy)) place(text, next);
        }}
      />
      <Button onClick={() => place(text, datum)} disabled={text.trim() === ''}>
        {phrase('position.use')}
      </Button>
      {fault === null ? null : (
        <span id={faultId} className={styles.pasteFault} role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}
