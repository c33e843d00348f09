// Summarises the permissions of a key or contact.
import { grantedScopes, scopeGroups, scopeNames, scopes } from '#contract/scopes.ts';

export function scopeSummary(names: readonly string[]): string {
  const granted = grantedScopes(names);
  if (granted.size === scopeNames.length) return 'Full access';
  const readOnly = scopeGroups['read-only'];
  if (granted.size === readOnly.length && readOnly.every((scope) => granted.has(scope))) return 'Read-only';
  const [only] = granted;
  return granted.size === 1 ? scopes[only!] : `${granted.size} permissions`;
}

/** Returns the description of every granted scope. */
export function scopeDetails(names: readonly string[]): string {
  return [...grantedScopes(names)].map((scope) => scopes[scope]).join('; ');
}
