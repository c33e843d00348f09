// The machine-readable invoice in UBL 2.1 syntax: Peppol BIS Billing 3.0, and XRechnung for German authorities. Both are
// EN 16931 with further rules; they differ in their identifier and in which electronic addresses they accept.
import { conflict } from '#lib/api-error.ts';
import { moneyText } from '#lib/money.ts';
import { dayNumberText } from '#lib/time.ts';
import type { TaxSubtotal } from '../tax/totals.ts';
import {
  electronicAddress,
  lineTax,
  negateAmounts,
  taxBreakdown,
  type Buyer,
  type DocumentLine,
  type ElectronicAddress,
  type InvoiceDocument,
  type Party,
  type Seller,
} from './invoice-document.ts';
import { peppolAddress } from './peppol-address.ts';
import { element, optional, type Element } from '#lib/xml-elements.ts';

export type UblFormat = 'peppol' | 'xrechnung';

const customizations: Readonly<Record<UblFormat, string>> = {
  peppol: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
};
const profile = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const kinds = {
  invoice: { root: 'Invoice', typeCode: '380', line: 'InvoiceLine', quantity: 'InvoicedQuantity' },
  'credit note': { root: 'CreditNote', typeCode: '381', line: 'CreditNoteLine', quantity: 'CreditedQuantity' },
} as const;
/** UNTDID 4461: SEPA credit transfer, and an instrument that is not defined. */
const paymentCodes = { transfer: '58', undefined: '1' };
/** UN/ECE Recommendation 20: one piece. */
const piece = 'C62';
const vatScheme = element('cac:TaxScheme', [element('cbc:ID', 'VAT')]);

/** Returns the names of the document's kind and of its business process in the Peppol network. */
export function ublIdentifiers(kind: InvoiceDocument['kind'], format: UblFormat) {
  const { root } = kinds[kind];
  const documentType = `urn:oasis:names:specification:ubl:schema:xsd:${root}-2::${root}##${customizations[format]}::2.1`;
  return { documentType, process: profile };
}

/** Throws if the profile demands something that the seller or the buyer has not set. */
export function requireUblParties(
  { seller, buyer }: Pick<InvoiceDocument, 'seller' | 'buyer'>,
  format: UblFormat,
): { readonly seller: ElectronicAddress; readonly buyer: ElectronicAddress } {
  if (format === 'xrechnung' && (seller.phone === '' || seller.email === ''))
    throw conflict("XRechnung requires the provider's phone number and email address, which are not set.");
  const addressOf = format === 'peppol' ? peppolAddress : electronicAddress;
  return {
    seller: requireAddress(seller, addressOf, 'provider'),
    buyer: requireAddress(buyer, addressOf, 'customer'),
  };
}

export function createUblInvoice(issued: InvoiceDocument, format: UblFormat): string {
  const document = issued.kind === 'credit note' ? negateAmounts(issued) : issued;
  const { seller, buyer } = document;
  const { root, typeCode } = kinds[document.kind];
  const isInvoice = document.kind === 'invoice';
  const addresses = requireUblParties(document, format);
  const content = [
    element('cbc:CustomizationID', customizations[format]),
    element('cbc:ProfileID', profile),
    element('cbc:ID', document.number),
    element('cbc:IssueDate', dayNumberText(document.day)),
    ...(isInvoice ? [element('cbc:DueDate', dayNumberText(document.dueDay))] : []),
    element(`cbc:${root}TypeCode`, typeCode),
    ...optional(document.notes, (notes) => element('cbc:Note', notes)),
    element('cbc:DocumentCurrencyCode', document.currency.code),
    ...optional(document.exchange?.currency, (code) => element('cbc:TaxCurrencyCode', code)),
    // Both profiles demand a reference: without one of the buyer's, it is their customer number.
    element('cbc:BuyerReference', buyer.reference === '' ? String(document.account) : buyer.reference),
    ...optional(document.corrects, (number) =>
      element('cac:BillingReference', [element('cac:InvoiceDocumentReference', [element('cbc:ID', number)])]),
    ),
    element('cac:AccountingSupplierParty', [partyElement(seller, addresses.seller)]),
    element('cac:AccountingCustomerParty', [partyElement(buyer, addresses.buyer)]),
    paymentElement(document),
    taxElement(document),
    ...taxInOwnCurrency(document),
    totalsElement(document),
    ...document.lines.map((line, index) => lineElement(document, line, index + 1)),
  ];
  const namespace = (name: string) => `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`;
  const xml = element(root, content, {
    xmlns: namespace(root),
    'xmlns:cac': namespace('CommonAggregateComponents'),
    'xmlns:cbc': namespace('CommonBasicComponents'),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`;
}

function requireAddress<P extends Party>(
  party: P,
  addressOf: (party: P) => ElectronicAddress[],
  role: 'provider' | 'customer',
): ElectronicAddress {
  const [address] = addressOf(party);
  if (address === undefined)
    throw conflict(`This format requires the electronic address of the ${role}, which is not set.`);
  return address;
}

function partyElement(party: Buyer | Seller, { scheme, id }: ElectronicAddress): Element {
  const [street, second, third] = party.street;
  const part = (name: string, text: string | undefined) => optional(text, (value) => element(name, value));
  return element('cac:Party', [
    element('cbc:EndpointID', id, { schemeID: scheme }),
    element('cac:PostalAddress', [
      ...part('cbc:StreetName', street),
      ...part('cbc:AdditionalStreetName', second),
      ...part('cbc:CityName', party.city),
      ...part('cbc:PostalZone', party.postcode),
      ...part('cbc:CountrySubentity', party.state),
      ...optional(third, (line) => element('cac:AddressLine', [element('cbc:Line', line)])),
      element('cac:Country', [element('cbc:IdentificationCode', party.country)]),
    ]),
    ...optional(party.vatNumber, (number) =>
      element('cac:PartyTaxScheme', [element('cbc:CompanyID', number), vatScheme]),
    ),
    ...optional('taxNumber' in party ? party.taxNumber : '', (number) =>
      element('cac:PartyTaxScheme', [
        element('cbc:CompanyID', number),
        element('cac:TaxScheme', [element('cbc:ID', 'FC')]),
      ]),
    ),
    element('cac:PartyLegalEntity', [element('cbc:RegistrationName', party.name), ...legalId(party, { scheme, id })]),
    ...('contact' in party ? contactElements(party) : []),
  ]);
}

/** Schemes with a leading zero are registers of companies (ISO 6523); Dutch companies must name theirs. */
function legalId(party: Buyer | Seller, { scheme, id }: ElectronicAddress): Element[] {
  if (scheme.startsWith('0')) return [element('cbc:CompanyID', id, { schemeID: scheme })];
  return optional('registration' in party ? party.registration : '', (text) => element('cbc:CompanyID', text));
}

function contactElements({ name, contact, phone, email }: Seller): Element[] {
  if (phone === '' && email === '') return [];
  return [
    element('cac:Contact', [
      element('cbc:Name', contact === '' ? name : contact),
      ...optional(phone, (text) => element('cbc:Telephone', text)),
      ...optional(email, (text) => element('cbc:ElectronicMail', text)),
    ]),
  ];
}

function paymentElement({ seller, number }: InvoiceDocument): Element {
  return element('cac:PaymentMeans', [
    element('cbc:PaymentMeansCode', seller.iban === '' ? paymentCodes.undefined : paymentCodes.transfer),
    element('cbc:PaymentID', number),
    ...optional(seller.iban, (iban) =>
      element('cac:PayeeFinancialAccount', [element('cbc:ID', iban.replaceAll(' ', ''))]),
    ),
  ]);
}

function taxElement(document: InvoiceDocument): Element {
  const { currency, taxes } = document;
  const money = (name: string, cents: number) => element(name, moneyText(cents), { currencyID: currency.code });
  const subtotal = ({ category, rate, reason, reasonCode, baseCents, taxCents }: TaxSubtotal): Element =>
    element('cac:TaxSubtotal', [
      money('cbc:TaxableAmount', baseCents),
      money('cbc:TaxAmount', taxCents),
      element('cac:TaxCategory', [
        element('cbc:ID', category),
        element('cbc:Percent', moneyText(rate)),
        ...optional(reasonCode, (code) => element('cbc:TaxExemptionReasonCode', code)),
        ...optional(reason, (text) => element('cbc:TaxExemptionReason', text)),
        vatScheme,
      ]),
    ]);
  return element('cac:TaxTotal', [money('cbc:TaxAmount', taxes[0].cents), ...taxBreakdown(document).map(subtotal)]);
}

function taxInOwnCurrency({ exchange }: InvoiceDocument): Element[] {
  if (exchange === undefined) return [];
  const amount = element('cbc:TaxAmount', moneyText(exchange.tax_cents), { currencyID: exchange.currency });
  return [element('cac:TaxTotal', [amount])];
}

function totalsElement({ currency, subtotalCents, taxes, creditCents, totalCents }: InvoiceDocument): Element {
  const amounts = {
    LineExtensionAmount: subtotalCents,
    TaxExclusiveAmount: subtotalCents,
    TaxInclusiveAmount: subtotalCents + taxes[0].cents,
    ...(creditCents === 0 ? {} : { PrepaidAmount: creditCents }),
    PayableAmount: totalCents,
  };
  return element(
    'cac:LegalMonetaryTotal',
    Object.entries(amounts).map(([name, cents]) =>
      element(`cbc:${name}`, moneyText(cents), { currencyID: currency.code }),
    ),
  );
}

/** Prices are never negative, so a credit line has the quantity -1. */
function lineElement(document: InvoiceDocument, line: DocumentLine, position: number): Element {
  const { line: lineName, quantity } = kinds[document.kind];
  const money = (name: string, cents: number) =>
    element(name, moneyText(cents), { currencyID: document.currency.code });
  const { category, rate } = lineTax(document, line);
  return element(`cac:${lineName}`, [
    element('cbc:ID', position),
    element(`cbc:${quantity}`, line.cents < 0 ? '-1' : '1', { unitCode: piece }),
    money('cbc:LineExtensionAmount', line.cents),
    element('cac:Item', [
      element('cbc:Name', line.description),
      element('cac:ClassifiedTaxCategory', [
        element('cbc:ID', category),
        element('cbc:Percent', moneyText(rate)),
        vatScheme,
      ]),
    ]),
    element('cac:Price', [money('cbc:PriceAmount', Math.abs(line.cents))]),
  ]);
}
