import {
  getPartner,
  listPartners,
  openSitesToPartner,
  type PartnerDetail,
  partnerSitesMax,
} from '@voltdeck/contract/partners';
import type { PartnerId } from '@voltdeck/units/id';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordsSelect } from '../ui/RecordsSelect.tsx';

type Props = {
  partner: { id: PartnerId; name: string };
  open: boolean;
  onClose: () => void;
  onSaved: (partner: PartnerDetail) => void;
};

/** Says which sites a partner sees. */
export default function PartnerSitesForm({ partner, open, onClose, onSaved }: Props) {
  const answer = useAnswer(getPartner, { params: { id: partner.id } });
  // What it has is the beginning of the form, so there is none before it is known.
  if (answer.data === undefined) return null;
  const { sites } = answer.data;
  return (
    <RouteForm
      as="dialog"
      route={openSitesToPartner}
      params={{ id: partner.id }}
      title={phrase('interop.sitesTitle', { name: partner.name })}
      submitLabel={phrase('interop.openSites')}
      intro={<p>{phrase('interop.sitesIntro')}</p>}
      initial={{ siteIds: sites.map(({ siteId }) => siteId) }}
      fields={{
        siteIds: {
          label: 'interop.sitesOpen',
          control: (
            <RecordsSelect
              choices={recordChoices.site}
              max={partnerSitesMax}
              known={sites.map(({ siteId: id, siteName: name }) => ({ id, name }))}
            />
          ),
        },
      }}
      adjust={(body) => ({ siteIds: body.siteIds ?? [] })}
      fieldOf={{ 'partner.opening_failed': 'siteIds' }}
      refreshes={[listPartners, getPartner]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
