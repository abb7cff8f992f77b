import * as contract from '@voltdeck/contract/logs';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import type { Streams } from '../http/open-streams.ts';
import { explainExchange } from './explain-frames.ts';
import { explainPasted } from './explain-pasted.ts';
import { findConversation, findLog, listLogPage } from './queries.ts';
import { bindTail } from './tail-logs.ts';

export function bindLogs(binder: Binder, context: Context<'console'>, streams: Streams): void {
  const { bind } = binder;
  const { db } = context.database;
  bind(contract.listInteractionLogs, async ({ caller, query, at }) => ok(await listLogPage(db, caller, query, at)));
  bind(contract.getInteractionLog, async ({ caller, params }) => {
    const log = await findLog(db, caller, params.id);
    return found(log === null ? null : { ...log, frames: explainExchange(log) });
  });
  bind(contract.explainFrames, async ({ body }) => {
    const frames = explainPasted(body.text, body.protocol);
    return frames.ok ? ok({ frames: frames.value }) : frames;
  });
  bind(contract.getConversation, async ({ caller, query }) => found(await findConversation(db, caller, query)));
  bindTail(binder, context, streams);
}
