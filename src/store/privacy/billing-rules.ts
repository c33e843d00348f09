// Rules for the tables of invoices, payments, prices and taxes.
import { byId, keepForTaxes, nothing, remove, settings, unrelated, type TableRules } from './rule.ts';

export const billingRules = {
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
    archive: {
      file: 'billing/tax-data.json',
      contents: 'VAT number and tax data',
      key: ['account_id'],
      hidden: ['override_reason'],
    },
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
    archive: {
      file: 'billing/cancellations.json',
      contents: 'Cancelled services',
      key: ['service_id'],
      hidden: ['hold_reason'],
    },
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
} satisfies Partial<TableRules>;
