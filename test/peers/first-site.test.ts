// docs/tutorials/first-site.md, followed literally: every command of the page in order, in an empty folder, with the
// example's site file. Only its addresses are replaced by those of real daemons, which are checked at the end.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import type { Site } from '#contract/site/site.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { startIpmiSim, type IpmiSim } from '#test/support/ipmi-sim.ts';
import { needsLibvirt, startLibvirt, type LibvirtNode } from '#test/support/libvirt.ts';
import { needs } from '#test/support/needs.ts';
import { blocksOf, root } from '#test/support/pages.ts';
import { startPowerDns, type PowerDns } from '#test/support/powerdns.ts';
import { needsSnmpd, startSnmpd, type Snmpd } from '#test/support/snmpd.ts';
import { followPages } from '#test/support/walkthrough.ts';

const page = 'docs/tutorials/first-site.md';

interface Equipment {
  readonly controllers: readonly [IpmiSim, IpmiSim];
  readonly device: Snmpd;
  readonly names: PowerDns;
  readonly node: LibvirtNode;
}

const editing = 'cp edited.yaml hostyard.yaml';

/** The example with real addresses, as a reader would fill in theirs. */
function ownAddresses(example: string, { controllers, device, names, node }: Equipment): string {
  const site = parse(example) as Required<Site>;
  const [server] = site.servers;
  assert.equal(site.servers.length, 2);
  site.servers.forEach(({ bmc }, index) => {
    const { address, port, username } = controllers[index]!;
    Object.assign(bmc.settings, { address, port, username });
  });
  server!.ports = [{ switch: 'dc01sw01', ifIndex: device.ports[0]!.ifIndex }];
  site.servers[1]!.ports = [{ switch: 'dc01sw01', ifIndex: device.ports[1]!.ifIndex }];
  Object.assign(site.switches[0]!.settings, { address: device.address, port: device.port });
  Object.assign(site.nameserver.powerdns!, { url: names.apiUrl });
  site.nodes[0]!.settings = { socket: node.socket, pool: node.pool, bridge: node.bridge, accelerator: 'tcg' };
  site.templates[0]!.source = node.template;
  Object.assign(site.services[2]!.machine!, { memoryMb: 128, diskGb: 1 });
  return stringify(site);
}

const suite = {
  ...needs('ipmi_sim', 'pdns_server', 'dig', 'curl', 'bash', 'unshare'),
  ...needsSnmpd(),
  ...needsLibvirt(),
};

test('a newcomer gets from an empty folder to power, DNS and a virtual machine by the page alone', suite, async () => {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('first-site')).path;
  const equipment: Equipment = {
    controllers: [owned.use(await startIpmiSim()), owned.use(await startIpmiSim())],
    device: owned.use(await startSnmpd()),
    names: owned.use(await startPowerDns()),
    node: owned.use(await startLibvirt()),
  };
  const { controllers, device, names, node } = equipment;
  const at = (name: string): string => join(folder, name);
  writeFileSync(
    at('edited.yaml'),
    ownAddresses(readFileSync(join(root, 'examples/first-site.yaml'), 'utf8'), equipment),
  );
  const secrets = {
    BMC_PASSWORD: controllers[0].password,
    SNMP_COMMUNITY: device.community,
    PDNS_API_KEY: names.apiKey,
  };
  writeFileSync(
    at('secrets.env'),
    Object.entries(secrets)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );

  const blocks = blocksOf(page).filter(({ language }) => language === 'sh');
  const copied = blocks.find(({ text }) => text.startsWith('cp '))!;
  const environment = {
    enter: `cd ${folder}`,
    namespaces: [],
    env: { HOME: folder, HOSTYARD: root, HOSTYARD_LISTEN: '127.0.0.1:0' },
  };
  const walkthrough = await followPages(
    { pages: [blocks], hands: { actionsAfter: { [copied.text.trim()]: editing } } },
    environment,
  );
  const log = (): string => readFileSync(at('hostyard.log'), { encoding: 'utf8', flag: 'a+' });
  assert.equal(walkthrough.failureOf(page), undefined, `${walkthrough.failureOf(page)}\n${log()}`);
  const output = blocks.map(walkthrough.outputOf).join('');

  assert.match(output, /^The file is valid\.$/m);
  for (const kind of ['controllers', 'switches', 'nodes', 'name server'])
    assert.match(output, new RegExp(`^ok +${kind} `, 'm'), output);
  assert.doesNotMatch(output, /^FAULT/m);
  assert.match(output, /web1\.example\.com[^]*vps1\.example\.com/);

  assert.ok((await controllers[0].chassisLog()).includes('power 1'), 'the first server was powered on');
  assert.ok(!(await controllers[1].chassisLog()).includes('power 1'), 'the second was not');
  const query = [`@${names.address}`, '-p', String(names.port), '+short', 'www.example.org', 'A'];
  assert.equal((await promisify(execFile)('dig', query)).stdout, '203.0.113.10\n');
  assert.equal(await node.virsh('domstate', 'vm-101'), 'shut off');
  assert.match(output, /"result":"on"/);
});
