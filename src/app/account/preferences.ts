// How a person wants times to be shown, the language of their messages, and their saved filters.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Preferences } from '#contract/shapes/person.ts';
import type { personV2 } from '#contract/v2/person.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import { preferencesFind, preferencesPut } from '#store/account/preferences.ts';
import type { Person } from '#store/account/people.ts';
import type { Context } from '../app.ts';
import { mailSettingsGet, mailSettingsSet } from '../mail/mails.ts';

export async function preferencesGet(context: Context): Promise<Static<typeof Preferences>> {
  const { timezone, dateFormat, filters } = await preferencesFind(context.queries, callingPerson(context));
  const { language, languages } = await mailSettingsGet(context);
  return { timezone, dateformat: dateFormat, language, languages, filters: [...filters] };
}

export async function preferencesSet(
  context: Context,
  { timezone, dateformat, language, filters }: InputOf<typeof personV2.preferencesSet>,
): Promise<void> {
  const { queries, caller } = context;
  // People decide about themselves; what concerns the account needs the scope for it.
  if (caller.contact === undefined && !caller.scopes.has('account:write'))
    throw new ApiError('scope_missing', { message: 'Your key needs the scope account:write.' });
  if (timezone !== undefined && timezone !== '' && !isTimeZone(timezone))
    throw invalid({ timezone: 'must be a time zone such as Europe/Berlin' });
  const names = (filters ?? []).map(({ name }) => name);
  if (new Set(names).size < names.length) throw invalid({ filters: 'must have unique names' });
  const person = callingPerson(context);
  const current = await preferencesFind(queries, person);
  await preferencesPut(queries, person, {
    timezone: timezone ?? current.timezone,
    dateFormat: dateformat ?? current.dateFormat,
    filters: filters ?? current.filters,
  });
  if (language !== undefined) await mailSettingsSet(context, { language });
}

function callingPerson({ caller }: Context): Person {
  return { account_id: caller.account, contact_id: caller.contact ?? null };
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
