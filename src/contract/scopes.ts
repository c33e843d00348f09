// What a key may do, and what a sub-account contact may do: one vocabulary for both, so that a person's permissions and a
// key's scopes are compared with the same words.
export const scopes = {
  'account:read': 'See the account and its contacts',
  'account:write': 'Change contacts',
  'account:keys': 'See, make and revoke API keys',
  'audit:read': 'Read the audit log',
  'billing:read': 'See balance and invoices',
  'device:read': 'See devices, their state, hardware and statistics',
  'device:power': 'Switch devices on and off and choose the next boot',
  'device:console': 'Open and reset consoles',
  'device:write': 'Reinstall devices, mount images, change names and passwords',
  'dns:read': 'See zones, records and reverse names',
  'dns:write': 'Change zones, records and reverse names',
  'event:read': 'Read the event log',
  'network:read': 'See netblocks, ports, bandwidth and events',
  'network:write': 'Switch ports, ask for addresses, null-route',
  'plan:read': 'See plans',
  'plan:write': 'Make plans, and carry out those that were approved',
  'plan:approve': 'Approve and refuse plans that were made with other keys',
  'software:read': 'See software licences',
  'software:order': 'Order and cancel software licences',
  'webhook:read': 'See webhooks and what was sent to them',
  'webhook:write': 'Have the events of the account sent to a URL',
} as const;

export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as Scope[];

/** Names that stand for several scopes, so that a key need not list them. */
export const scopeGroups = {
  all: scopeNames,
  'read-only': scopeNames.filter((name) => name.endsWith(':read')),
} as const;

export type ScopeGroup = keyof typeof scopeGroups;
export const grantNames = [...(Object.keys(scopeGroups) as ScopeGroup[]), ...scopeNames];

/** The single scopes that a list of scope and group names grants. Unknown names grant nothing. */
export function grantedScopes(names: readonly string[]): ReadonlySet<Scope> {
  const granted = new Set<Scope>();
  for (const name of names) {
    if (Object.hasOwn(scopeGroups, name)) for (const scope of scopeGroups[name as ScopeGroup]) granted.add(scope);
    else if (Object.hasOwn(scopes, name)) granted.add(name as Scope);
  }
  return granted;
}

const ownMatters = new Set(['account', 'audit', 'billing', 'event', 'webhook']);
/** A suspended account may still look after itself and its bills; only its services are frozen. */
export function worksWhileSuspended(scope: Scope): boolean {
  return ownMatters.has(scope.split(':')[0]!);
}
