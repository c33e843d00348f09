import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeMessage, encodeMessage } from './message.ts';
import { TSIG_ERROR, type TsigAlgorithm, type TsigKey, signMessage, tsigBytes, verifyMessage } from './tsig.ts';
import { TYPE } from './types.ts';

const message = encodeMessage({
  id: 99,
  flags: 0,
  opcode: 0,
  rcode: 0,
  questions: [{ name: 'example.test', type: TYPE.AXFR, class: 1 }],
  answers: [],
  authorities: [],
  additionals: [],
});
const keys = (['hmac-sha256', 'hmac-sha1', 'hmac-sha512'] as const).map(keyOf);

function keyOf(algorithm: TsigAlgorithm): TsigKey {
  return { name: 'transfer.test', algorithm, secret: Buffer.from('a secret of this test') };
}

function verify(bytes: Buffer, key: TsigKey | undefined, nowSeconds = 1000, priorMac?: Buffer): number {
  return verifyMessage(bytes, decodeMessage(bytes).tsig!, key, { nowSeconds, ...(priorMac && { priorMac }) });
}

describe('a transaction signature', () => {
  it('made by a key is accepted by the same key, for each algorithm', () => {
    for (const key of keys) {
      const { bytes, mac } = signMessage(message, key, { timeSeconds: 1000 });
      assert.equal(verify(bytes, key), TSIG_ERROR.NONE);
      assert.equal(bytes.length - message.length, tsigBytes(key));
      const answer = signMessage(message, key, { timeSeconds: 1000, priorMac: mac });
      assert.equal(verify(answer.bytes, key, 1000, mac), TSIG_ERROR.NONE);
      assert.equal(verify(answer.bytes, key), TSIG_ERROR.BADSIG, 'an answer belongs to its request');
    }
  });

  it('is refused when the message, the secret, the key or the time is another', () => {
    const key = keyOf('hmac-sha256');
    const { bytes } = signMessage(message, key, { timeSeconds: 1000 });
    for (let at = 2; at < message.length; at++) {
      const tampered = Buffer.from(bytes);
      tampered[at]! ^= 0x20;
      let tsig;
      try {
        ({ tsig } = decodeMessage(tampered));
      } catch {
        continue;
      }
      if (tsig) assert.equal(verifyMessage(tampered, tsig, key, { nowSeconds: 1000 }), TSIG_ERROR.BADSIG, `byte ${at}`);
    }
    assert.equal(verify(bytes, { ...key, secret: Buffer.from('other') }), TSIG_ERROR.BADSIG);
    assert.equal(verify(bytes, keyOf('hmac-sha512')), TSIG_ERROR.BADKEY);
    assert.equal(verify(bytes, undefined), TSIG_ERROR.BADKEY);
    assert.equal(verify(bytes, key, 1301), TSIG_ERROR.BADTIME);
    assert.equal(verify(bytes, key, 700), TSIG_ERROR.NONE);
  });
});
