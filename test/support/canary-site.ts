// A site file with a canary in place of every secret that a site file can have. Nothing listens at any of its addresses.
import { generateKeyPairSync } from 'node:crypto';
import type { Site } from '#contract/site/site.ts';
import { createKeyText } from '#lib/key-text.ts';
import { canary } from './canaries.ts';
import { ada } from './customer-fixture.ts';

/** Of the only customer. */
export const canaryKey = createKeyText();
export const canaryDkimKey = generateKeyPairSync('rsa', { modulusLength: 1024 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const standardWebhooks = (number: number): string =>
  `whsec_${Buffer.from(canary(number).repeat(4)).toString('base64')}`;
const nowhere = (last: number) => ({ address: `127.0.0.${last}`, port: 9 });

export const canarySite: Site = {
  provider: {
    name: 'Canaries',
    currency: { code: 'EUR' },
    seller: { name: 'Canaries', address1: 'Street 1', city: 'Tilburg', postcode: '5041', country: 'NL' },
    payments: {
      panel: 'https://panel.example.net',
      stripe: { url: 'http://127.0.0.1:9', secretKey: `sk_test_${canary(28)}`, webhookSecret: `whsec_${canary(29)}` },
    },
  },
  servers: [
    {
      name: 'dc01r01ds01',
      outlets: [
        { pdu: 'pdu1', outlet: 1 },
        { pdu: 'pdu2', outlet: 1 },
      ],
      bmc: {
        driver: 'ipmi',
        settings: {
          ...nowhere(1),
          username: 'admin',
          password: canary(1),
          kg: canary(2),
          redfish: { ...nowhere(2), username: 'admin', password: canary(3) },
        },
      },
    },
    {
      name: 'dc01r01ds02',
      bmc: { driver: 'redfish', settings: { ...nowhere(3), username: 'admin', password: canary(4) } },
    },
  ],
  switches: [
    {
      name: 'sw1',
      driver: 'snmp',
      settings: { ...nowhere(4), timeoutMs: 50, version: '2c', community: canary(5) },
      ports: [{ ifIndex: 1, service: 1001 }],
    },
    {
      name: 'sw2',
      driver: 'snmp',
      settings: {
        ...nowhere(5),
        timeoutMs: 50,
        version: '3',
        username: 'admin',
        authentication: { protocol: 'SHA', password: canary(6) },
        privacy: { protocol: 'AES', password: canary(7) },
      },
      ports: [{ ifIndex: 1, service: 1002 }],
    },
  ],
  pdus: [
    {
      name: 'pdu1',
      driver: 'snmp',
      settings: { ...nowhere(7), timeoutMs: 50, model: 'apc-rpdu2', version: '2c', community: canary(18) },
    },
    {
      name: 'pdu2',
      driver: 'snmp',
      settings: {
        ...nowhere(8),
        timeoutMs: 50,
        model: 'eaton-epdu',
        version: '3',
        username: 'admin',
        authentication: { protocol: 'SHA', password: canary(19) },
        privacy: { protocol: 'AES', password: canary(20) },
      },
    },
  ],
  nodes: [
    { name: 'node1', driver: 'lab', settings: { ...nowhere(6), token: canary(8) } },
    {
      name: 'node2',
      driver: 'lxd',
      settings: {
        url: 'https://127.0.0.1:9',
        certificate: '-----BEGIN CERTIFICATE-----',
        key: `-----BEGIN ${canary(9)}`,
        pool: 'default',
      },
    },
  ],
  templates: [{ name: 'Debian', value: 'debian-12', type: 'OpenVZ', source: 'debian/12' }],
  nameserver: {
    names: ['ns1.example.net'],
    powerdns: { url: 'http://127.0.0.1:9', apiKey: canary(11), timeoutSeconds: 1 },
  },
  mail: {
    from: 'billing@example.net',
    relays: [{ host: '127.0.0.1', port: 9, security: 'none', username: 'hostyard', password: canary(21) }],
    dkim: { domain: 'example.net', selector: 'one', privateKey: canaryDkimKey },
  },
  signOn: {
    issuer: 'https://127.0.0.1:9',
    clientId: 'hostyard',
    clientSecret: canary(22),
    roles: [{ value: 'noc', role: 'engineer' }],
  },
  webhooks: { allow: ['127.0.0.0/8'] },
  licenceHook: { url: 'http://127.0.0.1:9', secret: canary(12) },
  invoiceDelivery: {
    driver: 'access-point',
    url: 'https://127.0.0.1:9',
    token: canary(27),
    hookSecret: standardWebhooks(31),
  },
  backups: {
    repository: {
      driver: 'sftp',
      path: '/backups',
      host: '127.0.0.1',
      port: 9,
      user: 'backup',
      key: canary(41),
      hostKey: 'ssh-ed25519 AAAA',
      secretAccessKey: canary(42),
    },
  },
  billing: { hooks: [{ name: 'bank', secret: standardWebhooks(13) }] },
  detectors: [
    {
      name: 'watch',
      secret: standardWebhooks(14),
      redis: { url: `redis://:${encodeURIComponent(canary(15))}@127.0.0.1:9`, prefix: 'fastnetmon' },
    },
  ],
  customers: [
    {
      ...ada,
      keys: [{ name: 'own', id: canaryKey.printableId, hash: canaryKey.secretHash.toString('hex'), scopes: ['all'] }],
    },
  ],
  services: [
    {
      id: 1001,
      customer: 1,
      type: 'dedicated',
      name: 'S',
      hostname: 'a.example.net',
      ip: '203.0.113.10',
      server: 'dc01r01ds01',
    },
    {
      id: 1002,
      customer: 1,
      type: 'dedicated',
      name: 'S',
      hostname: 'b.example.net',
      ip: '203.0.113.11',
      server: 'dc01r01ds02',
    },
    {
      id: 2001,
      customer: 1,
      type: 'vps',
      name: 'V',
      hostname: 'v.example.net',
      ip: '203.0.113.12',
      vmid: 101,
      machine: { vcpus: 1, memoryMb: 512, diskGb: 10, bandwidthGb: 100, template: 'debian-12', node: 'node2' },
    },
  ],
};

/** The same with the built-in name server instead of PowerDNS. */
export const canaryTransferSite: Site = {
  ...canarySite,
  nameserver: {
    names: ['ns1.example.net'],
    listen: '127.0.0.1:0',
    transfer: {
      keys: [{ name: 'key.example.net', algorithm: 'hmac-sha256', secret: Buffer.from(canary(10)).toString('base64') }],
    },
  },
};
