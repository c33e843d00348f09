// The machine-readable invoice: EN 16931 in UN/CEFACT Cross Industry Invoice syntax, as Factur-X embeds it into a PDF.
// The schema fixes the names and their order. It does not allow negative prices, so a credit line has the quantity -1.
import { dayNumberText } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { taxBases, type DocumentLine, type InvoiceDocument, type Party } from './invoice-document.ts';

const guideline = 'urn:cen.eu:en16931:2017';
const typeCodes = { invoice: '380', 'credit note': '381' } as const;
/** UNTDID 4461: SEPA credit transfer. */
const sepaTransfer = '58';
/** UN/ECE Recommendation 20: one piece. */
const piece = 'C62';

type Content = string | number | readonly Element[];
type Element = string;

function element(name: string, content: Content, attributes: Readonly<Record<string, string>> = {}): Element {
  const inner = Array.isArray(content) ? content.join('') : escapeXml(String(content));
  const attributeTexts = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${attributeTexts.join('')}>${inner}</${name}>`;
}

/** Returns no element for an empty text. */
function optional(text: string | undefined, create: (text: string) => Element): Element[] {
  return text === undefined || text === '' ? [] : [create(text)];
}

/** XML does not allow control characters at all. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Returns false for an invoice with a second tax: EN 16931 knows one kind of tax. */
export function hasCrossIndustryForm(document: InvoiceDocument): boolean {
  return document.taxes[1].cents === 0 && document.seller.country !== '';
}

export function createCrossIndustryInvoice(issued: InvoiceDocument): string {
  // EN 16931 credit notes have positive amounts; ours have negative ones.
  const document = issued.kind === 'credit note' ? negateAmounts(issued) : issued;
  const invoice = element(
    'rsm:CrossIndustryInvoice',
    [
      element('rsm:ExchangedDocumentContext', [
        element('ram:GuidelineSpecifiedDocumentContextParameter', [element('ram:ID', guideline)]),
      ]),
      element('rsm:ExchangedDocument', [
        element('ram:ID', document.number),
        element('ram:TypeCode', typeCodes[document.kind]),
        element('ram:IssueDateTime', [dayElement('udt', document.day)]),
        ...optional(document.notes, (notes) => element('ram:IncludedNote', [element('ram:Content', notes)])),
      ]),
      element('rsm:SupplyChainTradeTransaction', [
        ...document.lines.map((line, index) => tradeLine(document, line, index + 1)),
        element('ram:ApplicableHeaderTradeAgreement', [
          element('ram:SellerTradeParty', partyElements(document.seller, document.seller.registration)),
          element('ram:BuyerTradeParty', partyElements(document.buyer, '')),
        ]),
        '<ram:ApplicableHeaderTradeDelivery/>',
        settlementElement(document),
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

function negateAmounts(document: InvoiceDocument): InvoiceDocument {
  const negate = <T extends { readonly cents: number }>(part: T): T => ({ ...part, cents: -part.cents });
  return {
    ...document,
    lines: document.lines.map(negate),
    subtotalCents: -document.subtotalCents,
    taxes: [negate(document.taxes[0]), negate(document.taxes[1])],
    creditCents: -document.creditCents,
    totalCents: -document.totalCents,
  };
}

function dayElement(namespace: 'udt' | 'qdt', number: number): Element {
  return element(`${namespace}:DateTimeString`, dayNumberText(number).replaceAll('-', ''), { format: '102' });
}

function tradeLine(document: InvoiceDocument, line: DocumentLine, position: number): Element {
  const quantity = line.cents < 0 ? '-1' : '1';
  return element('ram:IncludedSupplyChainTradeLineItem', [
    element('ram:AssociatedDocumentLineDocument', [element('ram:LineID', position)]),
    element('ram:SpecifiedTradeProduct', [element('ram:Name', line.description)]),
    element('ram:SpecifiedLineTradeAgreement', [
      element('ram:NetPriceProductTradePrice', [element('ram:ChargeAmount', moneyText(Math.abs(line.cents)))]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', [element('ram:BilledQuantity', quantity, { unitCode: piece })]),
    element('ram:SpecifiedLineTradeSettlement', [
      element('ram:ApplicableTradeTax', [
        element('ram:TypeCode', 'VAT'),
        element('ram:CategoryCode', taxCategory(document, line.isTaxed)),
        element('ram:RateApplicablePercent', moneyText(taxRate(document, line.isTaxed))),
      ]),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', [
        element('ram:LineTotalAmount', moneyText(line.cents)),
      ]),
    ]),
  ]);
}

/** S is the standard rate, E is exempt. */
function taxCategory(document: InvoiceDocument, isTaxed: boolean): 'S' | 'E' {
  return taxRate(document, isTaxed) > 0 ? 'S' : 'E';
}

function taxRate(document: InvoiceDocument, isTaxed: boolean): number {
  return isTaxed ? document.taxes[0].rate : 0;
}

function partyElements(party: Party, registration: string): Element[] {
  const [first, second] = party.street;
  const addressPart = (name: string, text: string | undefined) => optional(text, (part) => element(name, part));
  return [
    element('ram:Name', party.name),
    ...optional(registration, (id) => element('ram:SpecifiedLegalOrganization', [element('ram:ID', id)])),
    element('ram:PostalTradeAddress', [
      ...addressPart('ram:PostcodeCode', party.postcode),
      ...addressPart('ram:LineOne', first),
      ...addressPart('ram:LineTwo', second),
      ...addressPart('ram:CityName', party.city),
      element('ram:CountryID', party.country),
      ...addressPart('ram:CountrySubDivisionName', party.state),
    ]),
    ...optional(party.email, (email) =>
      element('ram:URIUniversalCommunication', [element('ram:URIID', email, { schemeID: 'EM' })]),
    ),
    ...optional(party.vatNumber, (number) =>
      element('ram:SpecifiedTaxRegistration', [element('ram:ID', number, { schemeID: 'VA' })]),
    ),
  ];
}

function settlementElement(document: InvoiceDocument): Element {
  const { seller, currency } = document;
  const tax = document.taxes[0].cents;
  return element('ram:ApplicableHeaderTradeSettlement', [
    element('ram:PaymentReference', document.number),
    element('ram:InvoiceCurrencyCode', currency.code),
    ...optional(seller.iban, (iban) =>
      element('ram:SpecifiedTradeSettlementPaymentMeans', [
        element('ram:TypeCode', sepaTransfer),
        element('ram:PayeePartyCreditorFinancialAccount', [element('ram:IBANID', iban)]),
      ]),
    ),
    ...taxBreakdown(document),
    element('ram:SpecifiedTradePaymentTerms', [element('ram:DueDateDateTime', [dayElement('udt', document.dueDay)])]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      element('ram:LineTotalAmount', moneyText(document.subtotalCents)),
      element('ram:TaxBasisTotalAmount', moneyText(document.subtotalCents)),
      element('ram:TaxTotalAmount', moneyText(tax), { currencyID: currency.code }),
      element('ram:GrandTotalAmount', moneyText(document.subtotalCents + tax)),
      element('ram:TotalPrepaidAmount', moneyText(document.creditCents)),
      element('ram:DuePayableAmount', moneyText(document.totalCents)),
    ]),
    ...optional(document.corrects, (number) =>
      element('ram:InvoiceReferencedDocument', [element('ram:IssuerAssignedID', number)]),
    ),
  ]);
}

/** Returns one entry for each tax category on the lines. */
function taxBreakdown(document: InvoiceDocument): Element[] {
  const bases = taxBases(document);
  const [tax] = document.taxes;
  const isStandard = tax.rate > 0 && document.lines.some((line) => line.isTaxed);
  const isExempt = document.lines.some((line) => taxCategory(document, line.isTaxed) === 'E');
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
