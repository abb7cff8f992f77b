import type { Site } from '@voltdeck/contract/sites';

/** The facilities to choose from: all known ones, and those of the site that are no longer configured. */
export function facilityOptions(
  known: readonly { code: string; name: string }[],
  site: Pick<Site, 'facilities' | 'facilityNames'> | null,
): readonly { value: string; label: string }[] {
  const codes = new Set(known.map(({ code }) => code));
  const former = (site?.facilities ?? []).flatMap((code, index) =>
    codes.has(code) ? [] : [{ value: code, label: site?.facilityNames[index] ?? code }],
  );
  return [...known.map(({ code, name }) => ({ value: code, label: name })), ...former];
}
