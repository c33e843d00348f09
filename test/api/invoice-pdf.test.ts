// An invoice as PDF over the API: whose it is, what it carries, and that it stays as it was issued.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { request } from '#test/support/request.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

async function pdfOf(yard: TestYard, invoice: string, key = yard.lab.customer.key) {
  const answer = await fetch(`${yard.url}/v2/account/invoice/pdf?invoice=${invoice}`, {
    headers: { 'x-api-key': key },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

async function invoicesOf(yard: TestYard, key: string): Promise<{ id: string; invoicenum: string }[]> {
  type Listed = { result: { id: string; invoicenum: string }[] };
  return (await request<Listed>(yard, 'GET', '/v2/account/invoice', { key })).body.result;
}

describe('the PDF of an invoice', () => {
  test('is there for every invoice of the account, and for no other', async () => {
    await using yard = await openTestYard();
    const { customer, stranger } = yard.lab;
    for (const { id, invoicenum } of await invoicesOf(yard, customer.key)) {
      const { status, headers, bytes } = await pdfOf(yard, id);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/pdf');
      assert.equal(headers.get('content-disposition'), `inline; filename="${invoicenum}.pdf"`);
      assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
      const theirs = await pdfOf(yard, id, stranger.key);
      const absent = await pdfOf(yard, '987654', stranger.key);
      assert.deepEqual([theirs.status, theirs.bytes], [404, absent.bytes]);
    }
  });

  test('carries the invoice for machines where the country of the account asks for it', async () => {
    await using yard = await openTestYard();
    const { customer, stranger } = yard.lab;
    const [dutch] = await invoicesOf(yard, customer.key);
    const [french] = await invoicesOf(yard, stranger.key);
    assert.ok(!(await pdfOf(yard, dutch!.id)).bytes.includes('factur-x.xml'));
    assert.ok((await pdfOf(yard, french!.id, stranger.key)).bytes.includes('factur-x.xml'));
  });

  test('stays as it was when it was issued, whoever moves', async () => {
    await using yard = await openTestYard();
    const { key } = yard.lab.customer;
    const params = { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL1' };
    const ordered = await request<{ result: { invoiceid: string } }>(yard, 'POST', '/software/order', { key, params });
    const before = await pdfOf(yard, ordered.body.result.invoiceid);
    const { site } = yard;
    const seller = { ...site.provider.seller!, name: 'Another name', city: 'Elsewhere' };
    const customers = site.customers!.map((customer) => ({ ...customer, address1: 'Another street 1' }));
    await applySite(yard.parts, { ...site, provider: { ...site.provider, seller }, customers });
    const after = await pdfOf(yard, ordered.body.result.invoiceid);
    assert.equal(before.status, 200);
    assert.ok(before.bytes.equals(after.bytes));
  });
});
