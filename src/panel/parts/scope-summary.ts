// Summarises the permissions of a key or contact.
import { grantedScopes, scopeGroups, scopeNames, scopes } from '#contract/scopes.ts';
import { t, tCount, tData } from '../text/text.ts';

export function scopeSummary(names: readonly string[]): string {
  const granted = grantedScopes(names);
  if (granted.size === scopeNames.length) return t('Full access');
  const readOnly = scopeGroups['read-only'];
  if (granted.size === readOnly.length && readOnly.every((scope) => granted.has(scope))) return t('Read-only');
  const [only] = granted;
  return granted.size === 1
    ? tData(scopes[only!])
    : tCount(granted.size, { one: '{count} permission', other: '{count} permissions' });
}

/** Returns the description of every granted scope. */
export function scopeDetails(names: readonly string[]): string {
  return [...grantedScopes(names)].map((scope) => tData(scopes[scope])).join('; ');
}
