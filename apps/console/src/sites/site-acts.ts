import { deleteSite, getSite, openSite, type Site } from '@voltdeck/contract/sites';
import { call } from '../api/call.ts';
import { phrase } from '../phrases.ts';
import { deletion } from '../ui/list/usual-acts.ts';
import type { Act } from '../ui/list-page.ts';

type Acted = Pick<Site, 'id' | 'name' | 'opened' | 'stationCount' | 'connectorCount'>;

/** Acts on a site, in the list and on its own page. */
export function siteActs<Row extends Acted>(onDeleted?: () => void) {
  return {
    open: {
      on: 'row',
      label: ({ opened }) => (opened ? 'sites.withdraw' : 'sites.open'),
      may: 'site.open',
      changes: [getSite],
      deed: ({ id, name, opened, connectorCount: count }) => ({
        ask: {
          question: phrase(opened ? 'sites.withdrawQuestion' : 'sites.openQuestion', { name }),
          details: phrase(opened ? 'sites.withdrawDetails' : 'sites.openDetails', { count }),
          verb: phrase(opened ? 'sites.withdraw' : 'sites.open'),
        },
        do: async (idempotencyKey) => {
          await call(openSite, { params: { id }, body: { opened: !opened }, idempotencyKey });
          return phrase(opened ? 'sites.withdrawnNow' : 'sites.openedNow', { name });
        },
      }),
    },
    delete: deletion<Row>({
      label: 'sites.delete',
      may: 'site.edit',
      question: ({ name }) => phrase('sites.deleteQuestion', { name }),
      details: 'sites.deleteDetails',
      because: ({ stationCount: count }) => (count > 0 ? phrase('sites.hasStations', { count }) : undefined),
      act: async ({ id }, idempotencyKey) => {
        await call(deleteSite, { params: { id }, idempotencyKey });
        onDeleted?.();
      },
      told: ({ name }) => phrase('sites.deleted', { name }),
    }),
  } satisfies Record<string, Act<Row>>;
}
