// The expiry choices of an API key: common durations or a date.
import type { Key } from '#sdk/v2.ts';
import { fromLocalInput } from '../../parts/dates.ts';
import { t } from '../../text/text.ts';

const daySeconds = 86_400;
const spans = { '30 days': 30, '90 days': 90, '1 year': 365 } as const;
export type Expiry = 'unchanged' | 'never' | 'day' | keyof typeof spans;

interface ExpiryOption {
  readonly value: Expiry;
  readonly label: string;
}

/** Returns the choices. An existing expiry date can be moved but not removed. */
export function expiryOptions(key: Key | undefined): ExpiryOption[] {
  const first: ExpiryOption =
    key === undefined ? { value: 'never', label: t('Never') } : { value: 'unchanged', label: t('Unchanged') };
  const after: readonly ExpiryOption[] = [
    { value: '30 days', label: t('In 30 days') },
    { value: '90 days', label: t('In 90 days') },
    { value: '1 year', label: t('In 1 year') },
  ];
  return [first, ...after, { value: 'day', label: t('On a date…') }];
}

/** Returns Unix seconds. A date means the end of that day in the viewer's time zone. */
export function expiryTime(expiry: Expiry, day: string, nowMs: number): number | undefined {
  if (expiry === 'never' || expiry === 'unchanged') return undefined;
  if (expiry === 'day') return fromLocalInput(`${day}T23:59:59`);
  return Math.floor(nowMs / 1000) + spans[expiry] * daySeconds;
}
