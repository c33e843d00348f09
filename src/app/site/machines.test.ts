import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteProblems } from '#test/support/site-problems.ts';

const site = (nodes: string, machine: string): string => `
provider: { name: Test, currency: { code: EUR } }
templates:
  - { name: Debian, value: debian, type: Xen, source: debian-12 }
  - { name: Again, value: debian, type: OpenVZ, source: debian-box }
nodes:
${nodes}
customers:
  - { id: 1, firstname: Ada, lastname: Winter, email: a@example.net, address1: Street 1, city: Delft, state: Holland, postcode: 1A, country: NL }
services:
  - { id: 1, customer: 1, type: vps, name: VPS, hostname: a.example.net, ip: 192.0.2.1, vmid: 101, machine: ${machine} }
`;
const shape = 'vcpus: 1, memoryMb: 512, diskGb: 10, bandwidthGb: 100';

test('problems with nodes, templates and machines are reported with their line', () => {
  const nodes = `
  - { name: one, driver: lab, settings: { address: 127.0.0.1, port: 1, token: secret } }
  - { name: one, driver: lab, settings: { address: here, port: 1, token: secret } }
  - { name: two, driver: vmware, settings: {} }`;
  const problems = siteProblems(site(nodes, `{ ${shape}, template: windows, node: three }`));
  assert.deepEqual(
    problems.map((problem) => problem.replace(/; available: .*$/, '')),
    [
      '5:20 template debian is defined twice; give each template its own value',
      '9:7 node one is defined twice; give each node its own name',
      '9:43 address must be an IPv4 or IPv6 address',
      '10:18 unknown driver vmware',
      '14:166 unknown template windows; add it under templates',
      '14:185 unknown node three; add it under nodes',
    ],
  );
});

test('what a template needs and what is adopted must make sense', () => {
  const node = '  - { name: one, driver: lab, settings: { address: 127.0.0.1, port: 1, token: secret } }';
  const text = site(node, `{ ${shape}, template: debian, adopt: web1 }`)
    .replace('type: Xen, source: debian-12', 'type: Xen, source: debian-12, secureBoot: true')
    .replace('value: debian, type: OpenVZ', 'value: box, type: OpenVZ, tpm: true');
  assert.deepEqual(siteProblems(text), [
    '4:66 secure boot needs UEFI; set firmware to uefi',
    '5:5 a container has no firmware and no TPM; remove firmware, secureBoot and tpm or change type',
    '11:184 a machine is adopted from a node; add node',
  ]);
});

test('the schema of a machine is checked', () => {
  const nodes = '  - { name: one, driver: lab, settings: { address: 127.0.0.1, port: 1, token: secret } }';
  const [missing, ...more] = siteProblems(
    site(nodes, '{ vcpus: 0, memoryMb: 512, bandwidthGb: 100, template: debian }'),
  );
  assert.match(String(missing), /diskGb is missing/);
  assert.match(more.join(), /vcpus/);
});
