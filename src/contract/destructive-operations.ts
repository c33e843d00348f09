// Version 2 operations that destroy something that a later call cannot restore: power, data, a DNS name, access.
// Clients that act for a person confirm them first: the CLI with a prompt, an assistant with a plan.
import type { v2 } from './contract.ts';
import { effectOf, type Endpoint } from './endpoint.ts';

/** Always, or unless a parameter has one of the harmless values; any other value counts as harmful. */
type Destruction = 'always' | { readonly parameter: string; readonly harmless: unknown };

export const destructiveOperations = {
  devicePowerSet: { parameter: 'action', harmless: 'on' },
  deviceShutdown: 'always',
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
  changeSetApply: { parameter: 'dry_run', harmless: true },
  zoneRollBack: 'always',
  dnssecDisable: 'always',
  portDisable: 'always',
  contactDelete: 'always',
  keyDelete: 'always',
  tsigKeyDelete: 'always',
  sshKeyDelete: 'always',
  volumeDelete: 'always',
  // An order costs money.
  machineCreate: 'always',
  machineDelete: 'always',
  machineSnapshotDelete: 'always',
  machineSnapshotRestore: 'always',
  machineImageDelete: 'always',
  // It costs money, and may restart the machine.
  machineSizeSet: 'always',
  machineBackupDelete: 'always',
  machineBackupOrder: 'always',
  machineBackupRestore: 'always',
  webhookDelete: 'always',
  paymentMethodRemove: 'always',
  // The service ends with its data, or costs something else from today on.
  deviceCancel: 'always',
  devicePlanSet: 'always',
  // Money cannot be charged back by a later call; a page charges nothing by itself.
  invoicePay: { parameter: 'method', harmless: undefined },
  topUp: { parameter: 'method', harmless: undefined },
} as const satisfies Partial<Record<keyof typeof v2, Destruction>>;

/** Returns when an operation is destructive, or undefined if it never is. */
export function destructionOf(operation: string): Destruction | undefined {
  return Object.hasOwn(destructiveOperations, operation)
    ? destructiveOperations[operation as keyof typeof destructiveOperations]
    : undefined;
}

export function isDestructive(operation: string, input: Readonly<Record<string, unknown>>): boolean {
  const destruction = destructionOf(operation);
  if (destruction === undefined || destruction === 'always') return destruction !== undefined;
  return input[destruction.parameter] !== destruction.harmless;
}

const unplannedMarks = ['x-hashed', 'x-verified', 'x-sealed', 'x-called', 'x-proven'];

/**
 * Returns true if an operation can be planned, and so be left to an assistant: it changes something, and neither
 * grants access, nor sends anything out, nor has a password or account number that a plan would show.
 */
export function isPlannable(declaration: Endpoint): boolean {
  const { access, tag, params } = declaration;
  if (effectOf(declaration) === 'none' || ['any', 'public', 'account:keys'].includes(access) || tag === 'plan')
    return false;
  return !Object.values(params).some((schema) => unplannedMarks.some((mark) => mark in schema));
}
