import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSession, serializeSession } from './stored-session.ts';

describe('a stored session', () => {
  it('has the form that earlier versions wrote, and is read back', () => {
    const stored = '{"face":"staff","key":"secret"}';
    assert.equal(serializeSession({ portal: 'staff', key: 'secret' }), stored);
    assert.deepEqual(parseSession(stored), { portal: 'staff', key: 'secret' });
  });

  it('is ignored if it is malformed', () => {
    for (const text of ['', 'null', '{}', '{"face":"other","key":"secret"}', '{"face":"customer"}'])
      assert.equal(parseSession(text), undefined, text);
  });
});
