// Operator API: tax data of accounts.
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { taxOverrides } from '../shapes/tax.ts';
import { OperatorTaxData } from '../shapes/tax-data.ts';
import { taxFields } from '../v2/tax.ts';

const writeEndpoint = { tag: 'account', effect: 'stored' } as const;

export const taxOperator = {
  taxGet: endpoint({
    method: 'GET',
    path: '/operator/account/tax',
    tag: 'account',
    access: 'operator:read',
    command: 'tax get',
    summary: 'Get the tax data of an account',
    description:
      'Includes the evidence: countries, and the answers of the VAT register with their consultation numbers.',
    params: { account: p.Id },
    result: OperatorTaxData,
  }),
  taxUpdate: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/operator/account/tax',
    access: 'operator:customers',
    command: 'tax update',
    summary: 'Update the tax data of an account',
    description: 'An empty value clears the field. `ordercountry` is the country that an order came from, as evidence.',
    params: { account: p.Id, ...taxFields, ordercountry: p.clearable(p.CapitalCountryCode) },
    target: ['account'],
  }),
  taxValidate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/account/tax/validate',
    access: 'operator:customers',
    command: 'tax validate',
    summary: 'Validate the VAT number of an account again',
    description: 'Queries the register within seconds. The answer is in the tax data.',
    params: { account: p.Id },
    target: ['account'],
    errors: ['state_conflict'],
  }),
  taxOverride: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/operator/account/tax/override',
    access: 'operator:money',
    command: 'tax override',
    summary: 'Override the tax treatment of an account',
    description:
      '`valid` accepts the VAT number without the register until the number changes; `exempt` charges no VAT, with the reason on every invoice; `none` ends the override.',
    params: { account: p.Id, override: p.Choice(...taxOverrides), reason: p.Text() },
    target: ['account', 'reason'],
    errors: ['state_conflict'],
  }),
} as const;
