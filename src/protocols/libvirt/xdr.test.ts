import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { LibvirtError } from './error.ts';
import { encodeMessage, messageSplitter, type Message } from './message.ts';
import { connectGetAllDomainStats, storagePoolGetInfo } from './procedures.ts';
import {
  decode,
  encode,
  float64,
  int32,
  int64,
  list,
  opaque,
  optional,
  struct,
  tagged,
  text,
  uint32,
  uint64,
} from './xdr.ts';

const everything = struct({
  int32,
  uint32,
  int64,
  uint64,
  float64,
  text,
  bytes: opaque(7),
  maybe: optional(text),
  many: list(struct({ text, int32 })),
  either: tagged<string>({ 7: text }),
});
const plain = { noNullPrototype: true };
const anything = fc.record(
  {
    int32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    uint32: fc.nat(2 ** 32 - 1),
    int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    float64: fc.double(),
    text: fc.string({ unit: 'grapheme' }),
    bytes: fc.uint8Array({ minLength: 7, maxLength: 7 }).map((bytes) => Buffer.from(bytes)),
    maybe: fc.option(fc.string(), { nil: undefined }),
    many: fc.array(fc.record({ text: fc.string(), int32: fc.nat(9) }, plain)),
    either: fc.record({ tag: fc.constant(7), value: fc.string() }, plain),
  },
  plain,
);
const anyMessage: fc.Arbitrary<Message> = fc.record(
  {
    program: fc.nat(2 ** 32 - 1),
    procedure: fc.nat(1000),
    type: fc.nat(6),
    serial: fc.nat(2 ** 32 - 1),
    status: fc.nat(2),
    payload: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  },
  plain,
);

function expectValueOrLibvirtError(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof LibvirtError, String(error));
  }
}

describe('XDR', () => {
  it('decodes what it encoded, in units of four bytes', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const bytes = encode(everything, value);
        assert.equal(bytes.length % 4, 0);
        assert.deepEqual(decode(everything, bytes), value);
      }),
    );
  });

  it('rejects truncated and excess bytes, and limits lists by the bytes available', () => {
    fc.assert(
      fc.property(anything, fc.nat(), (value, cut) => {
        const bytes = encode(everything, value);
        assert.throws(() => decode(everything, bytes.subarray(0, cut % bytes.length)), LibvirtError);
        assert.throws(() => decode(everything, Buffer.concat([bytes, Buffer.alloc(4)])), LibvirtError);
      }),
    );
    assert.throws(() => decode(list(int32), Buffer.from('ffffffff', 'hex')), { kind: 'badResponse' });
  });

  it('decodes or rejects any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
        for (const codec of [connectGetAllDomainStats.result, storagePoolGetInfo.result])
          expectValueOrLibvirtError(() => codec.read({ bytes: Buffer.from(garbage), position: 0 }));
      }),
    );
  });
});

describe('libvirt messages', () => {
  it('are reassembled from chunks of any size', () => {
    fc.assert(
      fc.property(
        fc.array(anyMessage, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 50 })),
        (messages, cuts) => {
          const bytes = Buffer.concat(messages.map(encodeMessage));
          const split = messageSplitter();
          const received: Message[] = [];
          let position = 0;
          for (const cut of [...cuts, bytes.length]) {
            received.push(...split(bytes.subarray(position, position + cut)));
            position = Math.min(bytes.length, position + cut);
          }
          assert.deepEqual(received, messages);
        },
      ),
    );
  });

  it('are rejected if their length or version is invalid', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (garbage) =>
        expectValueOrLibvirtError(() => messageSplitter()(Buffer.from(garbage))),
      ),
    );
    assert.throws(() => messageSplitter()(Buffer.from('00000004', 'hex')), { kind: 'badResponse' });
    assert.throws(() => messageSplitter()(Buffer.from('7fffffff', 'hex')), { kind: 'badResponse' });
  });
});
