// Permissions of operators. An endpoint requires one permission, single fields of it may require another, a role is a
// list of permissions, and an operator or key has one role. Every operator can view everything, so that a customer's
// question never waits for someone with access.
export const permissions = {
  'operator:read': 'View accounts, services, equipment, jobs, invoices and the audit log',
  'operator:customers': 'Create, edit, suspend, resume and close accounts',
  'operator:notes': 'Write notes on customers',
  'operator:keys': "Revoke customers' keys",
  'operator:credentials': "Change customers' sign-in, create keys for them",
  'operator:impersonate': 'Sign in as a customer, to view what they see',
  'operator:suspend': 'Suspend and resume services',
  'operator:services': 'Provision, reinstall and terminate services',
  'operator:licences': 'Deliver licence keys',
  'operator:addresses': 'Approve and reject requests for addresses, and take addresses back',
  'operator:equipment':
    'Operate and lock devices, open consoles, set maintenance, scan hardware, create null routes, retry and cancel jobs',
  'operator:money':
    'Start billing runs, record payments, grant credit, correct and write off invoices, hold dunning, edit plans and coupons',
  'operator:owner': 'Invite, edit and remove staff members',
} as const;

export type Permission = keyof typeof permissions;
const permissionNames = Object.keys(permissions) as Permission[];

export const roles = {
  support: [
    'operator:read',
    'operator:customers',
    'operator:notes',
    'operator:keys',
    'operator:impersonate',
    'operator:suspend',
    'operator:licences',
    'operator:addresses',
  ],
  engineer: [
    'operator:read',
    'operator:notes',
    'operator:suspend',
    'operator:services',
    'operator:licences',
    'operator:addresses',
    'operator:equipment',
  ],
  billing: [
    'operator:read',
    'operator:customers',
    'operator:notes',
    'operator:suspend',
    'operator:licences',
    'operator:money',
  ],
  owner: permissionNames,
} as const satisfies Record<string, readonly Permission[]>;

export type OperatorRole = keyof typeof roles;
export const roleNames = Object.keys(roles) as OperatorRole[];

export function permissionsOf(role: OperatorRole): ReadonlySet<Permission> {
  return new Set<Permission>(roles[role]);
}
export function rolesWith(permission: Permission): OperatorRole[] {
  return roleNames.filter((role) => permissionsOf(role).has(permission));
}
export function isPermission(access: string): access is Permission {
  return Object.hasOwn(permissions, access);
}
