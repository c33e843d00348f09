// A provider with one customer who has one dedicated server, behind a controller of the caller's choice. The controller's
// password stands in the environment, as it should.
import type { Site } from '#contract/site.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { ada } from './ada.ts';
import type { ControllerAccess } from './ipmitool.ts';

export function oneServerSite({ address, port, username, password }: ControllerAccess) {
  const { text: key, printableId: id, secretHash } = makeKeyText();
  const site: Site = {
    provider: { name: 'One', currency: { code: 'EUR' } },
    servers: [
      {
        name: 'dc01r01ds01',
        bmc: { driver: 'ipmi', settings: { address, port, username, password: { env: 'BMC_PASSWORD' } } },
      },
    ],
    customers: [
      {
        ...ada,
        keys: [{ name: 'own', id, hash: secretHash.toString('hex'), scopes: ['all'] }],
      },
    ],
    services: [
      {
        id: 1001,
        customer: 1,
        type: 'dedicated',
        name: 'Server',
        hostname: 'web1.example.net',
        ip: '203.0.113.10',
        server: 'dc01r01ds01',
      },
    ],
  };
  return { site, env: { BMC_PASSWORD: password }, key, service: '1001', server: 'dc01r01ds01' };
}
