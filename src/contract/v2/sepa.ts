// Version 2: direct debit mandates, and how to pay by bank transfer.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { PaymentMethodItem } from '../shapes/payment.ts';
import { MandateItem, SepaInformation } from '../shapes/sepa.ts';

const common = { tag: 'payment', addition: true } as const;
/** Stored sealed, so it must not be stored anywhere else. */
const Iban = { ...p.Text({ min: 15, max: 42 }), 'x-sealed': true };
const Language = p.optional(p.Choice('en', 'de'));

export const sepaV2 = {
  sepaGet: endpoint({
    ...common,
    method: 'GET',
    path: '/v2/payment/sepa',
    access: 'billing:read',
    summary: 'Get bank details and the text of the direct debit mandate',
    description:
      "The provider's bank account and your reference for transfers, and the text that you agree to when you create a mandate. All fields are empty if the provider does not use SEPA.",
    params: { language: Language },
    result: SepaInformation,
  }),
  mandateList: endpoint({
    ...common,
    method: 'GET',
    path: '/v2/payment/mandate',
    access: 'billing:read',
    summary: 'List direct debit mandates',
    result: Type.Array(MandateItem),
  }),
  mandateCreate: endpoint({
    ...common,
    method: 'POST',
    path: '/v2/payment/mandate',
    access: 'billing:pay',
    effect: 'stored',
    summary: 'Create a direct debit mandate',
    description:
      'Adds a payment method from which invoices are collected by SEPA direct debit. `consent` is the version of the mandate text; passing it states that you agree to it. Remove the payment method to revoke the mandate.',
    params: {
      holder: p.HumanName,
      iban: Iban,
      consent: p.Text({ max: 32 }),
      language: Language,
    },
    result: PaymentMethodItem,
    errors: ['state_conflict'],
  }),
} as const;
