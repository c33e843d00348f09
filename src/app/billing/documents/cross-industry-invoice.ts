// The same invoice for machines: EN 16931 in the syntax of UN/CEFACT's Cross Industry Invoice, as Factur-X puts it into a PDF.
// The names and their order are the schema's. Prices may not be negative there, so a line that gives money back has the
// quantity -1.
import { dayNumberText } from '#kernel/moments.ts';
import { moneyText } from '#kernel/money.ts';
import { taxBases, type DocumentLine, type InvoiceDocument, type Party, type Seller } from './invoice-document.ts';

const guideline = 'urn:cen.eu:en16931:2017';
const typeCodes = { invoice: '380', 'credit note': '381' } as const;
/** UNTDID 4461: transfer by SEPA. */
const sepaTransfer = '58';
/** UN/ECE Recommendation 20: one piece. */
const piece = 'C62';

type Content = string | number | readonly Element[];
type Element = string;

function element(name: string, content: Content, attributes: Readonly<Record<string, string>> = {}): Element {
  const inner = Array.isArray(content) ? content.join('') : escaped(String(content));
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${given.join('')}>${inner}</${name}>`;
}

/** Control characters have no place in XML at all. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Where the invoice has a second tax there is no such form: EN 16931 knows one kind of tax. */
export function hasCrossIndustryForm(document: InvoiceDocument): boolean {
  return document.taxes[1].cents === 0 && document.seller.country !== '';
}

export function crossIndustryInvoice(given: InvoiceDocument): string {
  // What is given back stands on a credit note as a positive amount; on ours, as a negative one.
  const document = given.kind === 'credit note' ? withSignsTurned(given) : given;
  const invoice = element(
    'rsm:CrossIndustryInvoice',
    [
      element('rsm:ExchangedDocumentContext', [
        element('ram:GuidelineSpecifiedDocumentContextParameter', [element('ram:ID', guideline)]),
      ]),
      element('rsm:ExchangedDocument', [
        element('ram:ID', document.number),
        element('ram:TypeCode', typeCodes[document.kind]),
        element('ram:IssueDateTime', [day('udt', document.day)]),
        ...(document.notes === '' ? [] : [element('ram:IncludedNote', [element('ram:Content', document.notes)])]),
      ]),
      element('rsm:SupplyChainTradeTransaction', [
        ...document.lines.map((line, index) => tradeLine(document, line, index + 1)),
        element('ram:ApplicableHeaderTradeAgreement', [
          element('ram:SellerTradeParty', sellerParty(document.seller)),
          element('ram:BuyerTradeParty', party(document.buyer, [])),
        ]),
        '<ram:ApplicableHeaderTradeDelivery/>',
        settlement(document),
      ]),
    ],
    {
      'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
      'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
      'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
      'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
    },
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${invoice}\n`;
}

function withSignsTurned(document: InvoiceDocument): InvoiceDocument {
  const [tax, tax2] = document.taxes;
  return {
    ...document,
    lines: document.lines.map((line) => ({ ...line, cents: -line.cents })),
    subtotalCents: -document.subtotalCents,
    taxes: [
      { ...tax, cents: -tax.cents },
      { ...tax2, cents: -tax2.cents },
    ],
    creditCents: -document.creditCents,
    totalCents: -document.totalCents,
  };
}

function day(namespace: 'udt' | 'qdt', number: number): Element {
  return element(`${namespace}:DateTimeString`, dayNumberText(number).replaceAll('-', ''), { format: '102' });
}

function tradeLine(document: InvoiceDocument, line: DocumentLine, place: number): Element {
  const quantity = line.cents < 0 ? '-1' : '1';
  return element('ram:IncludedSupplyChainTradeLineItem', [
    element('ram:AssociatedDocumentLineDocument', [element('ram:LineID', place)]),
    element('ram:SpecifiedTradeProduct', [element('ram:Name', line.description)]),
    element('ram:SpecifiedLineTradeAgreement', [
      element('ram:NetPriceProductTradePrice', [element('ram:ChargeAmount', moneyText(Math.abs(line.cents)))]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', [element('ram:BilledQuantity', quantity, { unitCode: piece })]),
    element('ram:SpecifiedLineTradeSettlement', [
      element('ram:ApplicableTradeTax', [
        element('ram:TypeCode', 'VAT'),
        element('ram:CategoryCode', categoryOf(document, line.isTaxed)),
        element('ram:RateApplicablePercent', moneyText(rateOf(document, line.isTaxed))),
      ]),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', [
        element('ram:LineTotalAmount', moneyText(line.cents)),
      ]),
    ]),
  ]);
}

/** S: the standard rate. E: exempt. */
function categoryOf(document: InvoiceDocument, isTaxed: boolean): 'S' | 'E' {
  return rateOf(document, isTaxed) > 0 ? 'S' : 'E';
}

function rateOf(document: InvoiceDocument, isTaxed: boolean): number {
  return isTaxed ? document.taxes[0].rate : 0;
}

function sellerParty(seller: Seller): Element[] {
  const registered =
    seller.registration === ''
      ? []
      : [element('ram:SpecifiedLegalOrganization', [element('ram:ID', seller.registration)])];
  return party(seller, registered);
}

function party(one: Party, organization: Element[]): Element[] {
  const [first, second] = one.street;
  const optional = (name: string, text: string | undefined): Element[] =>
    text === undefined || text === '' ? [] : [element(name, text)];
  return [
    element('ram:Name', one.name),
    ...organization,
    element('ram:PostalTradeAddress', [
      ...optional('ram:PostcodeCode', one.postcode),
      ...optional('ram:LineOne', first),
      ...optional('ram:LineTwo', second),
      ...optional('ram:CityName', one.city),
      element('ram:CountryID', one.country),
      ...optional('ram:CountrySubDivisionName', one.state),
    ]),
    ...(one.email === ''
      ? []
      : [element('ram:URIUniversalCommunication', [element('ram:URIID', one.email, { schemeID: 'EM' })])]),
    ...(one.vatNumber === ''
      ? []
      : [element('ram:SpecifiedTaxRegistration', [element('ram:ID', one.vatNumber, { schemeID: 'VA' })])]),
  ];
}

function settlement(document: InvoiceDocument): Element {
  const { seller, currency } = document;
  const tax = document.taxes[0].cents;
  const corrected =
    document.corrects === undefined
      ? []
      : [element('ram:InvoiceReferencedDocument', [element('ram:IssuerAssignedID', document.corrects)])];
  return element('ram:ApplicableHeaderTradeSettlement', [
    element('ram:PaymentReference', document.number),
    element('ram:InvoiceCurrencyCode', currency.code),
    ...(seller.iban === ''
      ? []
      : [
          element('ram:SpecifiedTradeSettlementPaymentMeans', [
            element('ram:TypeCode', sepaTransfer),
            element('ram:PayeePartyCreditorFinancialAccount', [element('ram:IBANID', seller.iban)]),
          ]),
        ]),
    ...taxBreakdown(document),
    element('ram:SpecifiedTradePaymentTerms', [element('ram:DueDateDateTime', [day('udt', document.dueDay)])]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      element('ram:LineTotalAmount', moneyText(document.subtotalCents)),
      element('ram:TaxBasisTotalAmount', moneyText(document.subtotalCents)),
      element('ram:TaxTotalAmount', moneyText(tax), { currencyID: currency.code }),
      element('ram:GrandTotalAmount', moneyText(document.subtotalCents + tax)),
      element('ram:TotalPrepaidAmount', moneyText(document.creditCents)),
      element('ram:DuePayableAmount', moneyText(document.totalCents)),
    ]),
    ...corrected,
  ]);
}

/** One entry for each category that a line has. */
function taxBreakdown(document: InvoiceDocument): Element[] {
  const bases = taxBases(document);
  const [tax] = document.taxes;
  const isStandard = tax.rate > 0 && document.lines.some((line) => line.isTaxed);
  const isExempt = document.lines.some((line) => categoryOf(document, line.isTaxed) === 'E');
  const exempt = bases.untaxed + (tax.rate > 0 ? 0 : bases.taxed);
  const entry = (category: 'S' | 'E', base: number, cents: number, rate: number): Element =>
    element('ram:ApplicableTradeTax', [
      element('ram:CalculatedAmount', moneyText(cents)),
      element('ram:TypeCode', 'VAT'),
      ...(category === 'E' ? [element('ram:ExemptionReason', 'Not subject to value-added tax')] : []),
      element('ram:BasisAmount', moneyText(base)),
      element('ram:CategoryCode', category),
      element('ram:RateApplicablePercent', moneyText(rate)),
    ]);
  return [
    ...(isStandard ? [entry('S', bases.taxed, tax.cents, tax.rate)] : []),
    ...(isExempt ? [entry('E', exempt, 0, 0)] : []),
  ];
}
