// All types of events, with the shape of their data. The table is closed: `appendEvent` accepts only these. A shape may
// gain members; a breaking change gets the next version number, which every event carries. Ids are strings, and data
// never contains secrets, because events are stored and sent out.
import { Type, type Static } from 'typebox';
import { event } from './event.ts';
import { machineEvents } from './machine-events.ts';
import { priceEvents } from './price-events.ts';
import { deliveryStates } from '../shapes/invoice-delivery.ts';
import { withdrawalReason } from '../shapes/dns.ts';
import { faultSeverities, sensorKinds } from '../shapes/sensors.ts';
import { signOnChanges } from '../shapes/sign-on.ts';
import { supportEndings } from '../shapes/support.ts';
import { described, text } from '../shapes/text.ts';

const changed = Type.Array(text, { description: 'Names of the changed fields' });

const Nothing = Type.Object({});
const Reason = Type.Object({ reason: text });
const System = Type.Object({ system: described('The value of the system to install') });
const signInChange = {
  contactid: described('The person; empty for the account itself'),
  session: described('The session in which it was done, as in `key` of the audit log'),
  address: described('The IP address it was done from'),
};
const factor = {
  factor: Type.Enum(['authenticator', 'passkey']),
  name: described('The name of a passkey; empty for an authenticator app'),
};
const supportAccess = { accessid: text, operator: described('The member of staff') };
export const ZoneData = Type.Object({ domain_id: text, name: text });
const AliasData = Type.Object({ domain_id: text, name: text, target: text });
export const RecordData = Type.Object({ id: text, domain_id: text, name: text, type: text, content: text, ttl: text });
/** The provider's own message, if its site file has one for this type. */
const message = {
  message: Type.Optional(
    Type.Object({ subject: text, text }, { description: 'The provider’s message to the customer' }),
  ),
};
export const InvoiceData = Type.Object({
  invoiceid: text,
  invoicenum: text,
  total: described('Decimal with two places'),
  duedate: described('YYYY-MM-DD'),
  ...message,
});

const PaymentData = Type.Object({
  amount: described('Decimal with two places'),
  invoicenum: described('Empty for a top-up'),
  method: described('The payment method, as shown to customers'),
});

const maintenance = Type.Object({
  maintenanceid: text,
  title: text,
  text,
  start: described('Time in UTC'),
  end: described('Time in UTC'),
  count: described('How many services of the account it affects'),
  servers: Type.Array(text, { description: 'Their host names; only the first ones if there are many' }),
});

export const eventKinds = {
  'invoice.delivery.changed': event(
    'An e-invoice was sent through the network, delivered, or rejected',
    Type.Object({
      invoiceid: text,
      invoicenum: text,
      state: Type.Enum(deliveryStates),
      reason: described('Why it was rejected; empty otherwise'),
    }),
  ),
  'account.vatnumber.confirmed': event(
    'The register confirmed the VAT number of the account',
    Type.Object({ vatnumber: text }),
  ),
  'account.vatnumber.rejected': event(
    'The register does not know the VAT number of the account; VAT is charged',
    Type.Object({ vatnumber: text }),
  ),
  'contact.created': event('A contact was created', Type.Object({ contactid: text })),
  'contact.invited': event('A contact was invited to sign in', Type.Object({ contactid: text })),
  'contact.joined': event('A contact accepted the invitation to sign in', Type.Object({ contactid: text })),
  'contact.updated': event('A contact or its settings were updated', Type.Object({ contactid: text, changed })),
  'contact.deleted': event('A contact was deleted', Type.Object({ contactid: text })),
  'key.created': event(
    'An API key or a TSIG key was created',
    Type.Object({ keyid: text, name: text, scopes: Type.Array(text) }),
  ),
  'key.updated': event('An API key was updated', Type.Object({ keyid: text, name: text, changed })),
  'key.rotated': event(
    'An API key was rotated; the old secret keeps working for a while',
    Type.Object({
      keyid: text,
      name: text,
      previousuntil: described('When the old secret stops working, ISO 8601'),
    }),
  ),
  'key.revoked': event('An API key was revoked, or a TSIG key deleted', Type.Object({ keyid: text, name: text })),
  'account.signin.unfamiliar': event(
    'Someone signed in to the account from a network that they had not used before',
    Type.Object(signInChange),
  ),
  'account.factor.added': event(
    'Someone on the account set up an authenticator app or a passkey',
    Type.Object({ ...signInChange, ...factor }),
  ),
  'account.factor.removed': event(
    'Someone on the account removed their authenticator app or a passkey',
    Type.Object({ ...signInChange, ...factor }),
  ),
  'account.recovery.created': event('Someone on the account created recovery codes', Type.Object(signInChange)),
  'account.recovery.used': event(
    'Someone signed in to the account with a recovery code instead of their authenticator app',
    Type.Object({
      contactid: signInChange.contactid,
      address: signInChange.address,
      left: described('Number of recovery codes left'),
    }),
  ),
  ...machineEvents,
  'sshkey.created': event(
    'An SSH key was saved for installations',
    Type.Object({ sshkeyid: text, name: text, fingerprint: text }),
  ),
  'sshkey.deleted': event('A saved SSH key was deleted', Type.Object({ sshkeyid: text })),
  'account.password.changed': event('Someone on the account changed their password', Type.Object(signInChange)),
  'account.export.ready': event(
    'An archive of everything about the account is ready',
    Type.Object({
      exportid: text,
      operator: described('The member of staff who requested it; empty if the owner did'),
      until: described('When it is deleted, ISO 8601'),
    }),
  ),
  'account.erasure.requested': event(
    'The erasure of the account was requested',
    Type.Object({
      until: described('The deadline for cancelling it, ISO 8601'),
      operator: described('The member of staff who requested it; empty if the owner did'),
    }),
  ),
  'account.erasure.cancelled': event(
    'The erasure of the account was cancelled',
    Type.Object({ reason: described('Why, if it was not cancelled by a person') }),
  ),
  'account.signon.changed': event(
    'The account’s identity provider, or one of its domains, was changed',
    Type.Object({
      ...signInChange,
      change: Type.Enum(signOnChanges),
      detail: described('The issuer or the domain'),
    }),
  ),
  'account.signin.changed': event(
    'The provider’s staff changed how the account signs in',
    Type.Object({
      changed: Type.Array(Type.Enum(['email', 'password', 'secondfactors'])),
      operator: described('The member of staff'),
      reason: text,
    }),
  ),
  'support.access.started': event(
    'A member of the provider’s staff signed in as the account, to view it',
    Type.Object({ ...supportAccess, reason: text, until: described('When it ends, ISO 8601') }),
  ),
  'support.access.ended': event(
    'A support access ended before its time',
    Type.Object({ ...supportAccess, endedby: Type.Enum(supportEndings) }),
  ),
  'device.power.changed': event(
    'A device was powered on or off, by command or otherwise',
    Type.Object({
      state: Type.Enum(['on', 'off']),
      source: Type.Enum(['command', 'query', 'sync', 'outlets'], {
        description: 'How it was observed; outlets: by a command to the power strip, because the BMC did not respond',
      }),
    }),
  ),
  'device.hardware.failed': event(
    'The BMC reports that a part of a server is broken or about to fail',
    Type.Object({
      sensor: described('As in `GET /v2/device/sensors/{service}`'),
      kind: Type.Enum(sensorKinds),
      severity: Type.Enum(faultSeverities),
      detail: described('The problem as reported by the BMC'),
    }),
  ),
  'device.hardware.recovered': event(
    'A broken part of a server works again, or was removed',
    Type.Object({ sensor: text, kind: Type.Enum(sensorKinds) }),
  ),
  'device.hostname.changed': event('The host name of a device was changed', Type.Object({ hostname: text })),
  'device.labels.changed': event('The labels of a device were changed', Type.Object({ labels: Type.Array(text) })),
  'device.staff.acted': event(
    'A member of the provider’s staff operated a device',
    Type.Object({
      operation: described('The operation of version 2, such as devicePowerSet'),
      action: described('For a power command: on, off, reboot or cycle; otherwise empty'),
      operator: described('The member of staff'),
      reason: text,
    }),
  ),
  'device.reload.started': event('A reload of the operating system started', System),
  'device.reload.progress': event(
    'A reload made progress',
    Type.Object({ status: described('As returned by PUT /v2/device/reload') }),
  ),
  'device.reload.completed': event('A reload completed; the server runs its new system', System),
  'device.reload.failed': event('A reload failed; the server boots its disk again', Reason),
  'device.reload.cancelled': event('A reload was cancelled; the server boots its disk again', Nothing),
  'device.rescue.started': event('A server is booting into the rescue system', Nothing),
  'device.rescue.completed': event('The rescue system is running', Nothing),
  'device.rescue.failed': event('The rescue system did not start; the server boots its disk again', Reason),
  'device.rescue.cancelled': event(
    'The start of the rescue system was cancelled; the server boots its disk again',
    Nothing,
  ),
  'device.rescue.ended': event('A server left the rescue system and boots its disk again', Nothing),
  'device.password.started': event('A reset of the root password started', Nothing),
  'device.password.completed': event('The root password was reset; the server boots its disk again', Nothing),
  'device.password.failed': event('The reset of the root password failed; the server boots its disk again', Reason),
  'device.password.cancelled': event('The reset of the root password was cancelled', Nothing),
  'device.image.mounted': event('An ISO image was mounted', Type.Object({ image: text })),
  'device.image.unmounted': event('An ISO image was unmounted', Type.Object({ image: text })),
  'dns.zone.created': event('A zone was created', ZoneData),
  'dns.zone.changed': event(
    'A zone was replaced by a zone file or an earlier version, or several of its records were deleted',
    Type.Object({
      domain_id: text,
      name: text,
      serial: text,
      added: Type.Integer(),
      removed: Type.Integer(),
      changed: Type.Optional(
        Type.Integer({
          description: 'How many of the added and removed records are changed records; absent in older events',
        }),
      ),
    }),
  ),
  'dns.zone.deleted': event('A zone was deleted', ZoneData),
  'dns.zone.withdrawn': event(
    'A zone was withdrawn from the account; its records can still be exported by its id',
    Type.Interface([ZoneData], { reason: withdrawalReason }),
  ),
  'dns.dnssec.changed': event(
    'Signing of a zone was enabled or disabled, or one of its keys changed; `ds` is what the parent zone should have',
    Type.Interface([ZoneData], {
      change: Type.Enum([
        'enabled',
        'disabled',
        'ds_withdrawn',
        'rollover_started',
        'rollover_ds',
        'rollover_completed',
        'rollover_cancelled',
      ]),
      ds: Type.Array(text),
    }),
  ),
  'dns.alias.failed': event(
    'The target of an ALIAS record cannot be resolved; its last addresses are still served',
    Type.Interface([AliasData], { reason: text }),
  ),
  'dns.alias.recovered': event('The target of an ALIAS record can be resolved again', AliasData),
  'dns.record.created': event('A record was created', RecordData),
  'dns.record.changed': event('A record was updated', RecordData),
  'dns.record.deleted': event('A record was deleted', RecordData),
  'dns.reverse.changed': event(
    'Reverse DNS was set, or deleted if the record is empty',
    Type.Object({ records: Type.Array(Type.Object({ ip: text, record: text })) }),
  ),
  'network.port.changed': event(
    'A switch port was enabled or disabled',
    Type.Object({ port: text, status: Type.Enum(['up', 'down']) }),
  ),
  'network.netblock.assigned': event('A netblock was assigned to a service', Type.Object({ netblock: text })),
  'network.netblock.released': event('A netblock was withdrawn from a service', Type.Object({ netblock: text })),
  'network.netblock.refused': event(
    'A request for addresses was rejected',
    Type.Object({ requestid: text, size: text, reason: text }),
  ),
  'network.attack.started': event(
    'An attack on an address of a service was detected',
    Type.Object({
      anomaly_id: text,
      ip: text,
      direction: Type.Enum(['incoming', 'outgoing']),
      kind: described('The kind of attack according to the detector, such as udp_flood; may be empty'),
    }),
  ),
  'network.attack.ended': event('An attack has ended', Type.Object({ anomaly_id: text, ip: text })),
  'network.nullroute.added': event(
    'An address is being null-routed, by request or by the provider’s policy',
    Type.Object({ ip: text, reason: text }),
  ),
  'network.nullroute.removed': event('The null route of an address is being removed', Type.Object({ ip: text })),
  'network.bandwidth.reached': event(
    'This month’s 95th percentile has reached a certain percentage of the committed rate',
    Type.Object({
      threshold: Type.Enum(['80', '100'], { description: 'Percent of the commitment' }),
      month: described('YYYY-MM'),
      committed: described('Mbit/s'),
      used: described('Mbit/s with up to two decimals'),
    }),
  ),
  'maintenance.announced': event('Maintenance that affects services of the account was announced', maintenance),
  'maintenance.updated': event('Announced maintenance has changed', maintenance),
  'maintenance.cancelled': event('Announced maintenance was cancelled', maintenance),
  'maintenance.completed': event('Announced maintenance was completed', maintenance),
  'plan.created': event(
    'A plan waits for approval',
    Type.Object({ id: text, operation: text, hits: Type.Array(text) }),
  ),
  'plan.decided': event(
    'A plan was approved or rejected',
    Type.Object({ id: text, operation: text, decision: Type.Enum(['approve', 'refuse']) }),
  ),
  'invoice.issued': event('An invoice or a credit note was issued', InvoiceData),
  'invoice.paid': event('An invoice was paid in full', InvoiceData),
  'invoice.overdue': event('An invoice is past its due date', InvoiceData),
  'invoice.reminder': event(
    'A reminder of an overdue invoice was sent',
    Type.Interface([InvoiceData], { reminder: Type.Integer({ description: 'Number of the reminder, starting at 1' }) }),
  ),
  'payment.received': event(
    'A payment was received',
    Type.Object({ amount: text, method: text, reference: text, ...message }),
  ),
  'payment.announced': event(
    'A direct debit was announced',
    Type.Interface([PaymentData], {
      date: described('YYYY-MM-DD, when it is due'),
      mandate: text,
      creditorid: text,
    }),
  ),
  'payment.failed': event(
    'A charge of a payment method failed',
    Type.Interface([PaymentData], {
      reason: text,
      nexttry: described('YYYY-MM-DD, when it is retried; empty if it is not'),
    }),
  ),
  'payment.action': event('A charge waits for the customer to confirm it or to pay the invoice manually', PaymentData),
  'payment.chargeback': event(
    'The customer’s bank took a payment back; the invoice is open again',
    Type.Interface([PaymentData], { reason: text }),
  ),
  'payment.refunded': event('A payment was refunded', Type.Object({ amount: text, method: text })),
  'paymentmethod.added': event('A payment method was added', Type.Object({ method: text })),
  'paymentmethod.removed': event('A payment method was removed', Type.Object({ method: text })),
  'account.suspended': event(
    'The account was suspended because an invoice is overdue, or by the provider, in which case the number is empty',
    Type.Object({ invoicenum: text, ...message }),
  ),
  'account.resumed': event('The suspension was lifted', Type.Object({ ...message })),
  'device.maintenance.began': event('Maintenance of a device started: commands are rejected until it ends', Reason),
  'device.maintenance.ended': event('Maintenance of a device ended', Nothing),
  'service.provisioned': event('A service was created', Nothing),
  'service.terminated': event('A service was terminated; its addresses were returned', Nothing),
  'device.reclaimed': event('The server of a terminated service was erased; its certificate is available', Nothing),
  'service.suspended': event(
    'A service was suspended, alone or with its account',
    Type.Object({ reason: Type.Optional(described('As entered by staff; absent in older events')) }),
  ),
  'service.resumed': event('A service was resumed', Nothing),
  'service.cancelled': event('A service was cancelled', Type.Object({ lastday: text })),
  'service.cancellation.withdrawn': event('The cancellation of a service was withdrawn', Nothing),
  ...priceEvents,
  'service.plan.changed': event(
    'The plan of a service has changed',
    Type.Object({ plan: text, previous: described('Empty if it had none') }),
  ),
  'software.ordered': event('A software licence was ordered', Type.Object({ orderid: text, license: text })),
  'software.fulfilled': event(
    'The key of a software licence is available',
    Type.Object({ orderid: text, license: text }),
  ),
  'software.cancelled': event(
    'A software licence was cancelled; it works until that day',
    Type.Object({ orderid: text, license: text, until: text }),
  ),
} as const;

export type EventType = keyof typeof eventKinds;
export type EventData<T extends EventType> = Static<(typeof eventKinds)[T]['data']>;
export const eventTypes = Object.keys(eventKinds) as EventType[];
