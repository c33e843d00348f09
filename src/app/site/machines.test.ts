// What is wrong with nodes, templates and machines of a site file is told with line and column.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSite, SiteError } from './file.ts';

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

function faultsOf(text: string): string[] {
  try {
    readSite(text, 'site.yaml');
    return [];
  } catch (error) {
    assert.ok(error instanceof SiteError);
    return error.faults.map(({ line, message }) => `${line}: ${message}`);
  }
}

test('nodes, templates and machines that cannot be are told', () => {
  const nodes = `
  - { name: one, driver: lab, settings: { address: 127.0.0.1, port: 1, token: secret } }
  - { name: one, driver: lab, settings: { address: here, port: 1, token: secret } }
  - { name: two, driver: vmware, settings: {} }`;
  const faults = faultsOf(site(nodes, `{ ${shape}, template: windows, node: three }`));
  assert.deepEqual(
    faults.map((fault) => fault.replace(/; there is .*$/, '')),
    [
      '5: template debian is there twice',
      '9: node one is there twice',
      '9: address must be an IPv4 or IPv6 address',
      '10: there is no driver vmware',
      '14: there is no template windows',
      '14: there is no node three',
    ],
  );
});

test('the shape of a machine is checked', () => {
  const nodes = '  - { name: one, driver: lab, settings: { address: 127.0.0.1, port: 1, token: secret } }';
  const [missing, ...more] = faultsOf(site(nodes, '{ vcpus: 0, memoryMb: 512, bandwidthGb: 100, template: debian }'));
  assert.match(String(missing), /diskGb is missing/);
  assert.match(more.join(), /vcpus/);
});
