// The layout of each message: facts and a link next to its words. Samples for previews are here too, so that every kind
// has both.
import type { DirectMailKind, EventMailKind } from '#contract/mail/kinds.ts';
import type { EventData } from '#contract/events/events.ts';

export interface Layout {
  /** Values listed below the text, those that are empty left out. */
  readonly facts?: readonly string[];
  /** A path of the panel, or a value that holds a URL. */
  readonly link?: string;
  /** A value on a separate line, such as a key. */
  readonly code?: string;
  /** Values that only the recipient may see. */
  readonly secrets?: readonly string[];
  /** Values with one item per line. */
  readonly list?: string;
  /** A text of several lines that staff wrote. */
  readonly quote?: string;
  /** To staff, who choose no kinds of messages. */
  readonly isForStaff?: true;
  /** To people without an account, who cannot choose either. */
  readonly isForStranger?: true;
}

const service = '/panel/servers/{service}';
const device = { facts: ['hostname', 'time'], link: service };
const signIn = { facts: ['person', 'address', 'time'], link: '/panel/security' };
const key = { facts: ['name', 'scopes', 'previousuntil', 'time'], link: '/panel/keys' };

const maintenance = { facts: ['title', 'start', 'end', 'servers'], quote: 'text', link: '/panel' };
const staffSecurity = '/panel/staff/security';

export const layouts: Readonly<Record<EventMailKind | DirectMailKind, Layout>> = {
  'invoice.issued': { facts: ['invoicenum', 'total', 'duedate'], link: '/panel/invoices' },
  'invoice.overdue': { facts: ['invoicenum', 'total', 'duedate'], link: '/panel/invoices' },
  'invoice.reminder': { facts: ['invoicenum', 'total', 'duedate', 'reminder'], link: '/panel/invoices' },
  'account.vatnumber.rejected': { facts: ['vatnumber'], link: '/panel/tax' },
  'payment.received': { facts: ['amount', 'method', 'reference'], link: '/panel/invoices' },
  'payment.announced': {
    facts: ['amount', 'date', 'invoicenum', 'method', 'mandate', 'creditorid'],
    link: '/panel/invoices',
  },
  'payment.failed': { facts: ['amount', 'invoicenum', 'method', 'reason', 'nexttry'], link: '/panel/invoices' },
  'payment.action': { facts: ['amount', 'invoicenum', 'method'], link: '/panel/invoices' },
  'payment.chargeback': { facts: ['amount', 'invoicenum', 'method', 'reason'], link: '/panel/invoices' },
  'payment.refunded': { facts: ['amount', 'method'], link: '/panel/payments' },
  'paymentmethod.added': { facts: ['method', 'time'], link: '/panel/payments' },
  'paymentmethod.removed': { facts: ['method', 'time'], link: '/panel/payments' },
  'account.suspended': { facts: ['invoicenum'], link: '/panel/invoices' },
  'account.resumed': { link: '/panel' },
  'service.provisioned': { facts: ['hostname', 'product', 'ip'], link: service },
  'service.suspended': device,
  'service.resumed': device,
  'service.cancelled': { facts: ['hostname', 'lastday'], link: service },
  'service.termination.announced': { facts: ['hostname', 'lastday', 'termination'], link: service },
  'service.price.announced': {
    facts: ['hostname', 'plan', 'from', 'oldprice', 'newprice', 'oldhourly', 'newhourly', 'other', 'lastday'],
    link: service,
  },
  'service.price.kept': { facts: ['hostname', 'plan', 'from'], link: service },
  'service.terminated': { facts: ['hostname', 'time'] },
  'device.reclaimed': device,
  'device.reload.completed': { facts: ['hostname', 'system', 'time'], link: service },
  'device.reload.failed': { facts: ['hostname', 'reason', 'time'], link: service },
  'device.password.completed': device,
  'device.password.failed': { facts: ['hostname', 'reason', 'time'], link: service },
  'machine.created': { facts: ['hostname', 'product', 'netblock', 'time'], link: service },
  'machine.deleted': { facts: ['hostname', 'restorableto', 'lastday'], link: '/panel/servers' },
  'machine.resize.failed': { facts: ['hostname', 'plan', 'reason', 'time'], link: service },
  'device.migration.started': device,
  'device.migration.completed': device,
  'device.backup.failing': { facts: ['hostname', 'failures', 'reason', 'time'], link: service },
  'device.maintenance.began': { facts: ['hostname', 'reason', 'time'], link: service },
  'device.maintenance.ended': device,
  'network.attack.started': { facts: ['ip', 'hostname', 'kind', 'time'], link: '/panel/network' },
  'network.attack.ended': { facts: ['ip', 'hostname', 'time'], link: '/panel/network' },
  'network.nullroute.added': { facts: ['ip', 'hostname', 'reason', 'time'], link: '/panel/network' },
  'network.nullroute.removed': { facts: ['ip', 'hostname', 'time'], link: '/panel/network' },
  'network.netblock.assigned': { facts: ['netblock', 'hostname', 'time'], link: service },
  'network.netblock.refused': { facts: ['size', 'hostname', 'reason'], link: service },
  'network.bandwidth.reached': { facts: ['hostname', 'committed', 'used', 'month'], link: service },
  'maintenance.announced': maintenance,
  'maintenance.updated': maintenance,
  'maintenance.cancelled': maintenance,
  'software.fulfilled': { facts: ['license', 'hostname'], code: 'key', secrets: ['key'], link: '/panel/licences' },
  'software.cancelled': { facts: ['license', 'hostname', 'until'], link: '/panel/licences' },
  'dns.zone.withdrawn': { facts: ['name', 'reason', 'time'], link: '/panel/dns' },
  'contact.created': { facts: ['person', 'time'], link: '/panel/contacts' },
  'contact.joined': { facts: ['person', 'time'], link: '/panel/contacts' },
  'key.created': key,
  'key.rotated': key,
  'key.revoked': key,
  'account.signin.unfamiliar': signIn,
  'account.password.changed': signIn,
  'account.factor.added': { ...signIn, facts: ['factor', 'name', ...signIn.facts] },
  'account.factor.removed': { ...signIn, facts: ['factor', 'name', ...signIn.facts] },
  'account.recovery.created': signIn,
  'account.recovery.used': { ...signIn, facts: [...signIn.facts, 'left'] },
  'account.signon.changed': { ...signIn, facts: ['change', 'detail', ...signIn.facts] },
  'account.signin.changed': { facts: ['changed', 'operator', 'reason', 'time'], link: '/panel/security' },
  'account.export.ready': { facts: ['operator', 'until'], link: '/panel/privacy' },
  'account.erasure.requested': { facts: ['operator', 'until'], link: '/panel/privacy' },
  'account.erasure.cancelled': { facts: ['reason', 'time'], link: '/panel/privacy' },
  'support.access.started': { facts: ['operator', 'reason', 'until', 'time'], link: '/panel/security' },
  summary: { list: 'messages', link: '/panel' },
  test: { facts: ['recipient', 'time'], link: '/panel' },
  erased: {},
  recovery: { facts: ['account', 'address', 'until'], link: '/panel/recover#{token}', secrets: ['token'] },
  invitation: { facts: ['account', 'inviter', 'until'], link: '/panel/invitation#{token}', secrets: ['token'] },
  staffrecovery: {
    facts: ['address', 'until'],
    link: '/panel/staff/recover#{token}',
    secrets: ['token'],
    isForStaff: true,
  },
  staffsignin: { facts: ['address', 'time'], link: staffSecurity, isForStaff: true },
  staffchange: { facts: ['change', 'name', 'address', 'time'], link: staffSecurity, isForStaff: true },
  signup: {
    facts: ['address', 'until'],
    link: '/panel/sign-up/verify#{token}',
    secrets: ['token'],
    isForStranger: true,
  },
  signupknown: { facts: ['address', 'time'], link: '/panel/sign-in' },
  signupinvited: { facts: ['until'], link: '/panel/sign-up#{token}', secrets: ['token'], isForStranger: true },
  signupwaiting: { facts: ['person', 'email'], link: '/panel/staff/sign-ups', isForStaff: true },
  signupapproved: { link: '/panel/sign-in' },
  signuprejected: { facts: ['reason'], isForStranger: true },
  chargeback: {
    facts: ['account', 'amount', 'invoicenum', 'reason'],
    link: '/panel/staff/customers/{account}',
    isForStaff: true,
  },
};

const invoice = { invoiceid: '7', invoicenum: 'INV-2026-0007', total: '119.00', duedate: '2026-12-15' };
const payment = { amount: '119.00', invoicenum: 'INV-2026-0007', method: 'Visa •••• 4242, 8/2030' };
const announcement = {
  maintenanceid: '4',
  title: 'Replacement of a switch',
  text: 'We replace a switch in rack B2.\nEach server loses its network for about five minutes.',
  start: '2026-12-06T22:00:00Z',
  end: '2026-12-07T00:00:00Z',
  count: '2',
  servers: ['web1.example.net', 'web2.example.net'],
};
const change = { contactid: '', session: '4', address: '203.0.113.7' };

/** Data of an event of each kind. */
export const samples: { readonly [Kind in EventMailKind]: EventData<Kind> } = {
  'invoice.issued': invoice,
  'invoice.overdue': invoice,
  'invoice.reminder': { ...invoice, reminder: 1 },
  'account.vatnumber.rejected': { vatnumber: 'FR40303265045' },
  'payment.received': { amount: '119.00', method: 'Bank transfer', reference: 'INV-2026-0007' },
  'payment.announced': {
    ...payment,
    method: 'SEPA DE•• •••• 3000',
    date: '2026-12-17',
    mandate: 'HY-20774-12',
    creditorid: 'DE98ZZZ09999999999',
  },
  'payment.failed': { ...payment, reason: 'Your card has insufficient funds.', nexttry: '2026-12-18' },
  'payment.action': payment,
  'payment.chargeback': { ...payment, reason: 'fraudulent' },
  'payment.refunded': { amount: '119.00', method: 'stripe' },
  'paymentmethod.added': { method: payment.method },
  'paymentmethod.removed': { method: payment.method },
  'account.suspended': { invoicenum: 'INV-2026-0007' },
  'account.resumed': {},
  'service.provisioned': {},
  'service.suspended': {},
  'service.resumed': {},
  'service.cancelled': { lastday: '2026-12-31' },
  'service.termination.announced': { lastday: '2026-12-31', termination: '2027-01-01' },
  'service.price.announced': {
    plan: 'Dedicated E3',
    from: '2027-02-01',
    oldprice: '89.00',
    newprice: '95.00',
    oldhourly: '',
    newhourly: '',
    other: ['bandwidth'],
    lastday: '2027-01-31',
  },
  'service.price.kept': { plan: 'Dedicated E3', from: '2027-02-01' },
  'service.terminated': {},
  'device.reclaimed': {},
  'device.reload.completed': { system: 'Debian 13' },
  'device.reload.failed': { reason: 'The installer did not report back within an hour.' },
  'device.password.completed': {},
  'device.password.failed': { reason: 'The server did not boot from the network.' },
  'machine.created': {},
  'machine.deleted': { restorableto: '2026-12-04T12:00:00Z', lastday: '2026-12-31' },
  'machine.resize.failed': { plan: 'VPS medium', previous: 'VPS small', reason: 'The system did not start again.' },
  'device.migration.started': { downtime: 'expected' },
  'device.migration.completed': { downtime: 'expected' },
  'device.backup.failing': { failures: '3', reason: 'The repository did not respond.' },
  'device.maintenance.began': { reason: 'A fan is replaced.' },
  'device.maintenance.ended': {},
  'network.attack.started': { anomaly_id: '12', ip: '192.0.2.10', direction: 'incoming', kind: 'udp_flood' },
  'network.attack.ended': { anomaly_id: '12', ip: '192.0.2.10' },
  'network.nullroute.added': { ip: '192.0.2.10', reason: 'Attack of 12 Gbit/s' },
  'network.nullroute.removed': { ip: '192.0.2.10' },
  'network.netblock.assigned': { netblock: '198.51.100.8/29' },
  'network.netblock.refused': { requestid: '3', size: '/24', reason: 'Please state what the addresses are for.' },
  'network.bandwidth.reached': { threshold: '80', month: '2026-11', committed: '100', used: '81.5' },
  'maintenance.announced': announcement,
  'maintenance.updated': announcement,
  'maintenance.cancelled': announcement,
  'software.fulfilled': { orderid: '5', license: 'cPanel' },
  'software.cancelled': { orderid: '5', license: 'cPanel', until: '2026-12-31' },
  'dns.zone.withdrawn': { domain_id: '9', name: 'example.org', reason: 'proof' },
  'contact.created': { contactid: '21' },
  'contact.joined': { contactid: '21' },
  'key.created': { keyid: '8', name: 'Backup script', scopes: ['device:read', 'network:read'] },
  'key.rotated': { keyid: '8', name: 'Backup script', previousuntil: '2026-12-01T12:00:00Z' },
  'key.revoked': { keyid: '8', name: 'Backup script' },
  'account.signin.unfamiliar': change,
  'account.password.changed': change,
  'account.factor.added': { ...change, factor: 'passkey', name: 'Phone' },
  'account.factor.removed': { ...change, factor: 'authenticator', name: '' },
  'account.recovery.created': change,
  'account.recovery.used': { contactid: '', address: '203.0.113.7', left: '7' },
  'account.signon.changed': { ...change, change: 'provider set', detail: 'https://login.example.com' },
  'account.signin.changed': { changed: ['email'], operator: 'Sam', reason: 'The customer asked for it by letter.' },
  'account.export.ready': { exportid: '3', operator: '', until: '2026-12-08T12:00:00Z' },
  'account.erasure.requested': { until: '2026-12-15T12:00:00Z', operator: '' },
  'account.erasure.cancelled': { reason: '' },
  'support.access.started': {
    accessid: '2',
    operator: 'Sam',
    reason: 'Ticket 4711',
    until: '2026-12-01T12:00:00Z',
  },
};

export const directSamples: Readonly<Record<DirectMailKind, Readonly<Record<string, string>>>> = {
  summary: {
    count: '3',
    messages:
      '10:02 192.0.2.10 is under attack\n10:05 The attack on 192.0.2.10 has ended\n10:09 192.0.2.11 is under attack',
  },
  test: { recipient: 'ada@example.net' },
  erased: { account: '17' },
  recovery: { token: 'sample', account: 'Example Ltd', address: '203.0.113.7', until: '2026-12-01T12:00:00Z' },
  invitation: { token: 'sample', account: 'Example Ltd', inviter: 'Grace Hopper', until: '2026-12-01T12:00:00Z' },
  staffrecovery: { token: 'sample', address: '203.0.113.7', until: '2026-12-01T12:00:00Z' },
  staffsignin: { change: 'sign-in', address: '203.0.113.7', name: '' },
  staffchange: { change: 'passkey added', address: '203.0.113.7', name: 'Phone' },
  signup: { token: 'sample', address: '203.0.113.7', until: '2026-12-01T12:00:00Z' },
  signupknown: { address: '203.0.113.7' },
  signupinvited: { token: 'sample', until: '2026-12-01T12:00:00Z' },
  signupwaiting: { person: 'Grace Hopper', email: 'grace@example.com' },
  signupapproved: {},
  signuprejected: { reason: 'We do not serve your country yet.' },
  chargeback: { account: '12', amount: '119.00', invoicenum: 'INV-2026-0007', reason: 'fraudulent' },
};
