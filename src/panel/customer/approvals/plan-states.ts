// Which decisions are possible in which state of a plan. The server enforces the same rules.
import type { Plan } from '#sdk/v2.ts';

/** Returns true if the plan can still be rejected: while it is pending, and after approval until it is executed. */
export function canBeRejected({ status }: Plan): boolean {
  return status === 'Pending' || status === 'Approved';
}

/** Returns why the plan cannot be approved, or undefined if it can. */
export function approvalDenial({ status }: Plan): string | undefined {
  return status === 'Approved' ? 'Already approved.' : undefined;
}
