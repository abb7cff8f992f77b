import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { partnerFaults } from './partner-faults.ts';
import { route } from './route.ts';

/** `incremental` asks for what changed since the pull before; only `full` finds what is gone. */
export const pullKinds = ['full', 'incremental'] as const;
export type PullKind = (typeof pullKinds)[number];
export const pullStates = ['running', 'done', 'failed'] as const;
/** `left_out`: it could not be read. */
export const pullChanges = ['added', 'changed', 'missing', 'left_out'] as const;
/** Changes of one pull that are kept; more are only counted. */
export const pullChangesMax = 1_000;

const partnerPull = z.object({
  id: idField<'partner_pull'>(),
  partnerId: idField<'partner'>(),
  partnerName: z.string(),
  kind: z.enum(pullKinds),
  state: z.enum(pullStates),
  startedAt: instantField,
  endedAt: z.nullable(instantField),
  sites: z.int(),
  added: z.int(),
  changed: z.int(),
  missing: z.int(),
  leftOut: z.int(),
  fault: z.nullable(z.enum(partnerFaults)),
  /** What the partner said, or what came instead of an answer. */
  failure: z.string(),
  /** Null for those of the schedule. */
  userName: z.nullable(z.string()),
});
export type PartnerPull = z.output<typeof partnerPull>;

export const listPartnerPulls = listRoute({
  name: 'listPartnerPulls',
  path: '/partner-pulls',
  summary: 'Pulls of the stations of partners, with what they changed',
  permission: 'partner_site.read',
  sorts: ['startedAt'],
  first: '-startedAt',
  filters: {
    partnerId: filter.id('partner'),
    outcome: filter.choice(pullStates),
    pullKind: filter.choice(pullKinds),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: partnerPull,
  columns: columnsOf<PartnerPull>()({
    startedAt: { kind: 'instant', title: 'pulls.startedAt' },
    partnerName: { kind: 'text', title: 'interop.partner' },
    kind: { kind: 'choice', title: 'pulls.kind', words: 'pull-kind' },
    state: { kind: 'choice', title: 'pulls.state', words: 'pull-state' },
    sites: { kind: 'count', title: 'pulls.sites' },
    added: { kind: 'count', title: 'pulls.added' },
    changed: { kind: 'count', title: 'pulls.changed' },
    missing: { kind: 'count', title: 'pulls.missing', hint: 'pulls.missingHint' },
    leftOut: { kind: 'count', title: 'pulls.leftOut', hint: 'pulls.leftOutHint' },
    fault: { kind: 'choice', title: 'pulls.fault', words: 'partner-fault' },
    failure: { kind: 'text', title: 'pulls.failure' },
    endedAt: { kind: 'instant', title: 'pulls.endedAt' },
    userName: { kind: 'text', title: 'pulls.by', absent: 'pulls.schedule' },
  }),
});

export const listPullChanges = route({
  method: 'GET',
  path: '/partner-pulls/{id}/changes',
  summary: 'Which sites one pull found added, changed or gone, and what it could not read; the first thousand',
  permission: 'partner_site.read',
  params: z.object({ id: idParameter<'partner_pull'>() }),
  answer: z.object({
    items: z.array(
      z.object({
        change: z.enum(pullChanges),
        /** The site's code; of what could not be read, its place in the message. */
        code: z.string(),
        name: z.string(),
      }),
    ),
  }),
  errors: [],
});

export const pullPartner = route({
  method: 'POST',
  path: '/partners/{id}/pulls',
  summary: 'Begin to pull the stations of a partner at once; the answer is the pull that now runs',
  permission: 'partner_site.pull',
  params: z.object({ id: idParameter<'partner'>() }),
  body: z.object({ kind: z.enum(pullKinds) }),
  answer: partnerPull,
  errors: ['partner.pull_running', 'partner.without_stations', 'partner.disabled'],
});
