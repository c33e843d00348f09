import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeMessage, encodeMessage } from './message.ts';
import { tsigErrors, type TsigAlgorithm, type TsigKey, signMessage, tsigBytes, verifyMessage } from './tsig.ts';
import { rrTypes } from './types.ts';

const message = encodeMessage({
  id: 99,
  flags: 0,
  opcode: 0,
  rcode: 0,
  questions: [{ name: 'example.test', type: rrTypes.AXFR, class: 1 }],
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
  it('is verified with the same key, for each algorithm', () => {
    for (const key of keys) {
      const { bytes, mac } = signMessage(message, key, { timeSeconds: 1000 });
      assert.equal(verify(bytes, key), tsigErrors.NONE);
      assert.equal(bytes.length - message.length, tsigBytes(key));
      const answer = signMessage(message, key, { timeSeconds: 1000, priorMac: mac });
      assert.equal(verify(answer.bytes, key, 1000, mac), tsigErrors.NONE);
      assert.equal(verify(answer.bytes, key), tsigErrors.BADSIG, 'a reply belongs to its request');
    }
  });

  it('is rejected if the message, secret, key or time differs', () => {
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
      if (tsig) assert.equal(verifyMessage(tampered, tsig, key, { nowSeconds: 1000 }), tsigErrors.BADSIG, `byte ${at}`);
    }
    assert.equal(verify(bytes, { ...key, secret: Buffer.from('other') }), tsigErrors.BADSIG);
    assert.equal(verify(bytes, keyOf('hmac-sha512')), tsigErrors.BADKEY);
    assert.equal(verify(bytes, undefined), tsigErrors.BADKEY);
    assert.equal(verify(bytes, key, 1301), tsigErrors.BADTIME);
    assert.equal(verify(bytes, key, 700), tsigErrors.NONE);
  });

  it('that is truncated is not accepted, and one with a long fudge expires like others', () => {
    for (const key of keys) {
      const { bytes } = signMessage(message, key, { timeSeconds: 1000 });
      const tsig = decodeMessage(bytes).tsig!;
      const check = (length: number) =>
        verifyMessage(bytes, { ...tsig, mac: tsig.mac.subarray(0, length) }, key, { nowSeconds: 1000 });
      assert.equal(check(tsig.mac.length - 1), tsigErrors.BADTRUNC);
      assert.equal(check(0), tsigErrors.BADSIG);
      assert.equal(check(9), tsigErrors.BADSIG);
    }
    const key = keyOf('hmac-sha256');
    const { bytes } = signMessage(message, key, { timeSeconds: 1000, fudgeSeconds: 50_000 });
    assert.equal(verify(bytes, key), tsigErrors.NONE);
    assert.equal(verify(bytes, key, 1301), tsigErrors.BADTIME);
  });
});
