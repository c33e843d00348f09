// Which calls of version 2 take something away that a later call cannot bring back: power, data, a name that answered, a way in.
// Whoever acts for a person asks the person first: the command line with a question, an assistant with a plan.
import type { v2 } from './contract.ts';
import { effectOf, type Endpoint } from './endpoint.ts';

/** Always, or unless a parameter has a value that does no harm: what is spelled in another way is taken for harmful. */
type Destroying = 'always' | { readonly parameter: string; readonly harmless: unknown };

export const destroys = {
  devicePowerSet: { parameter: 'action', harmless: 'on' },
  devicePasswordReset: 'always',
  deviceRescueStart: 'always',
  deviceRescueEnd: 'always',
  deviceReloadStart: 'always',
  deviceReloadCancel: 'always',
  deviceConsoleReset: 'always',
  zoneDelete: 'always',
  recordDelete: 'always',
  recordDeleteMany: 'always',
  recordUpdate: 'always',
  reverseDelete: 'always',
  zoneFileImport: { parameter: 'dry_run', harmless: true },
  zoneRollBack: 'always',
  dnssecDisable: 'always',
  portDisable: 'always',
  contactDelete: 'always',
  keyDelete: 'always',
  webhookDelete: 'always',
} as const satisfies Partial<Record<keyof typeof v2, Destroying>>;

/** When an operation destroys; undefined where it never does. */
export function destroyingOf(operation: string): Destroying | undefined {
  return Object.hasOwn(destroys, operation) ? destroys[operation as keyof typeof destroys] : undefined;
}

export function isDestroying(operation: string, input: Readonly<Record<string, unknown>>): boolean {
  const destroying = destroyingOf(operation);
  if (destroying === undefined || destroying === 'always') return destroying !== undefined;
  return input[destroying.parameter] !== destroying.harmless;
}

/** What can be planned, and so be left to an assistant: it changes something, and neither hands out access nor sends anything
 * out of the house, nor carries a password that a plan would show. */
export function isPlannable(declaration: Endpoint): boolean {
  const { access, tag, params } = declaration;
  if (effectOf(declaration) === 'none' || ['any', 'public', 'account:keys'].includes(access) || tag === 'plan')
    return false;
  return !Object.values(params).some((schema) => 'x-hashed' in schema || 'x-dialled' in schema);
}
