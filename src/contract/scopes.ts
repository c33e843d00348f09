// Scopes of keys and permissions of sub-account contacts: one vocabulary, so that the two can be compared.
export const scopes = {
  'account:read': 'View the account and its contacts',
  'account:write': 'Edit contacts and tax data, cancel services, change plans',
  'account:keys': 'View, create and revoke API keys',
  'audit:read': 'View the audit log',
  'billing:read': 'View balance and invoices',
  'billing:pay': 'Pay invoices, top up credit and manage payment methods',
  'device:read': 'View devices, their state, hardware and statistics',
  'device:power': 'Power devices on and off and choose the next boot',
  'device:console': 'Open and reset consoles',
  'device:write': 'Reinstall devices, mount images, change host names and passwords',
  'dns:read': 'View zones, records and reverse DNS',
  'dns:write': 'Edit zones, records and reverse DNS',
  'event:read': 'View the event log',
  'network:read': 'View netblocks, ports, bandwidth and attacks',
  'network:write': 'Enable and disable ports, request addresses, create null routes',
  'plan:read': 'View approvals',
  'plan:write': 'Request approvals and run approved changes',
  'plan:approve': 'Approve and reject changes requested with other keys',
  'software:read': 'View software licences',
  'software:order': 'Order and cancel software licences',
  'webhook:read': 'View webhooks and their deliveries',
  'webhook:write': 'Create, edit and delete webhooks',
} as const;

export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as Scope[];

/** Names for groups of scopes, so that a key need not list them all. */
export const scopeGroups = {
  all: scopeNames,
  'read-only': scopeNames.filter((name) => name.endsWith(':read')),
} as const;

/** The scopes of staff who view an account. Not `software:read`, which shows licence keys. */
export const supportScopes = scopeGroups['read-only'].filter((name) => name !== 'software:read');

type ScopeGroup = keyof typeof scopeGroups;
export const grantNames = [...(Object.keys(scopeGroups) as ScopeGroup[]), ...scopeNames];

/** Returns the scopes that a list of scope and group names grants. Unknown names grant nothing. */
export function grantedScopes(names: readonly string[]): ReadonlySet<Scope> {
  const granted = new Set<Scope>();
  for (const name of names) {
    if (Object.hasOwn(scopeGroups, name)) for (const scope of scopeGroups[name as ScopeGroup]) granted.add(scope);
    else if (Object.hasOwn(scopes, name)) granted.add(name as Scope);
  }
  return granted;
}

const selfServiceAreas = new Set(['account', 'audit', 'billing', 'event', 'webhook']);
/** Scopes that stay usable on a suspended account: it can manage itself and its bills; only its services are frozen. */
export function worksWhileSuspended(scope: Scope): boolean {
  return selfServiceAreas.has(scope.split(':')[0]!);
}
