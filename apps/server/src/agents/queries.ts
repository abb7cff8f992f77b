import {
  type Agent,
  type AgentDetail,
  type AgentState,
  agentNamesMax,
  type findAgents,
  listAgents,
} from '@voltdeck/contract/agents';
import type { QueryOf } from '@voltdeck/contract/route';
import type { AgentId, FileId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { isInScope, scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { privateFileUrl } from '../files/file-url.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { contains } from '../http/part-of-text.ts';
import { shownName } from '../http/shown-name.ts';
import { accountKey } from '../ledger/account-key.ts';
import { partyIncomeOf } from '../ledger/party-income.ts';
import { findsName, findsPersonal } from '../personal/sees-personal.ts';

const stationCount = sql<number>`(select count(*) from stations where agent_id = agents.id)`;
const usesOf = (column: 'uses' | 'amount_fen') =>
  sql<number>`(select coalesce(sum(${sql.ref(column)}), 0)::bigint from agent_uses where agent_id = agents.id)`;
const prepaidFen = sql<Fen>`coalesce(
  (select balance_fen from ledger_accounts where key = ${accountKey('agent-prepaid', 'agents.id')}), 0)`;
const income = partyIncomeOf('agent', 'agents.id');
const state = sql<AgentState>`(case when agents.frozen_at is null then 'normal' else 'frozen' end)`;
/** An agent of an earlier version has a phone of its own; that of every other one is its main account's. */
const phone = sql<string | null>`coalesce(account.phone, agents.phone)`;

/** The agents that the caller sees, with their main accounts. */
function visible(db: Kysely<Tables>, caller: Caller) {
  return withAccount(scoped(db.selectFrom('agents'), caller, 'agents.id'));
}

function withAccount<O>(agents: SelectQueryBuilder<Tables, 'agents', O>) {
  return agents.leftJoin('users as account', 'account.id', 'agents.user_id');
}

function columnsOf<O>(agents: ReturnType<typeof withAccount<O>>, { language }: Caller) {
  return agents
    .leftJoin('agents as above', 'above.id', 'agents.parent_id')
    .leftJoin('positions', 'positions.id', 'account.position_id')
    .leftJoin('users as creator', 'creator.id', 'agents.created_by')
    .select([
      'agents.id',
      'agents.name as realName',
      'agents.user_id as userId',
      'account.user_name as loginName',
      phone.as('phone'),
      'agents.contact',
      'agents.kind',
      state.as('state'),
      'agents.frozen_at as frozenAt',
      'agents.frozen_reason as frozenReason',
      'agents.parent_id as parentId',
      'above.name as parentName',
      'agents.rate_e4 as rateE4',
      stationCount.as('stationCount'),
      usesOf('uses').as('useCount'),
      usesOf('amount_fen').$castTo<Fen>().as('amountFen'),
      prepaidFen.as('prepaidFen'),
      income.incomeFen.as('incomeFen'),
      income.unpaidFen.as('unpaidFen'),
      income.balanceFen.as('balanceFen'),
    ])
    .select([
      'agents.address',
      'agents.subscribed_on as subscribedOn',
      'agents.credit_code as creditCode',
      'account.position_id as positionId',
      shownName<string | null>(language, 'position', 'positions.name', 'positions.name_key').as('positionName'),
      'account.password_is_initial as passwordIsInitial',
      'account.last_login_at as lastLoginAt',
      'agents.payout_kind as payoutKind',
      'agents.payout_holder as payoutHolder',
      'agents.payout_bank as payoutBank',
      'agents.payout_branch as payoutBranch',
      'agents.payout_bank_code as payoutBankCode',
      'agents.payout_number as payoutNumber',
      'agents.licence_file_id as licenceFileId',
      shownName<string | null>(language, 'user', 'creator.real_name', 'creator.real_name_key').as('createdBy'),
      'agents.created_at as createdAt',
      sql<number>`(select count(*) from agents as below where below.parent_id = agents.id)`.as('subordinates'),
    ]);
}

type Row = {
  parentId: AgentId | null;
  parentName: string | null;
  rateE4: number;
  frozenAt: Instant | null;
  lastLoginAt: Instant | null;
  licenceFileId: FileId | null;
  createdAt: Instant;
};

function toAgent<Found extends Row>({ rateE4, ...row }: Found, caller: Caller) {
  // Who is above an agent is not for its people to see.
  const above = isInScope(caller, row.parentId) ? row : { parentId: null, parentName: null };
  return {
    ...row,
    parentId: above.parentId,
    parentName: above.parentName,
    sharePercent: rateE4 / 100,
    licenceUrl: row.licenceFileId === null ? null : privateFileUrl(row.licenceFileId),
    frozenAt: isoOrNull(row.frozenAt),
    lastLoginAt: isoOrNull(row.lastLoginAt),
    createdAt: toIso(row.createdAt),
  };
}

export async function findAgent(
  db: Kysely<Tables>,
  caller: Caller,
  id: AgentId,
  at: Instant,
): Promise<AgentDetail | null> {
  const row = await columnsOf(visible(db, caller), caller)
    .select([
      sql<number>`(select count(*) from sites where agent_id = agents.id)`.as('siteCount'),
      sql<number>`(select count(*) from connectors c join stations s on s.id = c.station_id
                    where s.agent_id = agents.id)`.as('portCount'),
      sql<number>`(select count(*) from users where agent_id = agents.id and divider_id is null)`.as('staff'),
      sql<number>`(select count(*) from sessions join users u on u.id = sessions.user_id
                    where u.agent_id = agents.id and u.divider_id is null and sessions.ended_at is null
                      and sessions.expires_at > to_timestamp(${at} / 1000.0))`.as('sessions'),
      sql<number>`(select count(*) from orders o join stations s on s.id = o.station_id
                    where s.agent_id = agents.id and o.state in ('placed', 'charging'))`.as('runningCharges'),
      sql<number>`(select count(*) from agent_withdrawals w where w.agent_id = agents.id and w.frozen)`.as(
        'openWithdrawals',
      ),
      income.frozenFen.as('frozenFen'),
    ])
    .where('agents.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toAgent(row, caller);
}

/** Agents to choose from, by part of their name or, for the name of a chosen one, by id. */
export async function findAgentNames(db: Kysely<Tables>, caller: Caller, { name, id }: QueryOf<typeof findAgents>) {
  let agents = scoped(db.selectFrom('agents'), caller, 'agents.id');
  if (name !== undefined) agents = agents.where('agents.name', 'ilike', containing(name));
  if (id !== undefined) agents = agents.where('agents.id', '=', id);
  return agents
    .select(['agents.id', 'agents.name'])
    .orderBy(sql`agents.name collate "zh-x-icu"`)
    .limit(agentNamesMax)
    .execute();
}

export const agentList = listSource({
  route: listAgents,
  filtered(db, caller, filter) {
    let agents = visible(db, caller);
    if (filter.realName !== undefined) agents = agents.where('agents.name', 'ilike', containing(filter.realName));
    if (filter.loginName !== undefined) {
      const byPart = contains('account.user_name', filter.loginName);
      agents = agents.where(findsName(caller, 'account.user_name', filter.loginName, byPart));
    }
    if (filter.phone !== undefined) {
      const { phone: text } = filter;
      agents = agents.where((eb) =>
        eb.or([findsPersonal(caller, 'account.phone', text), findsPersonal(caller, 'agents.phone', text)]),
      );
    }
    if (filter.state !== undefined) agents = agents.where(state, 'in', filter.state);
    if (filter.kind !== undefined) agents = agents.where('agents.kind', 'in', filter.kind);
    if (filter.parentId !== undefined) {
      agents = agents.where('agents.parent_id', '=', filter.parentId);
      // Otherwise an agent's people could ask who is above it.
      if (!isInScope(caller, filter.parentId)) return null;
    }
    return agents;
  },
  id: sql`agents.id`,
  sorts: {
    createdAt: sql`agents.created_at`,
    realName: sql`agents.name collate "zh-x-icu"`,
    lastLoginAt: sql`account.last_login_at`,
  },
  sometimesAbsent: ['lastLoginAt'],
  sums: {
    stationCount,
    useCount: usesOf('uses'),
    amountFen: usesOf('amount_fen'),
    incomeFen: income.incomeFen,
    balanceFen: income.balanceFen,
  },
  rowsFor: (db, { caller }) => columnsOf(withAccount(db.selectFrom('agents')), caller),
  toItem: (row, { caller }): Agent => toAgent(row, caller),
});
