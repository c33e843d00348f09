// Records billing commands in the account's audit log, like calls of the API: in the transaction of the change, with
// the user name on the server.
import { userInfo } from 'node:os';
import { auditAppend } from '#store/account/audit.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import type { AccountId } from '#store/account-id.ts';

export interface StaffAction {
  readonly account: AccountId;
  /** Named like an operation of the API, for example `cli.billingPay`. */
  readonly operation: `cli.${string}`;
  /** The affected invoice number or payment reference. */
  readonly target: string;
}

const targetLength = 255;

export async function recordStaffAction(app: Pick<App, 'clock'>, queries: Queries, action: StaffAction): Promise<void> {
  await auditAppend(queries, {
    account_id: action.account,
    at: app.clock.now(),
    address: '',
    key_id: null,
    contact_id: null,
    operation: action.operation,
    target: action.target.slice(0, targetLength),
    outcome: 'success',
    request_id: '',
    operator: `operator on the command line (${systemUser()})`,
  });
}

/** Some system users have an id but no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
