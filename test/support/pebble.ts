// A real ACME certificate authority (pebble) that validates dns-01 challenges against a given name server, and the
// ACME client lego. Needs pebble, lego and openssl.
//
//   await using pebble = await startPebble(app.dns);
//   const { names } = await issueWithLego(pebble, { provider: 'pdns', domains: ['a.example', '*.a.example'], env });

import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { findBinary } from './needs.ts';
import { freePort } from './ports.ts';
import { withResources } from './resources.ts';

const run = promisify(execFile);

export interface Pebble extends AsyncDisposable {
  /** The URL of the ACME directory. */
  readonly directory: string;
  /** The certificate of pebble's own HTTPS server, for clients to trust. */
  readonly caFile: string;
  /** For files of clients; removed with pebble. */
  readonly folder: string;
  readonly resolver: string;
  output(): string;
  /** Checks that pebble issued a certificate, and returns its names. */
  namesOf(certificateFile: string): Promise<string[]>;
}

export async function startPebble(nameServer: { readonly address: string; readonly port: number }): Promise<Pebble> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('pebble')).path;
  const [caFile, keyFile] = [join(folder, 'server.pem'), join(folder, 'server.key')];
  const subject = '-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1';
  const keyKind = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2';
  const makeCertificate = `req -x509 ${keyKind} ${subject} -keyout ${keyFile} -out ${caFile}`;
  await run('openssl', makeCertificate.split(' '));
  const resolver = `${nameServer.address}:${nameServer.port}`;
  const [port, managementPort] = [await freePort(), await freePort()];
  const settings = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: caFile,
    privateKey: keyFile,
    httpPort: 5002,
    tlsPort: 5001,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  };
  await writeFile(join(folder, 'pebble.json'), JSON.stringify({ pebble: settings }));
  const pebble = owned.use(
    await startDaemon('pebble', ['-config', join(folder, 'pebble.json'), '-dnsserver', resolver], {
      cwd: folder,
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_AUTHZREUSE: '0' },
    }),
  );
  await pebble.printed('ACME directory available');
  const fetchIssuer = async (name: string): Promise<X509Certificate> => {
    const url = `https://localhost:${managementPort}/${name}/0`;
    return new X509Certificate((await run('curl', ['-sSf', '--cacert', caFile, url])).stdout);
  };
  return withResources<Pebble>(owned, {
    directory: `https://localhost:${port}/dir`,
    caFile,
    folder,
    resolver,
    output: () => pebble.output(),
    async namesOf(certificateFile) {
      const certificate = new X509Certificate(await readFile(certificateFile));
      const [intermediate, root] = [await fetchIssuer('intermediates'), await fetchIssuer('roots')];
      if (!certificate.verify(intermediate.publicKey) || !intermediate.verify(root.publicKey))
        throw new Error(`pebble did not issue ${certificateFile}`);
      return (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace('DNS:', ''));
    },
  });
}

export interface Issuance {
  /** The name of lego's DNS provider, such as `pdns`. */
  readonly provider: string;
  /** The first gives the certificate its file name. */
  readonly domains: readonly string[];
  /** The provider's settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Distinguishes clients that run at the same time; the provider if omitted. */
  readonly client?: string;
  /** Has lego ask every name server of the zone before it continues, on port 53. */
  readonly asksNameServers?: true;
}

/** Gets a certificate with lego, and returns its names and what lego printed. Rejects with lego's output if it fails. */
export async function issueWithLego(
  pebble: Pebble,
  { provider, domains, env, client = provider, asksNameServers }: Issuance,
): Promise<{ names: string[]; output: string }> {
  const path = join(pebble.folder, `lego-${client}`);
  const check = `--dns.resolvers ${pebble.resolver}${asksNameServers ? '' : ' --dns.disable-cp'}`;
  const account = `--server ${pebble.directory} --accept-tos --email a@example.com --path ${path}`;
  const { stdout, stderr } = await run(
    findBinary('lego')!,
    [...`${account} ${check} --dns ${provider}`.split(' '), ...domains.map((domain) => `--domains=${domain}`), 'run'],
    { env: { ...process.env, LEGO_CA_CERTIFICATES: pebble.caFile, ...env } },
  );
  const certificateFile = join(path, 'certificates', `${domains[0]!}.crt`);
  return { names: await pebble.namesOf(certificateFile), output: stdout + stderr };
}
