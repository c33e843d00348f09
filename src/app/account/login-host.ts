// The host name of the address that a person signed in from. Looked up once, after the sign-in, which does not wait
// for it.
import dns from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { accountRecordLoginHost, type Login } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import type { App } from '../app.ts';

const lookupTimeoutMs = 1000;
/** Filters what the owner of a reverse zone may have put there instead of a name. */
const hostName = /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/i;

export async function recordLoginHost(app: App, account: AccountId, login: Login): Promise<void> {
  try {
    const resolver = new Resolver({ timeout: lookupTimeoutMs, tries: 1 });
    // Those of the process, which are the system's unless they were replaced.
    resolver.setServers(dns.getServers());
    const host = (await resolver.reverse(login.address)).find((name) => hostName.test(name));
    if (host !== undefined) await accountRecordLoginHost(app.store.queries, account, login, host);
  } catch {
    // Without a host name, the address is shown instead.
  }
}
