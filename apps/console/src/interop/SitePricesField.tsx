import type { openSitesToPartner, PartnerSite } from '@voltdeck/contract/partners';
import type { BodyOf } from '@voltdeck/contract/route';
import type { SiteId } from '@voltdeck/units/id';
import { RowsField } from '../ui/form/RowsField.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordSelect } from '../ui/RecordSelect.tsx';

/** A row that has just been added has no rule yet. */
export type SitePrice = Partial<NonNullable<BodyOf<typeof openSitesToPartner>['prices']>[number]> & { siteId: SiteId };

type Props = {
  /** Set by the form. */
  id?: string;
  value?: readonly SitePrice[] | undefined;
  onChange?: (prices: readonly SitePrice[]) => void;
  /** Those that are chosen to be open. */
  sites: readonly { id: SiteId; name: string }[];
  /** What is agreed at present, for the names of the rules. */
  known: readonly Pick<PartnerSite, 'siteId' | 'tariffName'>[];
};

/** The billing rules that were agreed for single sites, each site once. */
export function SitePricesField({ id, value = [], onChange, sites, known }: Props) {
  const change = (index: number, price: SitePrice) => onChange?.(value.with(index, price));
  return (
    <RowsField
      id={id}
      keys={value.map(({ siteId }) => siteId)}
      choices={sites.map((site) => ({ value: site.id, label: site.name }))}
      pathOf={(_, index) => [index, 'tariffId']}
      control={(siteId, label) => (
        <RecordSelect
          aria-label={label}
          choices={recordChoices.tariff}
          name={known.find((site) => site.siteId === siteId)?.tariffName}
        />
      )}
      words={{
        choice: 'interop.sitePriceSite',
        value: 'interop.sitePriceRule',
        remove: 'interop.sitePriceRemove',
        add: 'interop.sitePriceAdd',
      }}
      onAdd={(siteId) => onChange?.([...value, { siteId }])}
      onChoose={(index, siteId) => change(index, { ...value[index], siteId })}
      onRemove={(index) => onChange?.(value.toSpliced(index, 1))}
    />
  );
}
