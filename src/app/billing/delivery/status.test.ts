// Reports about a document arrive in any order and repeatedly.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { deliveryStates, type DeliveryState } from '#contract/shapes/invoice-delivery.ts';
import { documentId, isFinal, nextDeliveryState, parseDocumentId } from './status.ts';

const report = fc.constantFrom('accepted', 'delivered', 'rejected').map((status) => ({ status }) as const);
const apply = (state: DeliveryState, reports: readonly { status: 'accepted' | 'delivered' | 'rejected' }[]) =>
  reports.reduce<DeliveryState>(nextDeliveryState, state);

describe('the state of a delivery', () => {
  it('advances to the first final report and stays there', () => {
    fc.assert(
      fc.property(fc.array(report), (reports) => {
        const final = reports.find(({ status }) => status !== 'accepted');
        const expected = final?.status ?? (reports.length > 0 ? 'sent' : 'queued');
        assert.equal(apply('queued', reports), expected);
      }),
    );
  });

  it('does not change when a report is repeated', () => {
    fc.assert(
      fc.property(fc.constantFrom(...deliveryStates), report, (state, once) => {
        const after = apply(state, [once]);
        assert.equal(apply(after, [once]), after);
        if (isFinal(state)) assert.equal(after, state);
      }),
    );
  });

  it('belongs to the document that its identifier names', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 1000 }), (invoice, attempt) => {
        assert.deepEqual(parseDocumentId(documentId({ invoice_id: invoice, attempt })), { invoice, attempt });
      }),
    );
    for (const text of ['', 'invoice-0-1', 'invoice-1', 'invoice-1-1-1', 'invoice-01-1', 'invoice-1-1\n'])
      assert.equal(parseDocumentId(text), undefined, text);
  });
});
