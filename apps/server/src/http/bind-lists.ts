import type { ApiError } from '@voltdeck/contract/errors';
import type { ExportFormat } from '@voltdeck/contract/list';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder, Call } from './bind.ts';
import { KnownTotals } from './known-totals.ts';
import { exportAnswer } from './list-export.ts';
import { spanOf } from './list-page.ts';
import { type AnySource, type FileSource, fileSourceOf, readPage, readTotals, whyTooLong } from './list-source.ts';

/** Binds every list: its page, its totals and its export. A list with a page of its own gets only the export. */
export function bindLists(
  binder: Binder,
  context: Context<'console'>,
  sources: readonly (AnySource | FileSource)[],
): void {
  const known = new KnownTotals();
  for (const source of sources) {
    if ('filtered' in source) {
      bindList(binder, context, source, known);
      bindFile(binder, context, fileSourceOf(source));
    } else bindFile(binder, context, source);
  }
}

function bindList(
  { bind }: Binder,
  { database: { db }, secrets }: Context<'console'>,
  source: AnySource,
  known: KnownTotals,
): void {
  const { route } = source;
  const askedBy = ({ caller, at, sessionId }: Call<unknown>) => ({ caller, at, sessionId, secrets });
  bind(route, async (call) => {
    const { page, pageSize, sort, total, ...filter } = call.query as {
      page: number;
      pageSize: number;
      sort?: string;
      total?: 'none';
    };
    const span = spanOf({ page, pageSize });
    if (!span.ok) return span;
    const wanted = { filter, sort, total, span: span.value };
    return ifListVisible(source, call, filter, async () => {
      const list = await readPage(source, db, askedBy(call), wanted, known);
      if (!route.sumsInPage) return ok(list as never);
      return ok({ ...list, sums: (await readTotals(source, db, askedBy(call), filter)).sums } as never);
    });
  });
  if (route.totals === null) return;
  bind(route.totals, (call) =>
    ifListVisible(source, call, call.query as object, async () =>
      ok(await readTotals(source, db, askedBy(call), call.query as object)),
    ),
  );
}

function bindFile(binder: Binder, context: Pick<Context, 'database' | 'exports'>, source: FileSource): void {
  binder.bindFile(source.route.file, (call) => {
    const { sort, format, ...filter } = call.query as { sort?: string; format: ExportFormat };
    return ifListVisible(source, call, filter, () => exportAnswer(source, context, call, { filter, sort, format }));
  });
}

async function ifListVisible<Answer>(
  source: AnySource | FileSource,
  { caller, at }: Pick<Call<unknown>, 'caller' | 'at'>,
  filter: object,
  act: () => Promise<Result<Answer, ApiError>>,
): Promise<Result<Answer, ApiError>> {
  if (!isFor(source, caller)) return failed({ code: 'access.denied' });
  const fault = whyTooLong(source, filter, at);
  return fault === null ? act() : failed({ code: 'request.invalid', fields: [fault] });
}

/** Whether a caller may see the list at all, whatever their position grants. */
export function isFor({ platformOnly }: { platformOnly?: true }, { agents }: Pick<Caller, 'agents'>): boolean {
  return platformOnly !== true || agents === 'all';
}
