import type { Permission } from '@voltdeck/contract/permissions';
import type { AnyRoute } from '../../api/call.ts';
import { type PhraseKey, phrase } from '../../phrases.ts';
import { place } from '../../session/place.ts';
import type { Act, OverlayProps } from '../list-page.ts';

type RowAct<Row> = Extract<Act<Row>, { on: 'row' }>;
type Details<Row> = PhraseKey | ((row: Row) => string);
type Usual<Row> = Pick<RowAct<Row>, 'isFor' | 'because'> & {
  may: Permission;
  /** Includes the thing and the number: "Delete station 1042 with its 2 gun ports?" */
  question: (row: Row) => string;
  /** What will happen, in numbers. */
  details: Details<Row>;
  /** Routes besides the list whose answers it changes. */
  changes?: readonly AnyRoute[];
};
type Asking<Row> = Usual<Row> & {
  label: PhraseKey;
  danger?: boolean;
  act: (row: Row, idempotencyKey: string) => Promise<unknown>;
  told: (row: Row) => string;
};
type AskingMany<Row> = {
  label: PhraseKey;
  may: Permission;
  danger?: boolean;
  because?: (rows: readonly Row[]) => string | undefined;
  /** Includes the number: "Close 3 gun ports?" */
  question: (rows: readonly Row[]) => string;
  details?: (rows: readonly Row[]) => string;
  /** The verb on the button, if it says more than the label. */
  verb?: (rows: readonly Row[]) => string;
  /** Acts on all of them or none; the outcome to show. */
  act: (rows: readonly Row[], idempotencyKey: string) => Promise<string>;
  /** Routes besides the list whose answers it changes. */
  changes?: readonly AnyRoute[];
};

function textOf<Row>(details: Details<Row>, row: Row): string {
  return typeof details === 'function' ? details(row) : phrase(details);
}

/**
 * Acts on a row after confirmation. Like its neighbours it returns `Act` itself: a narrower type would have the compiler
 * compare the phrase keys of both, millions of pairs a call.
 */
export function asking<Row>({ question, details, act, told, ...rest }: Asking<Row>): Act<Row> {
  return {
    on: 'row',
    ...rest,
    deed: (row) => ({
      ask: { question: question(row), details: textOf(details, row), verb: phrase(rest.label) },
      do: async (idempotencyKey) => {
        await act(row, idempotencyKey);
        return told(row);
      },
    }),
  };
}

/** Acts on the selected rows together after confirmation. */
export function askingMany<Row>({ question, details, verb, act, ...rest }: AskingMany<Row>): Act<Row> {
  return {
    on: 'rows',
    ...rest,
    deed: (rows) => ({
      ask: { question: question(rows), details: details?.(rows), verb: verb?.(rows) ?? phrase(rest.label) },
      do: (idempotencyKey) => act(rows, idempotencyKey),
    }),
  };
}

/** Deletes a row after confirmation. */
export function deletion<Row>(asked: Omit<Asking<Row>, 'danger'>): Act<Row> {
  return asking({ ...asked, danger: true });
}

/** Enables a row at once, or disables it after confirmation. */
export function enabling<Row extends { enabled: boolean }>({
  labels: [on, off],
  question,
  details,
  act,
  told,
  ...rest
}: Usual<Row> & {
  labels: readonly [enable: PhraseKey, disable: PhraseKey];
  act: (row: Row, enabled: boolean, idempotencyKey: string) => Promise<unknown>;
  told: (row: Row, enabled: boolean) => string;
}): Act<Row> {
  return {
    on: 'row',
    ...rest,
    label: ({ enabled }) => (enabled ? off : on),
    danger: ({ enabled }) => enabled,
    deed: (row) => ({
      ...(row.enabled ? { ask: { question: question(row), details: textOf(details, row), verb: phrase(off) } } : {}),
      do: async (idempotencyKey) => {
        await act(row, !row.enabled, idempotencyKey);
        return told(row, !row.enabled);
      },
    }),
  };
}

/** Leads to what the audit log has of the row. */
export function auditOf<Row extends { id: number | string }>(recordKind: string): Act<Row> {
  return {
    on: 'row',
    label: 'menu.auditLog',
    leads: ({ id }) => place('auditLog', { recordKind, recordId: String(id) }),
  };
}

/** What a form needs as an overlay; the outcome is `saidOf` the saved record. */
export function formIn<Row, Saved>({ open, close, tell }: OverlayProps<Row>, saidOf: (saved: Saved) => string) {
  return { open, onClose: close, onSaved: (saved: Saved) => tell(saidOf(saved)) };
}
