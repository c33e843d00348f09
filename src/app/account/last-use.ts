// Records when and from where a key was last used, which is also the account's last login. Written at most once a
// minute per key and address, so that a busy key does not cost a write per request.
import { Resolver } from 'node:dns/promises';
import { BoundedMap } from '#lib/bounded-map.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { accountRecordLogin, accountRecordLoginHost, type Login } from '#store/account/accounts.ts';
import { keyRecordUse, type Credential } from '#store/account/keys.ts';
import type { Store } from '#store/store.ts';
import type { AccountId } from '#store/account-id.ts';

const writeIntervalMs = 60_000;
const maxPairs = 50_000;

/** The parts of the app that exist before authentication does. */
export interface AuthenticationParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

export function createUseRecorder(
  app: AuthenticationParts,
): (credential: Credential, address: string) => Promise<void> | undefined {
  const writeTimes = new BoundedMap<string, number>(maxPairs);
  return (credential, address) => {
    const pair = `${credential.id} ${address}`;
    const at = app.clock.now();
    if (Math.abs(at - (writeTimes.get(pair) ?? 0)) < writeIntervalMs) return undefined;
    writeTimes.set(pair, at);
    return recordUse(credential, { at, address });
  };

  async function recordUse(credential: Credential, login: Login): Promise<void> {
    try {
      await keyRecordUse(app.store.queries, credential.id, login.at, login.address);
      // Neither staff nor a member of staff who views an account is the customer signing in.
      if (credential.account_id === null || credential.operator_id !== null) return;
      await accountRecordLogin(app.store.queries, credential.account_id, login);
      void recordLoginHost(app, credential.account_id, login);
    } catch (error) {
      // Reads must keep working when writes fail, for example on a full disk.
      app.log.warn({ err: error }, 'cannot record the use of a key');
    }
  }
}

async function recordLoginHost(app: AuthenticationParts, account: AccountId, login: Login): Promise<void> {
  try {
    const [host] = await new Resolver({ timeout: 1000, tries: 1 }).reverse(login.address);
    if (host !== undefined) await accountRecordLoginHost(app.store.queries, account, login, host);
  } catch {
    // Without a reverse name, the address is shown instead.
  }
}
