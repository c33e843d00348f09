// The machine-readable invoice: EN 16931 in UN/CEFACT Cross Industry Invoice syntax, as Factur-X embeds it into a PDF.
// The schema fixes the names and their order. It does not allow negative prices, so a credit line has the quantity -1.
import { dayNumberText } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import {
  electronicAddress,
  lineTax,
  negateAmounts,
  taxBreakdown,
  type DocumentLine,
  type InvoiceDocument,
  type Party,
  type Seller,
} from './invoice-document.ts';
import type { TaxSubtotal } from '../tax/totals.ts';
import { element, optional, type Element } from '#lib/xml-elements.ts';

const guideline = 'urn:cen.eu:en16931:2017';
const typeCodes = { invoice: '380', 'credit note': '381' } as const;
/** UNTDID 4461: SEPA credit transfer. */
const sepaTransfer = '58';
/** UN/ECE Recommendation 20: one piece. */
const piece = 'C62';

export function createCrossIndustryInvoice(issued: InvoiceDocument): string {
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
        element('ram:IssueDateTime', [dayElement(document.day)]),
        ...optional(document.notes, (notes) => element('ram:IncludedNote', [element('ram:Content', notes)])),
      ]),
      element('rsm:SupplyChainTradeTransaction', [
        ...document.lines.map((line, index) => tradeLine(document, line, index + 1)),
        element('ram:ApplicableHeaderTradeAgreement', [
          ...optional(document.buyer.reference, (text) => element('ram:BuyerReference', text)),
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

function dayElement(day: number): Element {
  return element('udt:DateTimeString', dayNumberText(day).replaceAll('-', ''), { format: '102' });
}

function tradeLine(document: InvoiceDocument, line: DocumentLine, position: number): Element {
  const quantity = line.cents < 0 ? '-1' : '1';
  const { category, rate } = lineTax(document, line);
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
        element('ram:CategoryCode', category),
        element('ram:RateApplicablePercent', moneyText(rate)),
      ]),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', [
        element('ram:LineTotalAmount', moneyText(line.cents)),
      ]),
    ]),
  ]);
}

function partyElements(party: Party | Seller, registration: string): Element[] {
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
    ...electronicAddress(party).map(({ scheme, id }) =>
      element('ram:URIUniversalCommunication', [element('ram:URIID', id, { schemeID: scheme })]),
    ),
    ...optional(party.vatNumber, (number) => taxRegistration(number, 'VA')),
    ...optional('taxNumber' in party ? party.taxNumber : '', (number) => taxRegistration(number, 'FC')),
  ];
}

function taxRegistration(number: string, schemeID: 'VA' | 'FC'): Element {
  return element('ram:SpecifiedTaxRegistration', [element('ram:ID', number, { schemeID })]);
}

function settlementElement(document: InvoiceDocument): Element {
  const { seller, currency } = document;
  const tax = document.taxes[0].cents;
  return element('ram:ApplicableHeaderTradeSettlement', [
    element('ram:PaymentReference', document.number),
    ...optional(document.exchange?.currency, (code) => element('ram:TaxCurrencyCode', code)),
    element('ram:InvoiceCurrencyCode', currency.code),
    ...optional(seller.iban, (iban) =>
      element('ram:SpecifiedTradeSettlementPaymentMeans', [
        element('ram:TypeCode', sepaTransfer),
        element('ram:PayeePartyCreditorFinancialAccount', [element('ram:IBANID', iban)]),
      ]),
    ),
    ...taxBreakdown(document).map(taxElement),
    element('ram:SpecifiedTradePaymentTerms', [element('ram:DueDateDateTime', [dayElement(document.dueDay)])]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      element('ram:LineTotalAmount', moneyText(document.subtotalCents)),
      element('ram:TaxBasisTotalAmount', moneyText(document.subtotalCents)),
      element('ram:TaxTotalAmount', moneyText(tax), { currencyID: currency.code }),
      ...(document.exchange === undefined
        ? []
        : [
            element('ram:TaxTotalAmount', moneyText(document.exchange.tax_cents), {
              currencyID: document.exchange.currency,
            }),
          ]),
      element('ram:GrandTotalAmount', moneyText(document.subtotalCents + tax)),
      element('ram:TotalPrepaidAmount', moneyText(document.creditCents)),
      element('ram:DuePayableAmount', moneyText(document.totalCents)),
    ]),
    ...optional(document.corrects, (number) =>
      element('ram:InvoiceReferencedDocument', [element('ram:IssuerAssignedID', number)]),
    ),
  ]);
}

function taxElement({ category, rate, reason, reasonCode, baseCents, taxCents }: TaxSubtotal): Element {
  return element('ram:ApplicableTradeTax', [
    element('ram:CalculatedAmount', moneyText(taxCents)),
    element('ram:TypeCode', 'VAT'),
    ...optional(reason, (text) => element('ram:ExemptionReason', text)),
    element('ram:BasisAmount', moneyText(baseCents)),
    element('ram:CategoryCode', category),
    ...optional(reasonCode, (code) => element('ram:ExemptionReasonCode', code)),
    element('ram:RateApplicablePercent', moneyText(rate)),
  ]);
}
