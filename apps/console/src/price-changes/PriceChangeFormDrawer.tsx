import {
  createPriceChange,
  listPriceChanges,
  type PriceChange,
  previewPriceChange,
  priceChangeChosenMax,
} from '@voltdeck/contract/price-changes';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { recordChoices } from '../ui/list/record-choices.ts';
import { RecordsSelect } from '../ui/RecordsSelect.tsx';
import { PriceChangePreview } from './PriceChangePreview.tsx';

type Props = { open: boolean; onClose: () => void; onSaved: (change: PriceChange) => void };

/** Schedules a price change, and says in numbers what it will do. */
export default function PriceChangeFormDrawer({ open, onClose, onSaved }: Props) {
  return (
    <RouteForm
      route={createPriceChange}
      title={phrase('priceChanges.add')}
      submitLabel={phrase('priceChanges.add')}
      draft="price change add"
      initial={{ by: 'sites', slots: 'both' }}
      fields={{
        name: { label: 'priceChanges.name' },
        ruleId: { label: 'priceChanges.rule', hint: 'priceChanges.ruleHint', choices: recordChoices.tariff },
        slots: { label: 'priceChanges.slots', word: (slots) => phrase(`price-change-slots.${slots}`) },
        by: {
          label: 'priceChanges.by',
          word: (by) => phrase(`price-change-by.${by}`),
          hint: 'priceChanges.byHint',
        },
        siteIds: {
          label: 'priceChanges.sites',
          shownIf: ({ by }) => by === 'sites',
          requiredIf: ({ by }) => by === 'sites',
          control: <RecordsSelect choices={recordChoices.site} max={priceChangeChosenMax} />,
        },
        stationIds: {
          label: 'priceChanges.stations',
          shownIf: ({ by }) => by === 'stations',
          requiredIf: ({ by }) => by === 'stations',
          control: <RecordsSelect choices={recordChoices.station} max={priceChangeChosenMax} />,
        },
        usedRuleId: {
          label: 'priceChanges.usedRule',
          shownIf: ({ by }) => by === 'rule',
          requiredIf: ({ by }) => by === 'rule',
          choices: recordChoices.tariff,
        },
        effectiveAt: { label: 'priceChanges.effectiveAt', hint: 'priceChanges.effectiveAtHint' },
        remark: { label: 'priceChanges.remark', rows: 2 },
      }}
      refreshes={[listPriceChanges, previewPriceChange]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    >
      {(values) => <PriceChangePreview values={values} />}
    </RouteForm>
  );
}
