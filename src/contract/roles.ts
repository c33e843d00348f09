// What the provider's staff may do. An operator's endpoint asks for one power; a role is a list of powers; a person or a key
// has one role. Whoever can sign in sees everything: a question of a customer must not wait for who may look.
export const powers = {
  'operator:read': 'See accounts, services, equipment, work, bills and the audit log',
  'operator:customers': 'Make, change, suspend, resume and close accounts',
  'operator:keys': 'Make and revoke keys of customers',
  'operator:suspend': 'Suspend and resume services',
  'operator:services': 'Provision and terminate services',
  'operator:addresses': 'Decide on requests for addresses',
  'operator:equipment': 'Lock devices, set them under maintenance, read their parts, null-route, retry and unwind work',
  'operator:money': 'Start billing runs',
  'operator:owner': 'Make, change and end operators',
} as const;

export type Power = keyof typeof powers;
export const powerNames = Object.keys(powers) as Power[];

export const roles = {
  support: ['operator:read', 'operator:customers', 'operator:keys', 'operator:suspend', 'operator:addresses'],
  engineer: ['operator:read', 'operator:suspend', 'operator:services', 'operator:addresses', 'operator:equipment'],
  billing: ['operator:read', 'operator:customers', 'operator:suspend', 'operator:money'],
  owner: powerNames,
} as const satisfies Record<string, readonly Power[]>;

export type OperatorRole = keyof typeof roles;
export const roleNames = Object.keys(roles) as OperatorRole[];

export function powersOf(role: OperatorRole): ReadonlySet<Power> {
  return new Set<Power>(roles[role]);
}
export function isPower(access: string): access is Power {
  return Object.hasOwn(powers, access);
}
