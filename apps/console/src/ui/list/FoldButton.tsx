import { phrase } from '../../phrases.ts';
import styles from './fold-button.module.css';

type Props = { isOpen: boolean; rowName: string; controls?: string; onToggle: () => void };

/** Expands a row's details. */
export function FoldButton({ isOpen, rowName, controls, onToggle }: Props) {
  return (
    <button
      type="button"
      className={styles.fold}
      aria-expanded={isOpen}
      {...(isOpen && controls !== undefined ? { 'aria-controls': controls } : {})}
      aria-label={phrase(isOpen ? 'list.foldRow' : 'list.unfoldRow', { row: rowName })}
      onClick={onToggle}
    >
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <path d="m3 1 4 4-4 4" stroke="currentColor" strokeWidth="1.5" fill="none" />
      </svg>
    </button>
  );
}
