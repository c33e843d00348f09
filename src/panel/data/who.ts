// Whose key it is, and what it may do: what the navigation shows and which buttons can act.
import type { Scope } from '#contract/scopes.ts';
import type { Power } from '#contract/roles.ts';
import { useRead, useStaffRead } from './read.ts';
import { useSession } from './session.ts';

/** What a button says that needs a permission which this person does not have; undefined where there is no reason against it. */
export function useRefusal(): (scope: Scope) => string | undefined {
  const { data } = useRead('sessionGet', {});
  return (scope) =>
    data === undefined || data.scopes.includes(scope) ? undefined : `Your permissions do not include “${scope}”.`;
}

export function usePowerRefusal(): (power: Power) => string | undefined {
  const { data } = useStaffRead('sessionGet', {});
  return (power) =>
    data === undefined || data.powers.includes(power) ? undefined : `The role ${data.role} does not have “${power}”.`;
}

export interface Who {
  readonly name: string;
  readonly detail: string;
  may(access: Scope | Power): boolean;
}

/** Undefined until it is known. */
export function useWho(): Who | undefined {
  const session = useSession();
  const asCustomer = useRead('sessionGet', {}, { enabled: session?.face === 'customer' });
  const asStaff = useStaffRead('sessionGet', {}, { enabled: session?.face === 'staff' });
  if (session?.face === 'staff') {
    const { data } = asStaff;
    if (data === undefined) return undefined;
    return { name: data.name, detail: data.role, may: (access) => (data.powers as readonly string[]).includes(access) };
  }
  const { data } = asCustomer;
  if (data === undefined) return undefined;
  return { name: data.name, detail: data.email, may: (access) => (data.scopes as readonly string[]).includes(access) };
}
