// When and from where a key was last used, which is also when the account was last logged in to. Written at most once a
// minute for a key and address: a busy key must not cost a write a request.
import { Resolver } from 'node:dns/promises';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { accountRecordLogin, accountRecordLoginHost, type Login } from '#store/account/accounts.ts';
import { keyRecordUse, type Credential } from '#store/account/keys.ts';
import type { Store } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';

const betweenWritesMs = 60_000;
const pairsRemembered = 50_000;

/** What of the yard is there before anybody is let in. */
export interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

export function useRecorder(yard: Parts): (credential: Credential, address: string) => Promise<void> | undefined {
  const writtenAt = new Map<string, number>();
  return (credential, address) => {
    const pair = `${credential.id} ${address}`;
    const at = yard.clock.now();
    if (Math.abs(at - (writtenAt.get(pair) ?? 0)) < betweenWritesMs) return undefined;
    if (writtenAt.size >= pairsRemembered) writtenAt.clear();
    writtenAt.set(pair, at);
    return write(credential, { at, address });
  };

  async function write(credential: Credential, login: Login): Promise<void> {
    const { at, address } = login;
    try {
      await keyRecordUse(yard.store.queries, credential.id, at, address);
      if (credential.account_id === null) return;
      await accountRecordLogin(yard.store.queries, credential.account_id, { at, address });
      void recordHost(yard, credential.account_id, { at, address });
    } catch (error) {
      // Reading must go on where writing does not, for example on a full disk.
      yard.log.warn({ err: error }, 'the use of a key could not be recorded');
    }
  }
}

async function recordHost(yard: Parts, account: AccountId, login: Login): Promise<void> {
  try {
    const [host] = await new Resolver({ timeout: 1000, tries: 1 }).reverse(login.address);
    if (host !== undefined) await accountRecordLoginHost(yard.store.queries, account, login, host);
  } catch {
    // No reverse name: the address stands in its place.
  }
}
