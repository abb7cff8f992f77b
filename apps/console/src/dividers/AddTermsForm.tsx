import {
  addDividerTerms,
  getDividedPlace,
  getDivider,
  listDividers,
  listDividerTerms,
  termPlaceKinds,
} from '@voltdeck/contract/dividers';
import * as z from 'zod/mini';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { DividedHere } from './DividedHere.tsx';
import { noRates, placeChoices, type TermForm, termFieldOf, termFields } from './term-fields.tsx';

const ownFields = { where: z.enum(termPlaceKinds) };
type Asked = { where?: (typeof termPlaceKinds)[number] | undefined };
const isAt = (kind: (typeof termPlaceKinds)[number]) => (values: Asked) => values.where === kind;

/** Adds terms of a divider at one place, and shows who shares there already and what is left. */
export default function AddTermsForm({ divider, open, onClose, onSaved }: TermForm) {
  const choices = placeChoices(divider);
  return (
    <RouteForm
      route={addDividerTerms}
      params={{ id: divider.id }}
      title={phrase('dividers.addTermsTitle', { name: divider.name })}
      submitLabel={phrase('dividers.addTerms')}
      own={ownFields}
      initial={{ where: 'site', ...noRates }}
      fields={{
        where: { label: 'dividers.place', word: (kind) => phrase(`term-place.${kind}`) },
        siteId: { label: 'dividers.site', choices: choices.site, shownIf: isAt('site'), requiredIf: isAt('site') },
        stationId: {
          label: 'dividers.station',
          choices: choices.station,
          shownIf: isAt('station'),
          requiredIf: isAt('station'),
        },
        ...termFields(divider.agentName, { past: true }),
      }}
      fieldOf={termFieldOf}
      refreshes={[listDividers, getDivider, listDividerTerms, getDividedPlace]}
      open={open}
      onClose={onClose}
      onSaved={() => onSaved(phrase('dividers.termsSaved'))}
    >
      {({ where, siteId, stationId, fromOn, lastOn }) => {
        const isChosen = where === 'everywhere' || (where === 'site' ? siteId : stationId) !== undefined;
        return isChosen ? (
          <DividedHere
            dividerId={divider.id}
            siteId={where === 'site' ? (siteId ?? undefined) : undefined}
            stationId={where === 'station' ? (stationId ?? undefined) : undefined}
            fromOn={fromOn ?? undefined}
            lastOn={lastOn ?? undefined}
            hasRoom
          />
        ) : null;
      }}
    </RouteForm>
  );
}
