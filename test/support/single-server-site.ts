// A provider with one customer who has one dedicated server behind the given BMC. The BMC's password is in the
// environment, as it should be.
import type { Site } from '#contract/site/site.ts';
import { adaWithKey } from './customer-fixture.ts';
import type { ControllerAccess } from './ipmitool.ts';

export function singleServerSite({ address, port, username, password }: ControllerAccess) {
  const { customer, key } = adaWithKey();
  const site: Site = {
    provider: { name: 'One', currency: { code: 'EUR' } },
    servers: [
      {
        name: 'dc01r01ds01',
        bmc: { driver: 'ipmi', settings: { address, port, username, password: { env: 'BMC_PASSWORD' } } },
      },
    ],
    customers: [customer],
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
