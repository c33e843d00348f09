// A suite whose app and a PowerDNS, which plays all other name servers, are found through one resolver, as in the public DNS.
//
//   const names = publicNames(suite, { delegated: ['delegated.com'], elsewhere: ['squatted.com'] });
//   let app: TestApp;
//   before(() => void ({ app } = names));

import { before } from 'node:test';
import { createAliasWork } from '#app/dns/aliases.ts';
import { applySite } from '#app/site/apply.ts';
import { aliasPoll } from '#reconcilers/alias-poll.ts';
import type { TestApp } from './app.ts';
import { withDnsCalls, type DnsCalls } from './dns-fixtures.ts';
import type { EngineSuite } from './engine-suite.ts';
import { startPowerDns, type PowerDns } from './powerdns.ts';
import { startResolver } from './public-dns.ts';

interface Domains {
  /** Delegated to the app. */
  readonly delegated: readonly string[];
  readonly elsewhere: readonly string[];
}

export function publicNames({ owned, openApp }: EngineSuite, { delegated, elsewhere }: Domains) {
  let app: TestApp;
  let dns: DnsCalls;
  let stranger: DnsCalls;
  let others: PowerDns;
  let resolver: string;
  before(async () => {
    others = owned.use(await startPowerDns(['zone-cache-refresh-interval=0']));
    ({ app, dns, stranger } = await withDnsCalls(openApp({ answersDns: true })));
    resolver = await startResolver(owned, [
      { port: app.dns.port, domains: delegated },
      { port: others.port, domains: [...elsewhere, 'cdn.com'] },
    ]);
    await useResolvers([resolver]);
    await serveElsewhere('cdn.com');
  });

  async function useResolvers(resolvers: string[]): Promise<void> {
    await applySite(app.parts, { ...app.site, nameserver: { ...app.site.nameserver!, resolvers } });
  }
  /** Serves a domain at its owner's own name server. */
  async function serveElsewhere(domain: string): Promise<void> {
    await others.util('create-zone', domain, `ns.${domain}`);
  }
  return {
    get app() {
      return app;
    },
    get dns() {
      return dns;
    },
    get stranger() {
      return stranger;
    },
    /** All other name servers. */
    get elsewhere() {
      return others;
    },
    get resolver() {
      return resolver;
    },
    useResolvers,
    serveElsewhere,
    /** Sets the addresses of a name in cdn.com, which is served elsewhere. */
    setAddress: (name: string, ...addresses: string[]) =>
      others.util('replace-rrset', 'cdn.com', name, 'A', '3000', ...addresses),
    refreshAliases: (of: TestApp) => aliasPoll(of.parts, createAliasWork(of.parts)).run(AbortSignal.timeout(60_000)),
  };
}
