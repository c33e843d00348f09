// The sessions, recovery codes and preferences of a person, our additions.
import { Type } from 'typebox';
import { Flag01, Moment } from './account.ts';
import { described, text } from './text.ts';

/** Codes that are created at once. */
export const recoveryCodeCount = 10;
export const maxFilters = 20;
/** By their order of year, month and day, and how they separate them. */
export const dateFormats = ['iso', 'dmy', 'dots', 'mdy'] as const;
export type DateFormat = (typeof dateFormats)[number];

export const OpenSession = Type.Object({
  id: text,
  current: Type.Enum(Flag01.enum, { description: '1 for the session of this request' }),
  device: described('Browser and operating system, or program; empty if unknown'),
  address: described('The IP address that last used it'),
  created: Moment,
  lastused: Moment,
  expires: Moment,
});

export const RecoveryCodes = Type.Object({ codes: Type.Array(text) });

const SavedFilter = Type.Object({
  name: text,
  query: described('The query string of the filtered list’s address'),
});
export const Preferences = Type.Object({
  timezone: described('Empty for the browser’s'),
  dateformat: Type.Enum(['', ...dateFormats], {
    description: 'iso: 2026-01-31, dmy: 31/01/2026, dots: 31.01.2026, mdy: 1/31/2026; empty for the browser’s',
  }),
  language: described(
    'Language of messages and the panel; if empty, messages use the provider’s default and the panel uses the browser’s',
  ),
  languages: Type.Array(text),
  filters: Type.Array(SavedFilter, { description: 'Saved filters of the server list' }),
});
