import {
  getDefaultShareTerms,
  listShareTerms,
  type SiteShareTerms,
  setShareTerms,
} from '@voltdeck/contract/share-terms';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { percentsOf, type ShareTermsForm, ShareTermsIntro, shareTermFields } from './share-term-fields.tsx';

/** Gives the chosen sites terms of their own; it starts with those of the first. */
export default function SiteTermsForm({
  sites,
  open,
  onClose,
  onSaved,
}: ShareTermsForm & { sites: readonly SiteShareTerms[] }) {
  const [first] = sites;
  return (
    <RouteForm
      route={setShareTerms}
      given={{ siteIds: sites.map(({ id }) => id) }}
      title={
        sites.length === 1
          ? phrase('shareTerms.setTitle', { name: first?.siteName ?? '' })
          : phrase('shareTerms.setManyTitle', { count: countText(sites.length) })
      }
      submitLabel={phrase('shareTerms.save')}
      intro={<ShareTermsIntro />}
      initial={first === undefined ? {} : percentsOf(first)}
      fields={shareTermFields}
      refreshes={[listShareTerms, getDefaultShareTerms]}
      open={open}
      onClose={onClose}
      onSaved={({ changed, unchanged }) => onSaved(phrase('shareTerms.saved', { count: changed + unchanged }))}
    />
  );
}
