import { getDefaultShareTerms, listShareTerms, setDefaultShareTerms } from '@voltdeck/contract/share-terms';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import {
  type Percents,
  percentsOf,
  type ShareTermsForm,
  ShareTermsIntro,
  shareTermFields,
} from './share-term-fields.tsx';

/** Sets what the platform keeps at every site without terms of its own. */
export default function DefaultTermsForm({ present, open, onClose, onSaved }: ShareTermsForm & { present: Percents }) {
  return (
    <RouteForm
      route={setDefaultShareTerms}
      title={phrase('shareTerms.setDefaultTitle')}
      submitLabel={phrase('shareTerms.save')}
      intro={<ShareTermsIntro />}
      initial={percentsOf(present)}
      fields={shareTermFields}
      refreshes={[listShareTerms, getDefaultShareTerms]}
      open={open}
      onClose={onClose}
      onSaved={() => onSaved(phrase('shareTerms.defaultSaved'))}
    />
  );
}
