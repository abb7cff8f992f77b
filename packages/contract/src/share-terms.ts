import * as z from 'zod/mini';
import { filter, idField, instantField, percentField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Sites whose terms one request sets. */
export const shareTermSitesMax = 1_000;

const rates = {
  channelFeePercent: z.number(),
  electricityPercent: z.number(),
  servicePercent: z.number(),
  occupancyPercent: z.number(),
};

/** What the platform keeps of a site’s orders before anybody shares. */
export const siteShareTerms = z.object({
  /** The site’s. */
  id: idField<'site'>(),
  siteName: z.string(),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  /** Whether the site has terms of its own; otherwise it has the default. */
  configured: z.boolean(),
  ...rates,
  changedBy: z.nullable(z.string()),
  changedAt: z.nullable(instantField),
});
export type SiteShareTerms = z.output<typeof siteShareTerms>;

export const listShareTerms = listRoute({
  name: 'listShareTerms',
  path: '/share-terms',
  summary: 'What the platform keeps at each site: channel fee and commission, its own terms or the default',
  permission: 'share_terms.read',
  sorts: ['siteName', 'changedAt'],
  first: 'siteName',
  filters: {
    siteName: filter.text(),
    agentId: filter.id('agent'),
    region: filter.region(),
    configured: filter.flag(),
  },
  item: siteShareTerms,
  columns: columnsOf<SiteShareTerms>()({
    siteName: { kind: 'text', title: 'shareTerms.site' },
    agentName: { kind: 'text', title: 'shareTerms.agent', absent: 'list.ofPlatform' },
    configured: {
      kind: 'flag',
      title: 'shareTerms.configured',
      words: ['shareTerms.isConfigured', 'shareTerms.hasDefault'],
    },
    channelFeePercent: { kind: 'percent', title: 'shareTerms.channelFee', hint: 'shareTerms.channelFeeHint' },
    electricityPercent: { kind: 'percent', title: 'shareTerms.electricity', group: 'shareTerms.commission' },
    servicePercent: { kind: 'percent', title: 'shareTerms.service', group: 'shareTerms.commission' },
    occupancyPercent: { kind: 'percent', title: 'shareTerms.occupancy', group: 'shareTerms.commission' },
    changedBy: { kind: 'text', title: 'shareTerms.changedBy' },
    changedAt: { kind: 'instant', title: 'shareTerms.changedAt', absent: 'shareTerms.neverChanged' },
  }),
});

export const defaultShareTerms = z.object({
  /** False as long as nobody has set it: nothing is kept then. */
  configured: z.boolean(),
  ...rates,
  changedBy: z.nullable(z.string()),
  changedAt: z.nullable(instantField),
  /** Sites with terms of their own, and all. */
  configuredSites: z.int(),
  sites: z.int(),
});
export type DefaultShareTerms = z.output<typeof defaultShareTerms>;

export const getDefaultShareTerms = route({
  method: 'GET',
  path: '/share-terms/default',
  summary: 'What the platform keeps at every site without terms of its own',
  permission: 'share_terms.read',
  answer: defaultShareTerms,
  errors: [],
});

const percents = {
  channelFeePercent: percentField,
  electricityPercent: percentField,
  servicePercent: percentField,
  occupancyPercent: percentField,
};

export const setDefaultShareTerms = route({
  method: 'PUT',
  path: '/share-terms/default',
  summary: 'Set the default; it holds for orders that are settled from then on',
  permission: 'share_terms.edit',
  body: z.object(percents),
  answer: defaultShareTerms,
  errors: [],
});

const siteIds = z.array(idField<'site'>()).check(z.minLength(1), z.maxLength(shareTermSitesMax));
const changedSites = z.object({
  /** Sites that have other terms than before. */
  changed: z.int(),
  unchanged: z.int(),
});

export const setShareTerms = route({
  method: 'POST',
  path: '/share-terms',
  summary: 'Give sites terms of their own, all of them or none; they hold for orders that are settled from then on',
  permission: 'share_terms.edit',
  body: z.object({ siteIds, ...percents }),
  answer: changedSites,
  errors: [],
});

export const clearShareTerms = route({
  method: 'POST',
  path: '/share-terms/removals',
  summary: 'Take sites their own terms, all of them or none, so that they have the default again',
  permission: 'share_terms.edit',
  body: z.object({ siteIds }),
  answer: changedSites,
  errors: [],
});
