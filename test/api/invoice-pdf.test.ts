// An invoice as PDF over the API: who can read it, what it contains, and that it stays as issued.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { request, requestResult } from '#test/support/request.ts';
import { countTurns } from '#test/support/turns.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';

async function pdfOf(app: TestApp, invoice: string, key = app.lab.customer.key) {
  const response = await fetch(`${app.url}/v2/account/invoice/pdf?invoice=${invoice}`, {
    headers: { 'x-api-key': key },
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function invoicesOf(app: TestApp, key: string): Promise<{ id: string; invoicenum: string }[]> {
  type InvoiceList = { result: { id: string; invoicenum: string }[] };
  return (await request<InvoiceList>(app, 'GET', '/v2/account/invoice', { key })).body.result;
}

describe('the PDF of an invoice', () => {
  test('exists for every invoice of the account, and for no other', async () => {
    await using app = await openTestApp();
    const { customer, stranger } = app.lab;
    for (const { id, invoicenum } of await invoicesOf(app, customer.key)) {
      const { status, headers, bytes } = await pdfOf(app, id);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/pdf');
      assert.equal(headers.get('content-disposition'), `inline; filename="${invoicenum}.pdf"`);
      assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
      const foreign = await pdfOf(app, id, stranger.key);
      const absent = await pdfOf(app, '987654', stranger.key);
      assert.deepEqual([foreign.status, foreign.bytes], [404, absent.bytes]);
    }
  });

  test("embeds the machine-readable invoice if the account's country requires it", async () => {
    await using app = await openTestApp();
    const { customer, stranger } = app.lab;
    const [dutch] = await invoicesOf(app, customer.key);
    const [french] = await invoicesOf(app, stranger.key);
    assert.ok(!(await pdfOf(app, dutch!.id)).bytes.includes('factur-x.xml'));
    assert.ok((await pdfOf(app, french!.id, stranger.key)).bytes.includes('factur-x.xml'));
  });

  test('stays as issued, even if an address changes', async () => {
    await using app = await openTestApp();
    const { key } = app.lab.customer;
    const params = { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL1' };
    const { invoiceid } = await requestResult<{ invoiceid: string }>(app, 'POST', '/software/order', { key, params });
    const before = await pdfOf(app, invoiceid);
    const { site } = app;
    const seller = { ...site.provider.seller!, name: 'Another name', city: 'Elsewhere' };
    const customers = site.customers!.map((customer) => ({ ...customer, address1: 'Another street 1' }));
    await applySite(app.parts, { ...site, provider: { ...site.provider, seller }, customers });
    const after = await pdfOf(app, invoiceid);
    assert.equal(before.status, 200);
    assert.ok(before.bytes.equals(after.bytes));
  });

  test('is rendered while other requests run, however long it is', async () => {
    await using app = await openTestApp();
    const { queries } = app.parts.store;
    const { id: _, ...line } = await queries.selectFrom('invoice_lines').selectAll().executeTakeFirstOrThrow();
    await queries
      .insertInto('invoice_lines')
      .values(Array.from({ length: 500 }, () => line))
      .execute();
    const key = String(line.account_id) === app.lab.customer.account ? app.lab.customer.key : app.lab.stranger.key;
    for (const file of ['pdf?', 'xml?format=cii&']) {
      const url = `/v2/account/invoice/${file}invoice=${line.invoice_id}`;
      const rendering = app.http.inject({ url, headers: { 'x-api-key': key } });
      const turns = await countTurns(rendering);
      assert.equal((await rendering).statusCode, 200);
      assert.ok(turns > 500, `${turns} turns for ${file}`);
    }
  });
});
