// The configuration that we write for dnsmasq, read by dnsmasq.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { dnsmasqConfiguration } from '#app/reload/install/dnsmasq.ts';
import { findBinary, needs } from '#test/support/needs.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const settings = {
  url: 'http://192.0.2.1:8090',
  tftpAddress: '192.0.2.1',
  network: '192.0.2.0',
  netmask: '255.255.255.0',
  gateway: '192.0.2.254',
  hosts: [{ macs: ['52:54:00:00:00:01', '52:54:00:00:00:02'], address: '192.0.2.21' }],
  firmware: { bios: 'undionly.kpxe', uefi: 'snponly.efi' },
};

describe('dnsmasq', needs('dnsmasq'), () => {
  const check = async (text: string): Promise<string> => {
    await using folder = await temporaryFolder('dnsmasq');
    const file = join(folder.path, 'hostyard.conf');
    await writeFile(file, text);
    const { stderr } = await run(findBinary('dnsmasq')!, ['--test', `--conf-file=${file}`]);
    return stderr;
  };

  it('accepts our configuration, whether it assigns addresses or another server does', async () => {
    const own = dnsmasqConfiguration({ ...settings, range: { first: '192.0.2.100', last: '192.0.2.200' } });
    const proxy = dnsmasqConfiguration({ ...settings, range: undefined });
    assert.match(await check(own), /syntax check OK/);
    assert.match(await check(proxy), /syntax check OK/);
    assert.match(own, /^dhcp-boot=tag:ipxe,http:\/\/192\.0\.2\.1:8090\/boot\/first\.ipxe$/m);
    assert.match(own, /^dhcp-host=52:54:00:00:00:01,52:54:00:00:00:02,192\.0\.2\.21$/m);
    assert.match(proxy, /^dhcp-range=192\.0\.2\.0,proxy,/m);
    await assert.rejects(check(`${own}dhcp-boats=1\n`), /bad option/);
  });

  it('accepts what the command prints for a site', async () => {
    await using folder = await temporaryFolder('site');
    const site = join(folder.path, 'site.yaml');
    const server = (number: number, identity: string): string =>
      `  - { name: dc01r01ds0${number}, ${identity}, bmc: { driver: ipmi, settings: { address: 192.0.2.${number}, username: a, password: b } } }`;
    await writeFile(
      site,
      `provider: { name: One, currency: { code: EUR } }
boot: { listen: '0.0.0.0:8090', tftp: '0.0.0.0:69', url: 'http://192.0.2.1:8090/' }
servers:
${server(1, "macs: ['52:54:00:00:00:02', '52:54:00:00:00:01'], bootAddress: 192.0.2.21")}
${server(2, "macs: ['52:54:00:00:00:03'], bootAddress: 198.51.100.1")}
${server(3, "macs: ['52:54:00:00:00:04']")}
`,
    );
    const hostyard = async (...args: string[]): Promise<string> => {
      const env = { ...process.env, HOSTYARD_DATA: join(folder.path, 'data') };
      const { stdout } = await run(process.execPath, ['bin/hostyard.js', ...args], { cwd: root, env });
      return stdout;
    };
    await hostyard('apply', site);
    const range = { first: '192.0.2.100', last: '192.0.2.200' };
    const options = [
      '--network',
      '192.0.2.7/24',
      '--gateway',
      settings.gateway,
      '--range',
      Object.values(range).join(','),
    ];
    const printed = await hostyard('dnsmasq', ...options);
    assert.equal(printed, dnsmasqConfiguration({ ...settings, range }));
    assert.match(await check(printed), /syntax check OK/);
  });
});
