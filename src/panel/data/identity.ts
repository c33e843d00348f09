// The signed-in person and their permissions, which decide what the navigation shows and which buttons are enabled.
import { scopes, type Scope } from '#contract/scopes.ts';
import type { Permission } from '#contract/roles.ts';
import { useDeviceApi, useRead, useStaffRead } from './operations.ts';
import { usePortal, type Portal } from './session.ts';
import { t, tData } from '../text/text.ts';

/** Returns a function that explains why a button is disabled for lack of a scope, or undefined if it is not. */
export function useScopeDenial(): (scope: Scope) => string | undefined {
  const { portal, reason } = useDeviceApi();
  const { data } = useRead('sessionGet', {}, { enabled: portal === 'customer' });
  const permissionDenial = usePermissionDenial();
  if (portal === 'staff')
    return (scope) =>
      scope.endsWith(':read')
        ? undefined
        : (permissionDenial('operator:equipment') ?? (reason === '' ? t('Enter a reason first.') : undefined));
  return (scope) =>
    data === undefined || data.scopes.includes(scope)
      ? undefined
      : t('You need the permission “{permission}” for this.', { permission: tData(scopes[scope]) });
}

/** The same for staff, by the permissions of their role. */
export function usePermissionDenial(): (permission: Permission) => string | undefined {
  const isStaff = usePortal() === 'staff';
  const { data } = useStaffRead('sessionGet', {}, { enabled: isStaff });
  return (permission) =>
    data === undefined || data.powers.includes(permission)
      ? undefined
      : t('Your role, {role}, does not allow this.', { role: tData(data.role) });
}

export interface Identity {
  readonly name: string;
  readonly detail: string;
  can(access: Scope | Permission): boolean;
}

/** Returns the signed-in person, or undefined while loading. */
export function useIdentity(portal: Portal): Identity | undefined {
  const asCustomer = useRead('sessionGet', {}, { enabled: portal === 'customer' });
  const asStaff = useStaffRead('sessionGet', {}, { enabled: portal === 'staff' });
  if (portal === 'staff') {
    const { data } = asStaff;
    if (data === undefined) return undefined;
    return { name: data.name, detail: data.role, can: (access) => (data.powers as readonly string[]).includes(access) };
  }
  const { data } = asCustomer;
  if (data === undefined) return undefined;
  return { name: data.name, detail: data.email, can: (access) => (data.scopes as readonly string[]).includes(access) };
}
