import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { parseDeliveryStatus } from './delivery-status.ts';

const report = `Reporting-MTA: dns; relay.example.net
Arrival-Date: Tue, 17 Nov 2026 04:00:00 +0000 (UTC)

Final-Recipient: rfc822; nobody@example.net
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 No such
  user here

Final-Recipient: rfc822; slow@example.net
Action: DELAYED
Status: 4.4.1 (no response)
`;

describe('a delivery status', () => {
  const expected = [
    { action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 No such user here' },
    { action: 'delayed', status: '4.4.1', diagnostic: '4.4.1' },
  ];

  it('has the fields of each recipient, with either line end', () => {
    assert.deepEqual(parseDeliveryStatus(report), expected);
    assert.deepEqual(parseDeliveryStatus(report.replaceAll('\n', '\r\n')), expected);
  });

  it('is empty for other text, and never throws', () => {
    assert.deepEqual(parseDeliveryStatus('Hello\n\nThis is no report: really'), []);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        for (const { action } of parseDeliveryStatus(text)) assert.equal(action, action.toLowerCase());
      }),
    );
  });

  it('keeps what a mail server writes, however it is folded', () => {
    const word = fc.stringMatching(/^[!-9;-~]{1,20}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const text = `Action: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; ${words.join('\n ')}\n`;
        assert.equal(parseDeliveryStatus(text)[0]!.diagnostic, words.join(' '));
      }),
    );
  });
});
