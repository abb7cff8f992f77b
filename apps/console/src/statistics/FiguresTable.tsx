import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMayGo } from '../session/use-go.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import type { FigureRow, FigureTable } from './figure-table.ts';
import styles from './statistics.module.css';

/** The figures of a chart, each row with the orders behind it. */
export function FiguresTable({ table, label }: { table: FigureTable; label: string }) {
  const { heads, rows, foot } = table;
  const [first] = rows;
  const isName = (row: FigureRow | undefined, column: number) => column === 0 || (row?.names ?? []).includes(column);
  return (
    <ScrollRegion label={label} className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th key={head} scope="col" className={isName(first, column) ? undefined : styles.right}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              {row.cells.map((cell, column) =>
                column === 0 ? (
                  <th key={heads[column]} scope="row">
                    <Leading row={row}>{cell}</Leading>
                  </th>
                ) : (
                  <td key={heads[column]} className={isName(row, column) ? undefined : styles.right}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {foot === undefined ? null : (
          <tfoot>
            <tr>
              {foot.map((cell, column) =>
                column === 0 ? (
                  <th key={heads[column]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={heads[column]} className={styles.right}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          </tfoot>
        )}
      </table>
    </ScrollRegion>
  );
}

function Leading({ row: { leads }, children }: { row: FigureRow; children: ReactNode }) {
  const mayGo = useMayGo();
  return leads == null || !mayGo(leads.screen) ? children : <Link to={leads.address}>{children}</Link>;
}
