import type { FormInstance } from 'antd';
import { useEffect, useRef } from 'react';

/**
 * Checks a field again when its check says something else of the same value, since the data that the check depends on
 * may arrive after the value was entered. `faults` has what each field's check says of its value now. A field that
 * the user has not touched is left alone.
 */
export function useLateChecks(form: FormInstance, faults: ReadonlyMap<string, string | null>): void {
  const earlier = useRef<ReadonlyMap<string, string | null>>(new Map());
  useEffect(() => {
    const changed = [...faults].filter(([name, fault]) => earlier.current.get(name) !== fault).map(([name]) => name);
    earlier.current = faults;
    const touched = changed.filter((name) => form.isFieldTouched(name));
    if (touched.length > 0) void form.validateFields(touched).catch(() => {});
  });
}
