import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { cryptMatches } from '#lib/crypt-hash.ts';
import { hostsFile, keyFile, networkFiles, resolverFile, seedFiles, shadowFile } from './guest-files.ts';
import { parseSize } from './instances.ts';

const network = {
  addresses: [
    { address: '192.0.2.10', prefixLength: 24, gateway: '192.0.2.1' },
    { address: '198.51.100.7', prefixLength: 32 },
    { address: '2001:db8::10', prefixLength: 64, gateway: 'fe80::1' },
  ],
  nameServers: ['192.0.2.53', '2001:db8::53'],
};
const textOf = (path: string, etc: readonly string[]) =>
  networkFiles(network, etc).find((file) => file.path === path)?.text;

describe('the shadow file', () => {
  const nowMs = Date.UTC(2026, 10, 15);

  it("gets today's password for root and keeps all other users", () => {
    const { text } = shadowFile('daemon:*:1:0:99999:7:::\nroot:!:0:1:2:3:4:5:6\nann:$6$x$y:2::::::\n', 'secret', nowMs);
    const [root, ...others] = text.split('\n');
    const [name, hash, changed, ...rest] = root!.split(':');
    assert.deepEqual([name, changed, rest], ['root', '20772', ['1', '2', '3', '4', '5', '6']]);
    assert.ok(cryptMatches('secret', hash!));
    assert.deepEqual(others, ['daemon:*:1:0:99999:7:::', 'ann:$6$x$y:2::::::', '']);
  });

  it('is created if missing', () => {
    assert.match(shadowFile(undefined, 'secret', nowMs).text, /^root:\$6\$[^:]+:20772:0:99999:7:::\n$/);
  });
});

describe('choices of the customer', () => {
  it('is in files that only root can read', () => {
    const keys = keyFile(['ssh-ed25519 AAAA one', 'ssh-rsa BBBB two']);
    assert.deepEqual([keys.text, keys.mode], ['ssh-ed25519 AAAA one\nssh-rsa BBBB two\n', '0600']);
    const files = seedFiles('s-1', 'web.example.com', '#cloud-config\npassword: secret\n');
    assert.deepEqual(
      files.map(({ path, mode }) => [path, mode]),
      ['meta-data', 'user-data'].map((name) => [`/var/lib/cloud/seed/nocloud-net/${name}`, '0600']),
    );
    assert.match(files[0]!.text, /instance-id: s-1\nlocal-hostname: web\.example\.com/);
  });
});

describe('the hosts file', () => {
  it('names the system once, however often it is renamed', () => {
    const hosts = hostsFile('127.0.0.1 localhost\n::1 localhost\n\n', 'web.example.com').text;
    assert.equal(hosts, '127.0.0.1 localhost\n::1 localhost\n127.0.1.1\tweb.example.com web\n');
    assert.equal(hostsFile(hosts, 'db').text, '127.0.0.1 localhost\n::1 localhost\n127.0.1.1\tdb\n');
    assert.equal(hostsFile(undefined, 'db').text, '127.0.0.1\tlocalhost\n127.0.1.1\tdb\n');
  });
});

describe('the network configuration', () => {
  it('uses the tools that the system has', () => {
    const paths = (...etc: string[]) => networkFiles(network, etc).map(({ path }) => path);
    assert.deepEqual(paths('passwd'), []);
    assert.deepEqual(paths('network'), ['/etc/network/interfaces']);
    assert.deepEqual(paths('systemd'), ['/etc/systemd/network/05-hostyard.network']);
    assert.deepEqual(paths('systemd', 'netplan', 'cloud'), [
      '/etc/netplan/90-hostyard.yaml',
      '/etc/cloud/cloud.cfg.d/99-hostyard.cfg',
    ]);
  });

  it('contains all addresses and gateways, for each tool', () => {
    assert.equal(
      textOf('/etc/network/interfaces', ['network']),
      `auto lo
iface lo inet loopback

auto eth0
iface eth0 inet static
	address 192.0.2.10
	netmask 255.255.255.0
	up ip route replace default via 192.0.2.1 dev eth0 onlink

iface eth0 inet static
	address 198.51.100.7
	netmask 255.255.255.255

iface eth0 inet6 static
	address 2001:db8::10
	netmask 64
	up ip -6 route replace default via fe80::1 dev eth0 onlink
`,
    );
    assert.equal(
      textOf('/etc/systemd/network/05-hostyard.network', ['systemd']),
      `[Match]
Name=eth0

[Network]
DHCP=no
Address=192.0.2.10/24
Address=198.51.100.7/32
Address=2001:db8::10/64
DNS=192.0.2.53
DNS=2001:db8::53

[Route]
Gateway=192.0.2.1
GatewayOnLink=yes

[Route]
Gateway=fe80::1
GatewayOnLink=yes
`,
    );
    const { network: plan } = JSON.parse(textOf('/etc/netplan/90-hostyard.yaml', ['netplan'])!) as {
      network: { ethernets: { eth0: { addresses: string[]; routes: { via: string }[] } } };
    };
    assert.deepEqual(plan.ethernets.eth0.addresses, ['192.0.2.10/24', '198.51.100.7/32', '2001:db8::10/64']);
    assert.deepEqual(
      plan.ethernets.eth0.routes.map(({ via }) => via),
      ['192.0.2.1', 'fe80::1'],
    );
    assert.equal(resolverFile(network.nameServers).text, 'nameserver 192.0.2.53\nnameserver 2001:db8::53\n');
  });
});

describe('sizes as LXD writes them', () => {
  it('are read in binary and decimal units only', () => {
    assert.deepEqual(['512MiB', '1GB', '7', '2 TiB', '50%', '', 'MiB', '1XB'].map(parseSize), [
      512 * 2 ** 20,
      1e9,
      7,
      2 ** 41,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(parseSize(undefined), undefined);
    fc.assert(fc.property(fc.string(), (text) => void parseSize(text)));
    fc.assert(fc.property(fc.nat(), (amount) => assert.equal(parseSize(`${amount}MiB`), amount * 2 ** 20)));
  });
});
