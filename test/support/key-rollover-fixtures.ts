// A signed zone whose parent follows the CDS records at once, for the harness.
import { providerAuthor } from '#app/dns/change.ts';
import { createZoneSigning, signZone, type SigningParts } from '#app/dns/dnssec-zones.ts';
import { addZone } from '#app/dns/zones.ts';
import { secretBox } from '#lib/secrets.ts';
import { signedZoneUpdate, zoneKeyList } from '#store/dns/zone-keys.ts';
import { generateZoneKey, keyTag } from '#protocols/dns/dnssec/keys.ts';
import { keyRollover, type KeyRolloverDeps, type KeyRolloverInput } from '#workflows/dns/key-rollover.ts';
import type { Fixture, Scenario } from '#workflows/engine/harness.ts';
import { addAccount } from './accounts.ts';
import { withResources } from './resources.ts';
import { openOwnedStore } from './store.ts';

const name = 'rolled.example.com';

async function makeSignedZone(): Promise<Fixture<KeyRolloverDeps, KeyRolloverInput>> {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'key-rollover');
  const account = await addAccount(store, 1);
  const app = {
    store,
    clock: { now: Date.now },
    secrets: secretBox(Buffer.alloc(32)),
    queue: { enqueue: async () => '' },
    nameService: { catchUp: () => {} },
  } as unknown as SigningParts;
  const firstKey = await generateZoneKey();
  const zone = await store.transaction(async (queries) => {
    const work = {
      app,
      queries,
      account,
      limits: undefined,
      author: providerAuthor,
      operation: 'test',
      afterCommit: () => {},
    };
    const settings = { names: ['ns1.example.net'], hostmaster: 'hostmaster.example.net', lastLabel: 6 };
    const added = await addZone(work, settings, { name, kind: 'forward' });
    await signZone(app, queries, added, firstKey);
    return added;
  });
  const zoneSigning = createZoneSigning(app);
  return withResources(owned, {
    store,
    account,
    service: undefined,
    deps: {
      zoneSigning: {
        ...zoneSigning,
        async addKey(target, workflow) {
          // Whoever starts a rollover does this.
          await signedZoneUpdate(store.queries, zone, { rollover_id: workflow });
          return zoneSigning.addKey(target, workflow);
        },
        findsDs: async (target, _name, workflow) => (await zoneSigning.findKey(target, workflow))?.state === 'Active',
      },
    },
    input: { zone: zone.id, name },
    observe: async () =>
      (await zoneKeyList(store.queries, zone)).map(({ state, key_tag }) => ({
        state,
        isFirst: key_tag === keyTag(firstKey.dnskey),
      })),
  });
}

export const keyRolloverScenario: Scenario<KeyRolloverDeps, KeyRolloverInput> = {
  workflow: keyRollover,
  makeFixture: makeSignedZone,
};
