// The public DNS of a test: Unbound is the provider's resolver, and its stub zones are the delegations, to Hostyard for
// some domains and to PowerDNS, which plays all other name servers, for the rest.
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
  delegations: readonly { readonly port: number; readonly domains: readonly string[] }[],
  settings = neitherValidatesNorCaches,
): Promise<string> {
  const folder = owned.use(await temporaryFolder('unbound'));
  const port = await freePort();
  const indented = (lines: readonly string[]): string => lines.map((line) => ` ${line}\n`).join('');
  const zones = delegations.flatMap(({ port: stubPort, domains }) =>
    domains.map(
      (domain) =>
        `stub-zone:\n${indented([`name: "${domain}"`, `stub-addr: 127.0.0.1@${stubPort}`, ...settings.stub])}`,
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
