// The rules for every table. The type names all of them, so that a new table does not compile until it is listed.
import { billingRules } from './billing-rules.ts';
import { deviceRules } from './device-rules.ts';
import { byId, nothing, remove, settings, shortLived, unrelated, type TableRules } from './rule.ts';

const blankPerson = {
  firstname: '',
  lastname: '',
  companyname: '',
  email: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  postcode: '',
  country: '',
  phonenumber: '',
  password_hash: null,
} as const;

export const tableRules: TableRules = {
  ...deviceRules,
  ...billingRules,
  meta: settings,
  accounts: {
    archive: {
      file: 'profile.json',
      contents: 'Your name, address and settings',
      key: byId,
      hidden: ['password_hash'],
    },
    erasure: {
      do: 'blank',
      set: { ...blankPerson, status: 'Closed', last_login_address: null, last_login_host: null },
    },
  },
  contacts: {
    archive: { file: 'contacts.json', contents: 'The contacts of the account', key: byId, hidden: ['password_hash'] },
    erasure: remove,
  },
  sign_ins: {
    archive: { file: 'security/sign-ins.json', contents: 'Addresses that people sign in with', key: ['email'] },
    erasure: remove,
  },
  known_networks: {
    archive: { file: 'security/known-networks.json', contents: 'Networks that people have signed in from' },
    erasure: remove,
  },
  services: {
    archive: { file: 'services.json', contents: 'Services', key: byId },
    erasure: { do: 'blank', set: { name: '', hostname: '', labels: '[]' } },
  },
  keys: {
    archive: {
      file: 'security/keys-and-sessions.json',
      contents: 'API keys and sessions, without their secrets',
      key: byId,
      hidden: ['secret_hash', 'previous_hash', 'site_hash', 'tsig_secret'],
      // Support sessions, with the address that the member of staff works at; support-access.json lists them.
      ofStaff: 'operator_id',
    },
    erasure: remove,
  },
  totps: {
    archive: {
      file: 'security/authenticator-apps.json',
      contents: 'Authenticator apps, without their secrets',
      hidden: ['secret', 'step'],
    },
    erasure: remove,
  },
  recovery_codes: { archive: { omittedBecause: 'only digests of secrets' }, erasure: remove },
  preferences: {
    archive: { file: 'preferences.json', contents: 'Time zone, date format and saved filters of each person' },
    erasure: remove,
  },
  ssh_keys: { archive: { file: 'ssh-keys.json', contents: 'SSH keys', key: byId }, erasure: remove },
  passkeys: {
    archive: { file: 'security/passkeys.json', contents: 'Passkeys', key: byId },
    erasure: remove,
  },
  passkey_challenges: shortLived('it exists for minutes while a passkey is used'),
  recoveries: shortLived('links for a forgotten password, which work for half an hour'),
  invitations: {
    archive: { file: 'invitations.json', contents: 'Invited contacts', key: byId, hidden: ['token_hash'] },
    erasure: remove,
  },
  sign_up_proofs: unrelated('digests of random values'),
  sign_up_invitations: unrelated('people without an account; they expire after 90 days at most'),
  sign_ups: unrelated(
    'people without an account; they expire after 90 days at most, or with the account of their address',
  ),
  account_terms: {
    archive: { file: 'terms.json', contents: 'Terms that you accepted', key: ['version'] },
    erasure: { do: 'blank', set: { address: '' } },
  },
  operators: unrelated('staff of the provider'),
  impersonations: {
    archive: { file: 'security/support-access.json', contents: 'When staff viewed the account', key: byId },
    erasure: remove,
  },
  account_notes: {
    archive: { omittedBecause: 'they are for staff only; staff decide what of them to hand over on request' },
    erasure: remove,
  },
  idempotency: shortLived('responses to requests of the last seven days, sealed'),
  audit: {
    archive: { file: 'audit-log.json', contents: 'Who did what in the account', key: byId },
    erasure: { do: 'blank', set: { address: '', target: '' } },
  },
  workflows: {
    archive: {
      file: 'actions.json',
      contents: 'Installations and other longer work',
      key: byId,
      hidden: ['input', 'outputs', 'detail'],
    },
    erasure: remove,
  },
  reconcilers: settings,
  pollers: settings,
  audit_tips: unrelated('a counter'),
  events: {
    archive: { file: 'events.json', contents: 'Events of the last 90 days', key: ['sequence'] },
    erasure: remove,
  },
  webhooks: {
    archive: {
      file: 'webhooks.json',
      contents: 'Webhooks, without their secrets',
      key: byId,
      hidden: ['secret', 'previous_secret'],
    },
    erasure: remove,
  },
  deliveries: {
    archive: { file: 'webhook-deliveries.json', contents: 'Messages sent to webhooks', key: byId },
    erasure: remove,
  },
  plans: {
    archive: { file: 'approvals.json', contents: 'Changes that waited for approval', key: byId },
    erasure: remove,
  },
  mails: {
    archive: {
      file: 'mail/messages.json',
      contents: 'Messages sent by email',
      key: byId,
      hidden: ['details', 'relay', 'error'],
    },
    erasure: remove,
  },
  mail_choices: {
    archive: { file: 'mail/choices.json', contents: 'Which messages people receive', key: ['contact_id'] },
    erasure: remove,
  },
  mail_bounces: {
    archive: { file: 'mail/bounces.json', contents: 'Addresses whose messages came back', key: ['address'] },
    erasure: remove,
  },
  bandwidth_notices: {
    archive: {
      file: 'network/bandwidth-notices.json',
      contents: 'Notices about bandwidth',
      key: ['service_id', 'month', 'threshold'],
    },
    erasure: remove,
  },
  maintenances: unrelated('announcements of the provider, which name no customer'),
  maintenance_services: {
    archive: {
      file: 'maintenance.json',
      contents: 'Services that announced maintenance affects',
      key: ['maintenance_id', 'service_id'],
    },
    erasure: remove,
  },
  account_exports: {
    archive: { file: 'archives.json', contents: 'Archives like this one', key: byId },
    erasure: remove,
  },
  account_export_parts: {
    archive: { omittedBecause: 'the content of archives like this one' },
    erasure: nothing('it goes with its archive'),
  },
  erasures: {
    archive: { file: 'erasure.json', contents: 'Requests to erase the account', key: ['account_id'] },
    erasure: nothing('it proves the erasure, and is applied again after a restore; it holds a number and times'),
  },
  jobs: unrelated('work that is under way; it names rows by their number'),
  sign_on_domains: {
    archive: {
      file: 'security/sign-on-domains.json',
      contents: 'Domains whose people sign in through your identity provider',
      key: ['domain'],
    },
    erasure: remove,
  },
  sign_on_flows: shortLived('it exists for minutes while a person signs in'),
  sign_on_identities: {
    archive: {
      file: 'security/sign-on-identities.json',
      contents: 'People known by your identity provider',
      key: ['issuer', 'subject'],
    },
    erasure: remove,
  },
  sign_on_providers: {
    archive: {
      file: 'security/sign-on-provider.json',
      contents: 'Your identity provider, without its secret',
      key: ['account_id'],
      hidden: ['client_secret'],
    },
    erasure: remove,
  },
};
