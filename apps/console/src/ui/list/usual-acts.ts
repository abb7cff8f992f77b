import type { Permission } from '@voltdeck/contract/permissions';
import type { AnyRoute } from '../../api/call.ts';
import { type PhraseKey, phrase } from '../../phrases.ts';
import type { Act, OverlayProps } from '../list-page.ts';

type RowAct<Row> = Extract<Act<Row>, { on: 'row' }>;
type Usual<Row> = {
  may: Permission;
  /** Includes the thing and the number: "Delete station 1042 with its 2 gun ports?" */
  question: (row: Row) => string;
  /** What will happen, in numbers. */
  details: PhraseKey | ((row: Row) => string);
  changes: readonly AnyRoute[];
  because?: RowAct<Row>['because'];
};

function textOf<Row>(details: PhraseKey | ((row: Row) => string), row: Row): string {
  return typeof details === 'function' ? details(row) : phrase(details);
}

/** Deletes a row after confirmation. */
export function deletion<Row>({
  label,
  may,
  question,
  details,
  act,
  told,
  changes,
  because,
}: Usual<Row> & {
  label: PhraseKey;
  act: (row: Row) => Promise<unknown>;
  told: (row: Row) => string;
}): RowAct<Row> {
  return {
    on: 'row',
    label,
    may,
    danger: true,
    changes,
    ...(because === undefined ? {} : { because }),
    deed: (row) => ({
      ask: { question: question(row), details: textOf(details, row), verb: phrase(label) },
      do: async () => {
        await act(row);
        return told(row);
      },
    }),
  };
}

/** Enables a row at once, or disables it after confirmation. */
export function enabling<Row extends { enabled: boolean }>({
  labels: [on, off],
  may,
  question,
  details,
  act,
  told,
  changes,
  because,
}: Usual<Row> & {
  labels: readonly [enable: PhraseKey, disable: PhraseKey];
  act: (row: Row, enabled: boolean) => Promise<unknown>;
  told: (row: Row, enabled: boolean) => string;
}): RowAct<Row> {
  return {
    on: 'row',
    label: ({ enabled }) => (enabled ? off : on),
    may,
    danger: ({ enabled }) => enabled,
    changes,
    ...(because === undefined ? {} : { because }),
    deed: (row) => ({
      ...(row.enabled ? { ask: { question: question(row), details: textOf(details, row), verb: phrase(off) } } : {}),
      do: async () => {
        await act(row, !row.enabled);
        return told(row, !row.enabled);
      },
    }),
  };
}

/** What a form needs as an overlay; the outcome is `saidOf` the saved record. */
export function formIn<Row, Saved>({ open, close, tell }: OverlayProps<Row>, saidOf: (saved: Saved) => string) {
  return { open, onClose: close, onSaved: (saved: Saved) => tell(saidOf(saved)) };
}
