// An ordered licence that waits for its key, and the provider's hook that delivers it. For the harness and for API
// tests.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { storeLicenceHook } from '#workflows/billing/licence-hook.ts';
import { secretBox } from '#lib/secrets.ts';
import { licenceFind, licenceInsert, licenceWithdraw } from '#store/billing/licences.ts';
import type { Scenario, Fixture } from '#workflows/engine/harness.ts';
import { licenceOrder, type LicenceOrderDeps, type LicenceOrderInput } from '#workflows/billing/licence-order.ts';
import { addAccount, addService } from './accounts.ts';
import { openOwnedStore } from './store.ts';
import { withResources } from './resources.ts';

export interface LicenceHookServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: { headers: IncomingHttpHeaders; body: string }[];
  /** Undefined while the hook has no key yet. */
  key: string | undefined;
}

export async function startLicenceHook(): Promise<LicenceHookServer> {
  const requests: LicenceHookServer['requests'] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
    requests.push({ headers: request.headers, body });
    if (hook.key === undefined) response.writeHead(202).end();
    else response.writeHead(200).end(JSON.stringify({ key: hook.key }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hook: LicenceHookServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    key: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return hook;
}

async function makeOrderedLicence(): Promise<Fixture<LicenceOrderDeps, LicenceOrderInput>> {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'licence-order');
  const account = await addAccount(store, 1);
  const service = 1001;
  await addService(store, account, service);
  const hook = owned.use(await startLicenceHook());
  hook.key = 'KEY-1';
  const secrets = secretBox(Buffer.alloc(32));
  await storeLicenceHook(store.queries, secrets, { url: hook.url, secret: 'of the harness' });
  const licence = await licenceInsert(store.queries, {
    account_id: account,
    service_id: service,
    name: 'DEDICATED_PANEL1',
    status: 'Pending',
    price_cents: 1500,
    from_day: 1,
    until_day: null,
    billed_until: 31,
    licence_key: null,
    workflow_id: 'harness',
    created_at: 0,
  });
  return withResources(owned, {
    store,
    account,
    service,
    deps: {
      store,
      secrets,
      clock: { now: Date.now },
      queue: { enqueue: async () => '' },
      licences: {
        withdraw: async (queries, owner, id) => void (await licenceWithdraw(queries, owner, id, 1)),
      },
    },
    input: { licence: licence! },
    observe: async () => {
      const { status, licence_key: key } = (await licenceFind(store.queries, account, licence!))!;
      return { status, key: key === null ? null : secrets.open(key, `licence ${licence}`) };
    },
  });
}

export const licenceOrderScenario: Scenario<LicenceOrderDeps, LicenceOrderInput> = {
  workflow: licenceOrder,
  makeFixture: makeOrderedLicence,
  assertFailed: (observed) => assert.deepEqual(observed, { status: 'Ended', key: null }),
};
