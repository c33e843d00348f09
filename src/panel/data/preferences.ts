// Applies the language, time zone and date format of the signed-in customer. Staff have those of their browser.
import { useEffect, useRef } from 'react';
import { setDateSettings } from '../parts/dates.ts';
import { changeLanguage, isLanguage } from '../text/language.ts';
import { useRead } from './operations.ts';
import type { Portal } from './session.ts';

export function useOwnPreferences(portal: Portal): void {
  const { data } = useRead('preferencesGet', {}, { enabled: portal === 'customer' });
  const { timezone, dateformat } = (portal === 'customer' ? data : undefined) ?? { timezone: '', dateformat: '' };
  useEffect(() => setDateSettings({ timezone, dateformat }), [timezone, dateformat]);
  const session = useRead('sessionGet', {}, { enabled: portal === 'customer' }).data;
  // Staff who view the account keep their own language.
  useOwnLanguage(portal === 'customer' && session?.operator === '' ? data?.language : undefined);
}

/** Without an own language, the one remembered by the browser stays, unless the person has just chosen to have none. */
function useOwnLanguage(language: string | undefined): void {
  const previous = useRef<string>(undefined);
  useEffect(() => {
    if (language === undefined) return;
    if (isLanguage(language)) changeLanguage(language);
    else if (previous.current !== undefined && previous.current !== language) changeLanguage(undefined);
    previous.current = language;
  }, [language]);
}
