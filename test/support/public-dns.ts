// The public DNS of a test: Unbound is the provider's resolver, and its stub zones are the delegations, to Hostyard for
// some domains and to PowerDNS, which plays all other name servers, for the rest.
import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { freePort } from './ports.ts';

interface ResolverSettings {
  /** Lines for Unbound's `server` and for each stub zone. */
  readonly server: readonly string[];
  readonly stub: readonly string[];
}

const neitherValidatesNorCaches: ResolverSettings = {
  server: ['module-config: "iterator"'],
  stub: ['stub-no-cache: yes'],
};

/** Returns the resolver's address and port. Delegations are lists of domains by the port of their name server. */
export async function startResolver(
  owned: AsyncDisposableStack,
  delegations: readonly { readonly address?: string; readonly port: number; readonly domains: readonly string[] }[],
  settings = neitherValidatesNorCaches,
): Promise<string> {
  const folder = owned.use(await temporaryFolder('unbound'));
  const port = await freePort();
  const indented = (lines: readonly string[]): string => lines.map((line) => ` ${line}\n`).join('');
  const zones = delegations.flatMap(({ address = '127.0.0.1', port: stubPort, domains }) =>
    domains.map(
      (domain) =>
        `stub-zone:\n${indented([`name: "${domain}"`, `stub-addr: ${address}@${stubPort}`, ...settings.stub])}`,
    ),
  );
  const configuration = `server:
 interface: 127.0.0.1
 port: ${port}
 chroot: ""
 username: ""
 directory: "${folder.path}"
 pidfile: ""
 use-syslog: no
 do-not-query-localhost: no
${indented(settings.server)}remote-control:
 control-enable: no
${zones.join('')}`;
  const file = join(folder.path, 'unbound.conf');
  await writeFile(file, configuration);
  const daemon = owned.use(await startDaemon('unbound', ['-d', '-p', '-c', file]));
  await daemon.printed('start of service');
  return `127.0.0.1:${port}`;
}

/**
 * NSD with a parent zone, on the port that name servers have, at an address that other tests do not use. Returns the
 * address.
 */
export async function startParentZone(
  owned: AsyncDisposableStack,
  zone: string,
  delegations: readonly string[],
): Promise<string> {
  const folder = owned.use(await temporaryFolder('nsd'));
  const address = `127.53.${randomInt(256)}.${randomInt(1, 255)}`;
  const configuration = `server:
  ip-address: ${address}
  username: ""
  database: ""
  zonesdir: ${folder.path}
  pidfile: ""
  xfrdfile: ""
  xfrdir: ${folder.path}
  zonelistfile: ${folder.path}/zone.list
  server-count: 1
remote-control:
  control-enable: no
zone:
  name: ${zone}
  zonefile: parent.zone
`;
  const records = [`@ 60 SOA ns hostmaster 1 60 60 60 60`, `@ 60 NS ns`, `ns 60 A ${address}`, ...delegations];
  await writeFile(join(folder.path, 'parent.zone'), `$ORIGIN ${zone}.\n${records.join('\n')}\n`);
  await writeFile(join(folder.path, 'config'), configuration);
  const daemon = owned.use(await startDaemon('nsd', ['-d', '-V', '2', '-c', join(folder.path, 'config')]));
  await daemon.printed('nsd started');
  return address;
}
