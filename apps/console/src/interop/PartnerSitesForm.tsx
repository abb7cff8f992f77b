import {
  getPartner,
  listPartners,
  openSitesToPartner,
  type PartnerDetail,
  type PartnerSite,
  partnerSitesMax,
} from '@voltdeck/contract/partners';
import type { BodyOf } from '@voltdeck/contract/route';
import type { PartnerId, SiteId } from '@voltdeck/units/id';
import { Form } from 'antd';
import { useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordsSelect } from '../ui/RecordsSelect.tsx';
import { SitePricesField } from './SitePricesField.tsx';

type FormOf = BodyOf<typeof openSitesToPartner>;
type Prices = NonNullable<FormOf['prices']>;

type Props = {
  partner: { id: PartnerId; name: string };
  open: boolean;
  onClose: () => void;
  onSaved: (partner: PartnerDetail) => void;
};

/** Says which sites a partner sees, and where its charges cost something else than elsewhere. */
export default function PartnerSitesForm({ partner, open, onClose, onSaved }: Props) {
  const answer = useAnswer(getPartner, { params: { id: partner.id } });
  const [form] = Form.useForm<FormOf>();
  const siteIds = Form.useWatch('siteIds', form);
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  // What it has is the beginning of the form, so there is none before it is known.
  if (answer.data === undefined) return null;
  const { sites, tariffName } = answer.data;
  const known = sites.map(({ siteId: id, siteName: name }) => ({ id, name }));
  const nameOf = new Map<number, string>([...known.map(({ id, name }) => [id, name] as const), ...chosen]);
  return (
    <RouteForm
      as="dialog"
      form={form}
      route={openSitesToPartner}
      params={{ id: partner.id }}
      title={phrase('interop.sitesTitle', { name: partner.name })}
      submitLabel={phrase('interop.openSites')}
      intro={<p>{phrase('interop.sitesIntro')}</p>}
      initial={{
        siteIds: sites.map(({ siteId }) => siteId),
        prices: sites.flatMap(({ siteId, tariffId }) => (tariffId === null ? [] : [{ siteId, tariffId }])),
      }}
      fields={{
        siteIds: {
          label: 'interop.sitesOpen',
          control: (
            <RecordsSelect
              choices={recordChoices.site}
              max={partnerSitesMax}
              known={known}
              onChange={(ids = [], names) => {
                setChosen(names);
                const prices: Prices = form.getFieldValue('prices') ?? [];
                form.setFieldValue(
                  'prices',
                  prices.filter(({ siteId }) => ids.includes(siteId)),
                );
              }}
            />
          ),
        },
        prices: {
          label: 'interop.sitePrices',
          hint: () => phrase('interop.sitePricesHint', { rule: tariffName ?? phrase('interop.stationsTariff') }),
          control: (
            <SitePricesField
              sites={(siteIds ?? []).map((id) => ({ id, name: nameOf.get(id) ?? String(id) }))}
              known={sites}
            />
          ),
        },
      }}
      adjust={({ siteIds: wanted = [], prices = [] }) => ({
        siteIds: wanted,
        prices: [...prices, ...endedPrices(sites, wanted, prices)],
      })}
      fieldOf={{ 'partner.opening_failed': 'siteIds' }}
      refreshes={[listPartners, getPartner]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}

/** A site without an entry keeps its price, so that one whose row was removed needs an entry that ends it. */
function endedPrices(sites: readonly PartnerSite[], wanted: readonly SiteId[], prices: Prices): Prices {
  return sites.flatMap(({ siteId, tariffId }) =>
    tariffId !== null && wanted.includes(siteId) && !prices.some((price) => price.siteId === siteId)
      ? [{ siteId, tariffId: null }]
      : [],
  );
}
