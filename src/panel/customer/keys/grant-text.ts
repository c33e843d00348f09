// What a key may do, in a few words.
import { grantedScopes, scopeGroups, scopeNames } from '#contract/scopes.ts';

export function grantText(names: readonly string[]): string {
  const granted = grantedScopes(names);
  if (granted.size === scopeNames.length) return 'Everything';
  const readOnly = scopeGroups['read-only'];
  if (granted.size === readOnly.length && readOnly.every((scope) => granted.has(scope))) return 'See everything';
  const [only] = granted;
  return granted.size === 1 ? only! : `${granted.size} scopes`;
}
