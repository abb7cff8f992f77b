import type { DataScope } from '@voltdeck/contract/permissions';
import { phrase } from '../../phrases.ts';
import { type GrantNode, rightsOf } from './grants.ts';
import styles from './positions.module.css';

type Props = { tree: readonly GrantNode[]; codes: readonly string[]; dataScope: DataScope | undefined };

/** What a position allows in plain words: whose records, which screens, and which buttons are and are not granted. */
export function RightsList({ tree, codes, dataScope }: Props) {
  const rights = rightsOf(tree, new Set(codes));
  return (
    <div className={styles.rights}>
      {dataScope === undefined ? null : <p className={styles.scope}>{phrase(`positions.scope.${dataScope}`)}</p>}
      {rights.length === 0 ? (
        <p className={styles.quiet}>{phrase('positions.seesNothing')}</p>
      ) : (
        <ul>
          {rights.map(({ code, screen, area, may, mayNot }) => (
            <li key={code}>
              {area === null ? null : <span className={styles.quiet}>{`${area} › `}</span>}
              <strong>{screen}</strong>
              <span>{phrase('positions.sees')}</span>
              {may.length === 0 ? null : (
                <span>{phrase('positions.may', { what: may.join(phrase('list.comma')) })}</span>
              )}
              {mayNot.length === 0 ? null : (
                <span className={styles.mayNot}>
                  {phrase('positions.mayNot', { what: mayNot.join(phrase('list.comma')) })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
