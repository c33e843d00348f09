// The rules for every table. The type names all of them, so that a new table does not compile until it is listed.
import { deviceRules } from './device-rules.ts';
import { byId, keepForTaxes, nothing, remove, settings, shortLived, unrelated, type TableRules } from './rule.ts';

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
  invoices: {
    archive: { file: 'billing/invoices.json', contents: 'Invoices and credit notes', key: byId },
    erasure: keepForTaxes,
  },
  invoice_lines: {
    archive: { file: 'billing/invoice-lines.json', contents: 'Lines of invoices', scope: 'invoice', key: byId },
    erasure: keepForTaxes,
  },
  invoice_parties: {
    archive: {
      file: 'billing/invoice-parties.json',
      contents: 'Names and addresses on invoices',
      scope: 'invoice',
      key: ['invoice_id'],
    },
    erasure: keepForTaxes,
  },
  invoice_taxes: {
    archive: {
      file: 'billing/invoice-taxes.json',
      contents: 'Value-added tax of invoices',
      scope: 'invoice',
      key: ['invoice_id', 'position'],
    },
    erasure: keepForTaxes,
  },
  account_taxes: {
    archive: { file: 'billing/tax-data.json', contents: 'VAT number and tax data', key: ['account_id'] },
    erasure: remove,
  },
  vat_checks: {
    archive: { file: 'billing/vat-checks.json', contents: 'Results of VAT number checks', key: byId },
    erasure: keepForTaxes,
  },
  invoice_deliveries: {
    archive: { file: 'billing/deliveries.json', contents: 'Delivery of e-invoices', key: byId, hidden: ['problem'] },
    erasure: keepForTaxes,
  },
  exchange_rates: settings,
  invoice_exchanges: {
    archive: {
      file: 'billing/invoice-exchanges.json',
      contents: 'Tax of invoices in the provider’s currency',
      scope: 'invoice',
      key: ['invoice_id'],
    },
    erasure: keepForTaxes,
  },
  tax_evidence: {
    archive: {
      file: 'billing/tax-evidence.json',
      contents: 'Evidence of your country for tax',
      key: ['source', 'country'],
    },
    erasure: keepForTaxes,
  },
  licences: {
    archive: { file: 'licences.json', contents: 'Licences', key: byId, hidden: ['licence_key'] },
    erasure: remove,
  },
  licence_prices: settings,
  payments: { archive: { file: 'billing/payments.json', contents: 'Payments', key: byId }, erasure: keepForTaxes },
  ledger: {
    archive: { file: 'billing/ledger.json', contents: 'Entries of the ledger', key: byId },
    erasure: keepForTaxes,
  },
  invoice_numbers: settings,
  invoice_notices: {
    archive: {
      file: 'billing/reminders.json',
      contents: 'Reminders of invoices',
      scope: 'invoice',
      key: ['invoice_id', 'kind'],
    },
    erasure: { do: 'delete', scope: 'invoice' },
  },
  dunning_holds: {
    archive: { omittedBecause: 'the reason is for staff only; staff decide what of it to hand over on request' },
    erasure: remove,
  },
  receipts: {
    archive: { file: 'billing/receipts.json', contents: 'Money received', key: byId },
    erasure: keepForTaxes,
  },
  payment_hooks: settings,
  payment_methods: {
    archive: {
      file: 'billing/payment-methods.json',
      contents: 'Payment methods',
      key: byId,
      hidden: ['key', 'external_id', 'external_customer'],
    },
    erasure: remove,
  },
  payment_charges: {
    archive: {
      file: 'billing/payment-charges.json',
      contents: 'Charges of payment methods',
      key: byId,
      hidden: ['key', 'external_id', 'checkout_id'],
    },
    erasure: keepForTaxes,
  },
  payment_refunds: {
    archive: {
      file: 'billing/payment-refunds.json',
      contents: 'Refunds of charges',
      key: byId,
      hidden: ['key', 'external_id'],
    },
    erasure: keepForTaxes,
  },
  payment_notices: unrelated('numbers of the payment provider, deleted after three months'),
  sepa_mandates: {
    archive: {
      file: 'billing/sepa-mandates.json',
      contents: 'Direct debit mandates',
      key: ['method_id'],
      hidden: ['iban_sealed'],
    },
    erasure: keepForTaxes,
  },
  sepa_orders: {
    archive: { file: 'billing/sepa-orders.json', contents: 'Direct debits and refunds', key: byId },
    erasure: keepForTaxes,
  },
  sepa_files: unrelated('sums and numbers of files for the bank'),
  sepa_statements: unrelated('the provider’s own bank statements'),
  sepa_entries: {
    archive: {
      file: 'billing/bank-entries.json',
      contents: 'Bookings on the provider’s bank account',
      key: byId,
      hidden: ['key', 'operator'],
    },
    erasure: keepForTaxes,
  },
  price_plans: settings,
  price_changes: settings,
  cancellations: {
    archive: { file: 'billing/cancellations.json', contents: 'Cancelled services', key: ['service_id'] },
    erasure: remove,
  },
  price_notices: {
    archive: {
      file: 'billing/price-notices.json',
      contents: 'Announcements of new prices',
      key: ['change_id', 'service_id'],
    },
    erasure: remove,
  },
  usage: {
    archive: {
      file: 'billing/usage.json',
      contents: 'Metered usage of services',
      key: ['service_id', 'item', 'day'],
    },
    erasure: remove,
  },
  coupons: settings,
  coupon_redemptions: {
    archive: { file: 'billing/coupons.json', contents: 'Coupons that you redeemed', key: ['code'] },
    erasure: remove,
  },
  billing_accounts: {
    archive: { file: 'billing/billing-days.json', contents: 'When the account is billed', key: ['account_id'] },
    erasure: nothing('days of the month'),
  },
  billing_suspensions: {
    archive: { file: 'billing/suspension.json', contents: 'Suspension for unpaid invoices', key: ['account_id'] },
    erasure: remove,
  },
  service_suspensions: {
    archive: {
      file: 'service-suspensions.json',
      contents: 'Services that staff suspended',
      scope: 'service',
      key: ['service_id'],
    },
    erasure: { do: 'delete', scope: 'service' },
  },
  service_terms: {
    archive: { file: 'billing/terms.json', contents: 'Prices agreed for services', key: byId },
    erasure: keepForTaxes,
  },
  charges: {
    archive: {
      file: 'billing/charges.json',
      contents: 'Charges and their periods',
      key: ['period_day', 'kind', 'subject', 'from_day'],
    },
    erasure: keepForTaxes,
  },
  keys: {
    archive: {
      file: 'security/keys-and-sessions.json',
      contents: 'API keys and sessions, without their secrets',
      key: byId,
      hidden: ['secret_hash', 'previous_hash', 'site_hash', 'tsig_secret'],
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
  sign_ups: unrelated('people without an account; they expire after 90 days at most'),
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
  idempotency: shortLived('responses to requests of the last day, sealed'),
  audit: {
    archive: { file: 'audit-log.json', contents: 'Who did what in the account', key: byId },
    erasure: { do: 'blank', set: { address: '', target: '' } },
  },
  workflows: {
    archive: {
      file: 'actions.json',
      contents: 'Installations and other longer work',
      key: byId,
      hidden: ['input', 'outputs'],
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
    archive: { file: 'mail/messages.json', contents: 'Messages sent by email', key: byId, hidden: ['details'] },
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
