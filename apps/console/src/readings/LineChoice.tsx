import { phrase } from '../phrases.ts';
import { type LineName, lineNames, lineSpecs, lineText } from './charge-lines.ts';
import styles from './readings.module.css';

type Props = {
  known: ReadonlySet<LineName>;
  hidden: ReadonlySet<LineName>;
  onChange: (hidden: Set<LineName>) => void;
  /** Without colours, where these tell charges apart. */
  isPlain?: true;
};

/** The lines of a chart with their colours; a click hides or shows one. */
export function LineChoice({ known, hidden, onChange, isPlain }: Props) {
  return (
    <fieldset className={styles.lines} aria-label={phrase('readings.chooseSeries')}>
      {lineNames
        .filter((name) => known.has(name))
        .map((name) => {
          const { colour, isDashed } = lineSpecs[name];
          const isShown = !hidden.has(name);
          return (
            <button
              key={name}
              type="button"
              className={styles.line}
              aria-pressed={isShown}
              onClick={() => {
                const next = new Set(hidden);
                if (isShown) next.add(name);
                else next.delete(name);
                onChange(next);
              }}
            >
              {isPlain ? null : (
                <span
                  className={styles.swatch}
                  style={{
                    borderTopStyle: isDashed === true ? 'dashed' : 'solid',
                    borderTopColor: colour === 'textFaint' ? 'var(--text-faint)' : `var(--${colour}-mark)`,
                  }}
                />
              )}
              {lineText(name)}
            </button>
          );
        })}
    </fieldset>
  );
}
