// Applies the time zone and date format of the signed-in customer.
import { useEffect } from 'react';
import { setDateSettings } from '../parts/dates.ts';
import { useRead } from './operations.ts';
import type { Portal } from './session.ts';

/** Staff have those of their browser. */
export function useOwnDateSettings(portal: Portal): void {
  const { data } = useRead('preferencesGet', {}, { enabled: portal === 'customer' });
  const timezone = portal === 'customer' ? (data?.timezone ?? '') : '';
  const dateformat = portal === 'customer' ? (data?.dateformat ?? '') : '';
  useEffect(() => setDateSettings({ timezone, dateformat }), [timezone, dateformat]);
}
