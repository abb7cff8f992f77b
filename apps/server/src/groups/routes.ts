import { randomBytes } from 'node:crypto';
import type { ApiError } from '@voltdeck/contract/errors';
import * as memberContract from '@voltdeck/contract/group-members';
import * as contract from '@voltdeck/contract/groups';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import type { GroupMemberId, RechargeId } from '@voltdeck/units/id';
import { dayMs } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Context } from '../context.ts';
import type { Trx } from '../database/transact.ts';
import type { Binder, Transact } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { say } from '../http/say.ts';
import { xlsxType } from '../http/xlsx.ts';
import { namedMonth } from '../orders/month-use.ts';
import { publishMoved } from '../orders/order-events.ts';
import { tellWalletLater } from '../orders/tell-balance.ts';
import { createRecharge } from '../payments/create-recharge.ts';
import { findRecharge } from '../payments/queries.ts';
import { type Allocated, allocate, takeBack } from './allocate.ts';
import { changeGroup } from './change-group.ts';
import { changeMember } from './change-member.ts';
import { createGroup } from './create-group.ts';
import { createMember, namedPhonesPerDayMax } from './create-member.ts';
import { deleteGroup } from './delete-group.ts';
import { enableGroup } from './enable-group.ts';
import { bindGroupMemberImports } from './imports/routes.ts';
import { findMember } from './member-queries.ts';
import { readMonthStatement } from './month-statement.ts';
import { findGroup } from './queries.ts';
import { releaseMember } from './release-member.ts';
import { reviewMember, reviewMembers } from './review-member.ts';
import { statementPdf } from './statement-pdf.ts';
import { statementXlsx } from './statement-xlsx.ts';

const cardNumberBytes = 8;

export function bindGroups(binder: Binder, context: Context<'console'>): void {
  const { bind } = binder;
  const { db } = context.database;
  bindGroupMemberImports(binder, context);
  bind(contract.getGroup, async ({ caller, params }) => found(await findGroup(db, caller, params.id)));
  bind(contract.createGroup, ({ caller, body, at, transact }) => {
    const madeUp = randomBytes(cardNumberBytes).toString('hex').toUpperCase();
    return transact((trx) => createGroup(trx, caller, body, at, madeUp));
  });
  bind(contract.changeGroup, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeGroup(trx, caller, params.id, body, at)),
  );
  bind(contract.enableGroup, ({ caller, params, body, at, transact }) =>
    transact((trx) => enableGroup(trx, caller, params.id, body, at)),
  );
  bind(contract.deleteGroup, ({ caller, params, at, transact }) =>
    transact((trx) => deleteGroup(trx, caller, params.id, at)),
  );
  binder.bindFile(contract.getGroupStatement, async ({ caller, params: { id, month }, query, at, transact }) => {
    const span = namedMonth(month);
    const statement = found(await readMonthStatement(db, caller, id, span));
    if (!statement.ok) return statement;
    const noted = await transact(async (trx) => {
      const after = { month, format: query.format };
      await audit(trx, caller, at, { action: 'group.statement', recordKind: 'group', recordId: id, after });
      return ok(null);
    });
    if (!noted.ok) return noted;
    const { language, userName } = caller;
    const isPdf = query.format === 'pdf';
    const name = say(language, 'group-statement.file', { name: statement.value.groupName, month });
    return ok({
      name: `${name}.${query.format}`,
      contentType: isPdf ? 'application/pdf' : xlsxType,
      content: isPdf
        ? await statementPdf(statement.value, month, { at, by: userName }, language)
        : statementXlsx(db, caller, { id, month: span, statement: statement.value }),
    });
  });
  bindMoney(binder, context);
  bindMembers(binder, context);
}

function bindMoney({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(
    contract.rechargeGroup,
    async ({ caller, params, body, at, transact }) => {
      const group = await findGroup(db, caller, params.id);
      if (group === null) return failed({ code: 'record.not_found' });
      const made = await transact(
        async (trx) => {
          const recharged = await createRecharge(trx, caller, { groupId: params.id, ...body }, at);
          if (recharged.ok && !isWaiting(recharged.value)) await tellWalletLater(trx, recharged.value.wallet);
          return recharged;
        },
        { recordOf: (value) => (isWaiting(value) ? null : value.recharge.id) },
      );
      if (!made.ok || isWaiting(made.value)) return made as Result<never, ApiError>;
      for (const order of made.value.repaidOrders) publishMoved(context, order);
      return ok(made.value.recharge);
    },
    { replay: async (recordId, { caller }) => found(await findRecharge(db, caller, recordId as RechargeId)) },
  );
  const moveMoney = async (transact: Transact, work: (trx: Trx) => Promise<Result<Allocated, ApiError>>) => {
    const answerOf = ({ number, members, amountFen }: Allocated) => ({ number, members, amountFen });
    const moved = await transact(work, { answerOf });
    if (!moved.ok) return moved;
    for (const order of moved.value.repaidOrders) publishMoved(context, order);
    return ok(answerOf(moved.value));
  };
  bind(contract.allocateToMembers, ({ caller, params, body, at, transact }) =>
    moveMoney(transact, (trx) => allocate(trx, caller, params.id, body, at)),
  );
  bind(contract.takeBackFromMembers, ({ caller, params, body, at, transact }) =>
    moveMoney(transact, (trx) => takeBack(trx, caller, params.id, body, at)),
  );
}

function bindMembers({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const namedPhones = new RateLimit({ max: namedPhonesPerDayMax, windowMs: dayMs });
  bind(memberContract.getGroupMember, async ({ caller, params, at }) =>
    found(await findMember(db, caller, params.id, at)),
  );
  bind(memberContract.createGroupMember, ({ caller, body, at, transact }) =>
    transact((trx) => createMember(trx, namedPhones, caller, body, at)),
  );
  bind(memberContract.changeGroupMember, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeMember(trx, caller, params.id, body, at)),
  );
  const answered = async (
    trx: Trx,
    done: Result<GroupMemberId, ApiError>,
    call: Parameters<typeof findMember>[1],
    at: Parameters<typeof findMember>[3],
  ) => (done.ok ? found(await findMember(trx, call, done.value, at)) : done);
  bind(memberContract.reviewGroupMember, ({ caller, params, body, at, transact }) =>
    transact(async (trx) => answered(trx, await reviewMember(trx, caller, params.id, body, at), caller, at)),
  );
  bind(memberContract.reviewGroupMembers, ({ caller, body, at, transact }) =>
    transact((trx) => reviewMembers(trx, caller, body, at)),
  );
  bind(memberContract.releaseGroupMember, ({ caller, params, at, transact }) =>
    transact(async (trx) => answered(trx, await releaseMember(trx, caller, params.id, at), caller, at)),
  );
}
