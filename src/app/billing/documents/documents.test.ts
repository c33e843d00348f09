// Verifies invoice documents with other programs: xmllint with the EN 16931 schema, and poppler.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { moneyShare, moneyText } from '#lib/money.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { schemaProblems } from '#test/support/xml-schemas.ts';
import type { AccountId } from '#store/account-id.ts';
import { createCrossIndustryInvoice } from './cross-industry-invoice.ts';
import { hasElectronicForm, type DocumentLine, type InvoiceDocument } from './invoice-document.ts';
import { renderInvoicePdf } from './invoice-pdf.ts';
import { renderInThread } from './render-in-thread.ts';

const seller = {
  name: 'App & Sons <B.V.>',
  street: ['Gasthuisring 5', 'Second floor'],
  city: 'Tilburg',
  postcode: '5041 DT',
  state: '',
  country: 'NL',
  email: 'billing@example.net',
  vatNumber: 'NL001234567B01',
  registration: 'KvK 12345678',
  iban: 'NL91ABNA0417164300',
  taxNumber: '',
  contact: '',
  phone: '',
  endpoint: '',
};
const buyer = {
  name: 'Étienne "Lyon" Okafor',
  street: ['4 Rue des Lilas'],
  city: 'Lyon',
  postcode: '69003',
  state: 'Rhone',
  country: 'FR',
  email: 'bruno@example.org',
  vatNumber: '',
  reference: '',
  endpoint: '',
};

const noTax = { rate: 0, cents: 0 };
const sum = (amounts: readonly number[]): number => amounts.reduce((total, cents) => total + cents, 0);

function documentOf(lines: readonly DocumentLine[], extra: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const subtotal = sum(lines.map(({ cents }) => cents));
  const tax = moneyShare(sum(lines.map(({ cents, isTaxed }) => (isTaxed ? cents : 0))), 2000);
  return {
    kind: 'invoice',
    number: 'HY-000042',
    corrects: undefined,
    day: 20_772,
    dueDay: 20_786,
    account: 2,
    seller,
    buyer,
    currency: { code: 'EUR', prefix: '€', suffix: ' EUR' },
    lines,
    subtotalCents: subtotal,
    taxes: [{ rate: 2000, cents: tax }, noTax],
    subtotals: [],
    creditCents: 500,
    totalCents: subtotal + tax - 500,
    notes: '',
    ...extra,
  };
}
const line = (description: string, cents: number, isTaxed = true): DocumentLine => ({
  type: 'Hosting',
  service: 1101,
  description,
  cents,
  isTaxed,
});
const ordinaryInvoice = documentOf([line('Dedicated E3, 12 of 30 days at 89.00', 3560), line('Goodwill', -400, false)]);
const corrected = documentOf([line('Ordered twice', -1500)], {
  kind: 'credit note',
  number: 'HY-000043',
  corrects: 'HY-000042',
  creditCents: 0,
  totalCents: -1800,
});

describe('a machine-readable invoice', needs('xmllint'), () => {
  it('is valid by the EN 16931 schema, whatever its texts contain', () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { numRuns: 20, seed: 7 });
    const documents = [
      ordinaryInvoice,
      corrected,
      documentOf([line('Only this', 100)], {
        taxes: [noTax, noTax],
        notes: 'Thanks',
      }),
      documentOf(texts.map((text, index) => line(text, index * 7 - 30, index % 3 > 0))),
    ];
    for (const document of documents)
      assert.equal(schemaProblems('FACTUR-X_EN16931', createCrossIndustryInvoice(document)), '');
  });

  it('adds up: the lines, the tax of each category and the amount due', () => {
    const amounts = fc.array(fc.tuple(fc.integer({ min: -100_000, max: 1_000_000 }), fc.boolean()), { minLength: 1 });
    fc.assert(
      fc.property(amounts, (pairs) => {
        const document = documentOf(pairs.map(([cents, isTaxed]) => line('x', cents, isTaxed)));
        const text = createCrossIndustryInvoice(document);
        const all = (name: string): number[] =>
          [...text.matchAll(new RegExp(`<ram:${name}[^>]*>(-?[0-9]+)\\.([0-9]{2})<`, 'g'))].map(([, whole, part]) =>
            Number(`${whole}${part}`),
          );
        const lines = all('LineTotalAmount');
        const total = lines.pop();
        assert.equal(total, sum(lines));
        assert.equal(sum(all('BasisAmount')), total);
        assert.deepEqual(all('TaxTotalAmount'), [sum(all('CalculatedAmount'))]);
        assert.deepEqual(all('DuePayableAmount'), [document.totalCents]);
        const isNeverNegative = all('ChargeAmount').every((price) => price >= 0);
        assert.ok(isNeverNegative, 'prices are never negative');
      }),
    );
  });

  it('has positive amounts on a credit note, which names the invoice', () => {
    const text = createCrossIndustryInvoice(corrected);
    assert.match(text, /<ram:TypeCode>381</);
    assert.match(text, /<ram:DuePayableAmount>18\.00</);
    assert.match(text, /<ram:IssuerAssignedID>HY-000042</);
  });

  it('is not created for an invoice with a second tax, which the standard does not know', () => {
    assert.equal(hasElectronicForm(ordinaryInvoice), true);
    const taxes = [ordinaryInvoice.taxes[0], { rate: 500, cents: 12 }] as const;
    assert.equal(hasElectronicForm({ ...ordinaryInvoice, taxes }), false);
  });
});

describe('an invoice as PDF', needs('pdftotext', 'pdfdetach'), () => {
  async function writePdf(folder: string, document: InvoiceDocument, inside?: string): Promise<string> {
    const file = join(folder, `${document.number}.pdf`);
    writeFileSync(file, (await renderInvoicePdf(document, inside)).bytes);
    return file;
  }
  const textOf = (file: string): string => execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });

  it('says who owes whom how much for what, and by when', async () => {
    await using folder = await temporaryFolder('invoices');
    const text = textOf(await writePdf(folder.path, ordinaryInvoice));
    const rows = text.split('\n').map((row) => row.trim().replaceAll(/ +/g, ' '));
    for (const words of [
      'App & Sons <B.V.> Invoice',
      'Étienne "Lyon" Okafor',
      'Rhone, France',
      'Dedicated E3, 12 of 30 days at 89.00 1101 €35.60',
      'Goodwill 1101 -€4.00 *',
      'Tax 20.00% €7.12',
      'Credit used -€5.00',
      `Total due €${moneyText(ordinaryInvoice.totalCents)}`,
      'Please pay by 2026-11-29 and use the number HY-000042 as the reference.',
      'IBAN NL91ABNA0417164300',
    ]) {
      const isPrinted = rows.some((row) => row.includes(words));
      assert.ok(isPrinted, `${words} in\n${text}`);
    }
  });

  it('continues over as many pages as needed, without losing a line', async () => {
    await using folder = await temporaryFolder('invoices');
    const many = documentOf(Array.from({ length: 120 }, (_, index) => line(`host${index}.example.net`, 900)));
    const text = textOf(await writePdf(folder.path, many));
    for (let index = 0; index < 120; index++) assert.ok(text.includes(`host${index}.example.net`));
    const pages = text.split('\f').length - 1;
    assert.ok(text.includes(`page ${pages} of ${pages}`));
    assert.equal(text.split('Description').length - 1, pages, 'every page names its columns');
  });

  it('never overlaps text, however long the names, numbers and amounts are', async () => {
    await using folder = await temporaryFolder('invoices');
    const long = documentOf([line('W'.repeat(150), 123_456_789_012), line('a.'.repeat(90), -98_765_432_100)], {
      number: 'A-VERY-LONG-PREFIX-OF-ALL-NUMBERS-2026-0000000042',
      seller: {
        ...seller,
        name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(3),
        street: [],
        city: '',
      },
      buyer: { ...buyer, name: 'Ng'.repeat(80), street: ['z'.repeat(100)] },
      currency: { code: 'USD', prefix: '', suffix: ' US dollars' },
      notes: 'A note that is long. '.repeat(80),
    });
    const file = await writePdf(folder.path, long);
    const boxes = execFileSync('pdftotext', ['-bbox', file, '-'], { encoding: 'utf8' });
    const edges = /<word xMin="([0-9.]+)" yMin="([0-9.]+)" xMax="([0-9.]+)" yMax="([0-9.]+)">/g;
    for (const page of boxes.split('<page ').slice(1)) {
      const words = [...page.matchAll(edges)].map(
        ([, ...four]) => four.map(Number) as [number, number, number, number],
      );
      assert.ok(words.length > 0);
      for (const [index, [left, top, right, bottom]] of words.entries()) {
        assert.ok(left > 0 && right < 596 && bottom < 842, 'on the page');
        // Boxes are as tall as the font's tallest letters, which reach slightly into the next line.
        const overlapping = words.slice(index + 1).find(([x, y, xEnd, yEnd]) => {
          const [wide, high] = [Math.min(right, xEnd) - Math.max(left, x), Math.min(bottom, yEnd) - Math.max(top, y)];
          return wide > 1 && high > 4;
        });
        assert.equal(overlapping, undefined);
      }
    }
  });

  it('embeds the machine-readable invoice byte for byte', async () => {
    await using folder = await temporaryFolder('invoices');
    const xml = createCrossIndustryInvoice(ordinaryInvoice);
    const file = await writePdf(folder.path, ordinaryInvoice, xml);
    assert.match(execFileSync('pdfdetach', ['-list', file], { encoding: 'utf8' }), /factur-x\.xml/);
    const saved = join(folder.path, 'saved.xml');
    execFileSync('pdfdetach', ['-save', '1', '-o', saved, file]);
    assert.equal(readFileSync(saved, 'utf8'), xml);
  });

  it('is the same file every time', async () => {
    const first = await renderInvoicePdf(ordinaryInvoice, undefined);
    const second = await renderInvoicePdf(ordinaryInvoice, undefined);
    assert.ok(first.bytes.equals(second.bytes));
  });

  it('is rendered once if it is opened again soon', async () => {
    const render = (number: string) =>
      renderInThread(1 as AccountId, { kind: 'invoice', document: { ...ordinaryInvoice, number }, embedsXml: false });
    const first = await render('2026-7');
    assert.equal(await render('2026-7'), first);
    assert.notDeepEqual((await render('2026-8')).bytes, first.bytes);
  });

  it('does not wait for all those of another account', async () => {
    const order: string[] = [];
    const render = async (owner: number, number: string): Promise<void> => {
      const document = { ...ordinaryInvoice, number };
      await renderInThread(owner as AccountId, { kind: 'invoice', document, embedsXml: false });
      order.push(number);
    };
    await Promise.all([render(1, 'a1'), render(1, 'a2'), render(1, 'a3'), render(2, 'b1')]);
    assert.deepEqual(order, ['a1', 'b1', 'a2', 'a3']);
  });

  it('uses a font that has characters missing from its own, or reports that there is none', async () => {
    await using folder = await temporaryFolder('invoices');
    const linearA = '\u{10600}';
    for (const name of ['\u05e9\u05dc\u05d5\u05dd', '\u4e2d\u6587 GmbH', `Minos ${linearA} Ltd`]) {
      const document = { ...ordinaryInvoice, buyer: { ...buyer, name } };
      const { bytes, missing } = await renderInvoicePdf(document, undefined);
      const file = join(folder.path, 'letters.pdf');
      writeFileSync(file, bytes);
      const text = textOf(file).replaceAll(/[\u200e\u200f\u202a-\u202e]/g, '');
      const printed = [...name].map((letter) => (missing.includes(letter) ? '?' : letter)).join('');
      assert.ok(text.includes(printed), text);
      assert.equal(text.includes('shown as question marks'), missing.length > 0, text);
      assert.equal(missing.includes(linearA), name.includes(linearA));
    }
  });
});
