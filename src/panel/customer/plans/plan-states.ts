// What can be decided of a plan in which state, as the server decides it.
import type { Plan } from '#sdk/v2.ts';

/** Whether something can still be decided: what waits, and what is approved until it is carried out. */
export function isOpen({ status }: Plan): boolean {
  return status === 'Pending' || status === 'Approved';
}

/** Why it cannot be approved; undefined where it can. */
export function approvalReason({ status }: Plan): string | undefined {
  return status === 'Approved' ? 'It is approved already.' : undefined;
}
