// What each audited operation did, as a sentence. `{actor}` is who did it; the other names are parameters of the audit
// entry's target, `{a|b}` the first of them that it has. test/sweeps/audit-sentences.test.ts fails if one is missing.
import { t, tData } from '../text/text.ts';

export const auditSentences: Readonly<Record<string, string>> = {
  accountClose: '{actor} closed the account of {id:customer}',
  accountCreate: '{actor} created a customer',
  accountExportCreate: '{actor} requested an export of all data of the account',
  accountResume: '{actor} reactivated {id:customer}',
  accountSuspend: '{actor} suspended {id:customer}: {reason}',
  accountUpdate: '{actor} changed the details of {id:customer}',
  acmeCleanup: '{actor} removed an ACME challenge of {domain|fqdn}',
  acmePresent: '{actor} published an ACME challenge for {domain|fqdn}',
  backupCreate: '{actor} backed up the database',
  billingCancel: '{actor} cancelled an invoice',
  billingCredit: '{actor} granted a credit',
  billingImport: '{actor} imported a payment',
  billingPay: '{actor} recorded a payment',
  billingRefund: '{actor} recorded a refund',
  billingResume: '{actor} confirmed the date and resumed billing',
  billingRun: '{actor} ran the billing',
  billingRunStart: '{actor} started a billing run',
  challengeAnswer: '{actor} signed in with a passkey',
  changeSetApply: '{actor} changed records of several zones',
  contactCreate: '{actor} added a contact',
  contactDelete: '{actor} removed {id:contact}',
  contactSettings: '{actor} changed the permissions of {id:contact}',
  contactUpdate: '{actor} changed the details of {id:contact}',
  deliveryReplay: '{actor} sent webhook delivery {id} again',
  deviceBootSet: '{actor} set the next boot of {service|device} to {request}: {reason}',
  deviceConsoleOpen: '{actor} opened the console of {service|device}',
  deviceConsoleReset: '{actor} reset the console of {service|device}: {reason}',
  deviceConsoleTicket: '{actor} opened the console of {service|device}: {reason}',
  deviceConsoleWeb: '{actor} opened the web console of {service|device}: {reason}',
  deviceDiscover: '{actor} scanned the hardware of {server|device}',
  deviceHostnameSet: '{actor} renamed {service|device}',
  deviceImageMount: '{actor} mounted an ISO image on {service|device}: {reason}',
  deviceImageUnmount: '{actor} unmounted the ISO image of {service|device}: {reason}',
  deviceImageUpload: '{actor} uploaded the ISO image {image} for {service|device}: {reason}',
  deviceLabelSet: '{actor} changed the labels of {service|device}',
  deviceLock: '{actor} restricted {device}: {reason}',
  deviceMaintenanceBegin: '{actor} started maintenance of {device}: {reason}',
  deviceMaintenanceEnd: '{actor} ended the maintenance of {device}',
  devicePasswordCollect: '{actor} viewed the new root password of {service|device}',
  devicePasswordReset: '{actor} reset the root password of {service|device}',
  devicePowerSet: '{actor} sent the power command “{action}” to {service|device}: {reason}',
  deviceReloadCancel: '{actor} cancelled the installation on {service|device}: {reason}',
  deviceReloadStart: '{actor} started an installation on {service|device}: {reason}',
  deviceRescueEnd: '{actor} ended the rescue system of {service|device}: {reason}',
  deviceRescueStart: '{actor} started the rescue system on {service|device}: {reason}',
  deviceShutdown: '{actor} asked {service|device} to shut down: {reason}',
  deviceTunSet: '{actor} set TUN/TAP of {service|device} to {action}',
  deviceUnlock: '{actor} lifted the restriction of {device}',
  'dns.update': '{actor} updated {zone|domain} with a DNS tool',
  dnssecAct: '{actor} requested the DNSSEC step “{action}” for {domain}',
  dnssecDisable: '{actor} disabled DNSSEC for {domain}',
  dnssecEnable: '{actor} enabled DNSSEC for {domain}',
  emailSet: '{actor} changed their email address',
  erasureCancel: '{actor} cancelled the erasure of the account',
  erasureReplay: '{actor} repeated erasures after restoring a backup',
  erasureRequest: '{actor} requested the erasure of the account',
  impersonationEnd: '{actor} stopped viewing the account as support',
  impersonationStart: '{actor} started viewing the account as support: {reason}',
  invitationCreate: '{actor} invited {contact}',
  invitationDelete: '{actor} withdrew invitation {id}',
  invitationResend: '{actor} sent invitation {id} again',
  ipmiConsoleOpen: '{actor} opened the console of {server}',
  ipmiControllerReset: '{actor} reset the IPMI controller of {server}',
  ipmiImageSet: '{actor} changed the ISO image of {server}: {action}',
  ipmiInstallSet: '{actor} changed the installation on {server}: {action}',
  ipmiPowerSet: '{actor} sent the power command “{action}” to {server}',
  ipmiUserSet: '{actor} changed IPMI user {username} of {server}: {action}',
  jobRetry: '{actor} retried job {id}',
  keyCreate: '{actor} created the API key “{name}”',
  keyDelete: '{actor} revoked {id:key}',
  keyRevoke: '{actor} revoked {id:key}',
  keyUpdate: '{actor} changed {id:key}',
  licenceOrderDeliver: '{actor} delivered the key of licence order {id}',
  mailResend: '{actor} sent message {id} again',
  mailSettingsSet: '{actor} changed the email settings',
  maintenanceAnnounce: '{actor} announced maintenance {id}',
  maintenanceCancel: '{actor} cancelled maintenance {id}',
  maintenanceComplete: '{actor} completed maintenance {id}',
  maintenanceCreate: '{actor} planned maintenance',
  maintenanceUpdate: '{actor} changed maintenance {id}',
  netblockRelease: '{actor} took back {netblock}',
  netblockRequest: '{actor} requested IP addresses for {service|server}',
  noteCreate: '{actor} added a note about {account}',
  noteDelete: '{actor} deleted note {id}',
  noteUpdate: '{actor} changed note {id}',
  nullrouteAdd: '{actor} null-routed {ip}: {reason}',
  nullrouteRemove: '{actor} removed the null route of {ip}',
  nullrouteSet: '{actor} changed the null route of {ip}: {action}',
  operatorCreate: '{actor} invited {name} to the staff',
  operatorDelete: '{actor} removed the access of staff member {id}',
  operatorUpdate: '{actor} changed staff member {id}',
  passkeyBegin: '{actor} started to set up a passkey',
  passkeyCreate: '{actor} added the passkey “{name}”',
  passkeyDelete: '{actor} removed passkey {id}',
  passwordSet: '{actor} changed the password',
  planCreate: '{actor} requested an approval',
  planDecide: '{actor} decided about approval {id}',
  planRun: '{actor} carried out an approved change',
  portDisable: '{actor} disabled a switch port of {service}',
  portEnable: '{actor} enabled a switch port of {service}',
  portSet: '{actor} changed switch port {id} of {server}: {action}',
  preferencesSet: '{actor} changed the display settings',
  reclaimRetry: '{actor} retried the failed erasure step of {server}',
  reclaimSignOff: '{actor} signed off the erasure step {step} of {server}: {reason}',
  recordCreate: '{actor} added the {type} record {record|name} to {domain|domain_id}',
  recordDelete: '{actor} deleted record {record} of {domain}',
  recordDeleteMany: '{actor} deleted records of {domain}',
  recordUpdate: '{actor} changed record {record} of {domain}',
  recoveryCodesCreate: '{actor} created new recovery codes',
  requestApprove: '{actor} approved address request {id}',
  requestRefuse: '{actor} rejected address request {id}: {reason}',
  reverseDelete: '{actor} removed the reverse DNS of {ip}',
  reverseSet: '{actor} set the reverse DNS of {ip} to {record}',
  reverseSetMany: '{actor} set the reverse DNS of several addresses',
  serviceProvision: '{actor} provisioned {name|server} for {account}',
  serviceResume: '{actor} reactivated {id:service}',
  serviceRetry: '{actor} retried the provisioning of {id:service}',
  serviceSuspend: '{actor} suspended {id:service}: {reason}',
  serviceTerminate: '{actor} terminated {id:service}',
  sessionCreate: '{actor} signed in',
  signOnComplete: '{actor} signed in through the identity provider',
  signOnDomainAdd: '{actor} added the domain {domain} to single sign-on',
  signOnSettingsDelete: '{actor} removed the identity provider',
  signOnSettingsSet: '{actor} set the identity provider {issuer}',
  sessionDelete: '{actor} signed out',
  sessionRevoke: '{actor} ended session {id}',
  signOnDomainDelete: '{actor} removed the domain {domain} from single sign-on',
  signOnDomainVerify: '{actor} verified the domain {domain} for single sign-on',
  'site.apply': 'The provider applied its site file',
  signUpApprove: '{actor} approved sign-up {id}',
  signUpComplete: '{actor} signed up and accepted the terms, version {terms}',
  signUpInvitationCreate: '{actor} invited somebody to sign up',
  signUpInvitationDelete: '{actor} revoked invitation {id} to sign up',
  signUpReject: '{actor} rejected sign-up {id}: {reason}',
  softwareCancel: '{actor} cancelled the licence {license}',
  softwareOrder: '{actor} ordered the licence {license|type} for {service}',
  sshKeyCreate: '{actor} saved the SSH key “{name}”',
  sshKeyDelete: '{actor} deleted SSH key {id}',
  supportAccessEnd: '{actor} ended the support access',
  taxOverride: '{actor} decided the tax of {account:customer}: {reason}',
  taxUpdate: '{actor} changed the tax data of the account',
  taxValidate: '{actor} had the VAT number of {account:customer} validated',
  totpConfirm: '{actor} enabled an authenticator app',
  totpEnd: '{actor} disabled the authenticator app',
  totpEnrol: '{actor} started to set up an authenticator app',
  tsigKeyCreate: '{actor} created the TSIG key “{name}”',
  tsigKeyDelete: '{actor} deleted TSIG key {id}',
  undeliverableClear: '{actor} allowed messages to an address of {account} again',
  vpsHostnameSet: '{actor} renamed {vmid}',
  vpsImageMount: '{actor} mounted the ISO image {image} on {vmid}',
  vpsPasswordReset: '{actor} reset the root password of {vmid}',
  vpsPowerSet: '{actor} sent the power command “{action}” to {vmid}',
  vpsReinstall: '{actor} started an installation on {vmid}',
  vpsReverseSet: '{actor} set the reverse DNS of {ip} to {record}',
  vpsTunSet: '{actor} set TUN/TAP of {vmid} to {action}',
  webhookCreate: '{actor} added a webhook',
  webhookDelete: '{actor} deleted webhook {id}',
  webhookUpdate: '{actor} changed webhook {id}',
  workflowRetry: '{actor} retried workflow {id}',
  workflowUnwind: '{actor} cancelled workflow {id} and rolled it back',
  zoneClaim: '{actor} claimed the domain {domain}',
  zoneClaimVerify: '{actor} proved control of {domain}',
  zoneCreate: '{actor} created the zone {domain|name}',
  zoneDelete: '{actor} deleted {domain|zone}',
  zoneFileImport: '{actor} imported a zone file into {domain}',
  zonePatch: '{actor} changed records of {zone}',
  zoneRollBack: '{actor} rolled {domain} back',
  zoneUpdate: '{actor} changed the settings of {zone}',
};

/** What a parameter names. */
type Thing = 'service' | 'server' | 'zone' | 'contact' | 'key' | 'customer' | 'machine' | 'device';
const thingOf: Readonly<Record<string, Thing>> = {
  service: 'service',
  server: 'server',
  device: 'device',
  vmid: 'machine',
  domain: 'zone',
  domain_id: 'zone',
  zone: 'zone',
  contact: 'contact',
  account: 'customer',
};
const nounsOf: Readonly<Record<Thing, readonly [one: (value: string) => string, some: string]>> = {
  service: [(value) => t('service {value}', { value }), t('a service')],
  server: [(value) => t('server {value}', { value }), t('a server')],
  device: [(value) => t('device {value}', { value }), t('a device')],
  machine: [(value) => t('VM {value}', { value }), t('a VM')],
  zone: [(value) => t('zone {value}', { value }), t('a zone')],
  contact: [(value) => t('contact {value}', { value }), t('a contact')],
  key: [(value) => t('API key {value}', { value }), t('an API key')],
  customer: [(value) => t('customer {value}', { value }), t('a customer')],
};

/** Returns the present name of a thing, or undefined if it is unknown. */
export type NameOf = (thing: Thing, id: string) => string | undefined;

/** Returns the sentence of an audit entry, or undefined for an operation that only an older release had. */
export function auditSentence(
  { operation, target }: { readonly operation: string; readonly target: string },
  actor: string,
  nameOf: NameOf = () => undefined,
): string | undefined {
  const sentence = auditSentences[operation] ?? auditSentences[operation.replace(/^[a-z0-9]+\./, '')];
  if (sentence === undefined) return undefined;
  const values = parseTarget(target);
  const filled = tData(sentence).replaceAll(
    /\{([^{}:]{1,64})(?::([a-z]{1,16}))?\}/g,
    (_, names: string, kind?: Thing) => {
      if (names === 'actor') return actor;
      const parameters = names.split('|');
      const parameter = parameters.find((name) => values.has(name)) ?? parameters[0]!;
      const value = values.get(parameter);
      const thing = kind ?? thingOf[parameter];
      if (thing === undefined) return value ?? '…';
      if (value === undefined) return nounsOf[thing][1];
      return nameOf(thing, value) ?? (/^\d+$/.test(value) ? nounsOf[thing][0](value) : value);
    },
  );
  // An optional reason that was not given.
  return filled.replace(/: …$/, '');
}

/** Values may contain spaces, so that a word without a name continues the value before it. */
export function parseTarget(target: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let last: string | undefined;
  for (const word of target.split(' ')) {
    const [, name, value] = /^([a-z_]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) values.set((last = name), value!);
    else if (last !== undefined) values.set(last, `${values.get(last)} ${word}`);
  }
  return values;
}
