import { columnWidthsPx } from '@voltdeck/contract/views';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { phrase } from '../../phrases.ts';
import styles from './list-table.module.css';

const stepPx = 16;

type Props = {
  title: string;
  widthPx: number;
  /** One edge of a table is a tab stop; up and down arrows lead to the others. */
  isStop: boolean;
  onReach: () => void;
  /** During dragging. */
  onDrag: (widthPx: number) => void;
  /** After dragging. */
  onWiden: (widthPx: number) => void;
  /** Fits the column to its content. */
  onFit: () => void;
};

/** The edge of a column head: dragged, moved by keys, or fitted by a double click. */
export function ColumnEdge({ title, widthPx, isStop, onReach, onDrag, onWiden, onFit }: Props) {
  const drag = useRef<{ fromPx: number; widthPx: number } | null>(null);
  const draggedPx = (event: PointerEvent) =>
    drag.current === null ? widthPx : drag.current.widthPx + event.clientX - drag.current.fromPx;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const edges = [
      ...(event.currentTarget.closest('table')?.querySelectorAll<HTMLElement>('[role="separator"]') ?? []),
    ];
    const at = edges.indexOf(event.currentTarget);
    if (event.key === 'ArrowRight') onWiden(widthPx + stepPx);
    else if (event.key === 'ArrowLeft') onWiden(widthPx - stepPx);
    else if (event.key === 'ArrowDown') edges[at + 1]?.focus();
    else if (event.key === 'ArrowUp') edges[at - 1]?.focus();
    else if (event.key === 'Enter') onFit();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no hr
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={phrase('list.columnWidth', { title })}
      aria-valuemin={columnWidthsPx.min}
      aria-valuemax={columnWidthsPx.max}
      aria-valuenow={Math.round(widthPx)}
      aria-description={phrase('list.columnWidthKeys')}
      tabIndex={isStop ? 0 : -1}
      className={styles.edge}
      onFocus={onReach}
      onKeyDown={onKeyDown}
      onDoubleClick={onFit}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { fromPx: event.clientX, widthPx };
      }}
      onPointerMove={(event) => {
        if (drag.current !== null) onDrag(draggedPx(event));
      }}
      onPointerUp={(event) => {
        const nextPx = draggedPx(event);
        const hasMoved = drag.current !== null && nextPx !== drag.current.widthPx;
        drag.current = null;
        if (hasMoved) onWiden(nextPx);
      }}
      onPointerCancel={() => {
        drag.current = null;
        onDrag(widthPx);
      }}
    />
  );
}
