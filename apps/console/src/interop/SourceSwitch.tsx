import { ViewSwitch } from './ViewSwitch.tsx';

const sources = [
  { value: 'pulled', label: 'told.pulled' },
  { value: 'exposed', label: 'told.exposed' },
] as const;

/** Chooses between what partners tell us and what we tell them. */
export function SourceSwitch({ view }: { view: (typeof sources)[number]['value'] }) {
  return <ViewSwitch label="told.view" view={view} views={sources} keeps={['partnerId']} />;
}
