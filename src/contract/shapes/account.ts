// Accounts, contacts and invoices in responses. Numbers and money are strings, as in the v2 specification.
import { Type } from 'typebox';
import { taxCategories } from './tax.ts';
import { described, text } from './text.ts';

export const Flag01 = Type.Enum(['0', '1']);
const moneyPattern = '^-?[0-9]+\\.[0-9]{2}$';
export const Money = Type.String({ pattern: moneyPattern, description: 'Decimal with two places' });
export const Moment = described('YYYY-MM-DD HH:MM:SS in UTC');
export const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });

export const accountStatuses = ['Active', 'Suspended', 'Closed'] as const;
export const invoiceStatuses = ['Paid', 'Unpaid', 'Overdue', 'Cancelled'] as const;
/** The types of lines that the documents name. */
const documentedLineTypes = ['Hosting', 'Setup', 'License', 'Bandwidth', 'Address', 'LateFee', 'Credit'] as const;
export const lineTypes = [...documentedLineTypes, 'Usage', 'Discount'] as const;
export type AccountStatus = (typeof accountStatuses)[number];
export type InvoiceStatus = (typeof invoiceStatuses)[number];
export type LineType = (typeof lineTypes)[number];

/** Returns the documented type that is closest to the type of a line. */
export function documentedLineType(type: LineType): (typeof documentedLineTypes)[number] {
  if (type === 'Usage') return 'Hosting';
  return type === 'Discount' ? 'Credit' : type;
}

export const postalAddress = { address1: text, address2: text, city: text, state: text, postcode: text };

export const Account = Type.Object({
  id: text,
  firstname: text,
  lastname: text,
  fullname: text,
  companyname: text,
  email: text,
  ...postalAddress,
  countrycode: text,
  phonenumber: text,
  status: Type.Enum(accountStatuses),
  balance: Money,
  lastlogin: described('Three lines: time in UTC, IP address, reverse DNS name'),
  currency: text,
});

const amounts = {
  subtotal: Money,
  credit: Money,
  tax: Money,
  tax2: Money,
  total: Money,
  taxrate: Money,
  taxrate2: Money,
};

export const InvoiceListItem = Type.Object({
  id: text,
  userid: text,
  firstname: text,
  lastname: text,
  companyname: text,
  invoicenum: text,
  date: Day,
  duedate: Day,
  datepaid: Moment,
  ...amounts,
  balance: Type.String({ pattern: moneyPattern, 'x-addition': true, description: 'Still to be paid' }),
  status: Type.Enum(invoiceStatuses),
  paymentmethod: text,
  notes: text,
  currencycode: text,
  currencyprefix: text,
  currencysuffix: text,
});

const InvoiceLine = Type.Object({
  id: text,
  type: Type.Enum(documentedLineTypes),
  relid: text,
  description: text,
  amount: Money,
  taxed: Flag01,
});

const InvoiceTax = Type.Object({
  category: Type.Enum(taxCategories),
  rate: Money,
  country: described('The country whose tax it is'),
  base: Money,
  tax: Money,
  reason: described('Why no VAT is charged; empty if VAT is charged'),
  reasoncode: described('Code from the VATEX list; empty if none applies'),
});

export const InvoiceDetail = Type.Object({
  invoiceid: text,
  invoicenum: text,
  userid: text,
  date: Day,
  duedate: Day,
  datepaid: Moment,
  ...amounts,
  balance: Money,
  status: Type.Enum(invoiceStatuses),
  paymentmethod: text,
  notes: text,
  ccgateway: Type.Boolean(),
  items: Type.Object({ item: Type.Array(InvoiceLine) }),
  taxes: Type.Array(InvoiceTax, {
    'x-addition': true,
    description: 'The VAT by category and rate; empty if the provider does not compute VAT',
  }),
  transactions: described('One line per payment; empty if there is none'),
});

/** Of a contact or an invitation. */
export const serviceLimitFields = {
  limited: Type.Enum(['0', '1'], { 'x-addition': true, description: '1 if the person can see only some services' }),
  services: Type.String({
    'x-addition': true,
    description: 'Numbers of these services, comma-separated; services that you cannot see are left out',
  }),
};

export const Contact = Type.Object({
  id: text,
  firstname: text,
  lastname: text,
  companyname: text,
  email: text,
  ...postalAddress,
  country: text,
  phonenumber: text,
  subaccount: Flag01,
  permissions: described('Scopes of a sub-account, comma-separated'),
  ...serviceLimitFields,
  domainemails: Flag01,
  generalemails: Flag01,
  invoiceemails: Flag01,
  productemails: Flag01,
  supportemails: Flag01,
  affiliateemails: Flag01,
  status: text,
});

export const ContactId = Type.Object({ contactid: text });
