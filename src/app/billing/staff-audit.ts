// What staff do with money on the command line stands in the account's own audit log, as what is done through the API does: an
// entry in the transaction of the change, with the name under which they are signed in to the machine.
import { userInfo } from 'node:os';
import { auditAppend } from '#store/account/audit.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import type { Yard } from '../yard.ts';

export interface StaffAct {
  readonly account: AccountId;
  /** As the API names its operations: `cli.billingPay`. */
  readonly operation: `cli.${string}`;
  /** What it was done to: an invoice's number, a payment's reference. */
  readonly target: string;
}

const targetLength = 255;

export async function staffAudit(yard: Pick<Yard, 'clock'>, queries: Queries, act: StaffAct): Promise<void> {
  await auditAppend(queries, {
    account_id: act.account,
    at: yard.clock.now(),
    address: '',
    key_id: null,
    contact_id: null,
    operation: act.operation,
    target: act.target.slice(0, targetLength),
    outcome: 'success',
    request_id: '',
    operator: `operator on the command line (${systemUser()})`,
  });
}

/** Some accounts of a system have a number and no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
