import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { presencePong } from './asf.ts';
import type { Codec, Command } from './codec.ts';
import * as boot from './commands/boot.ts';
import * as chassis from './commands/chassis.ts';
import * as device from './commands/device.ts';
import * as payload from './commands/payload.ts';
import * as session from './commands/session.ts';
import * as storage from './commands/storage.ts';
import * as user from './commands/user.ts';
import { decodeLogRecord, describeLogRecord } from './event-log.ts';
import { decodeFru, encodeFru } from './fru.ts';
import { openSessionRequest, openSessionResponse, rakp1, rakp2, rakp3, rakp4 } from './handshake.ts';
import { secretKey } from './keys.ts';
import { decodeRequest, decodeResponse } from './message.ts';
import { decodePacket } from './packet.ts';
import { openPacket } from './seal.ts';
import { decodeSensorRecord, expandSharing } from './sensor-record.ts';
import { solFromBmc, solFromConsole } from './sol.ts';
import { cipherSuites, decodeSuiteIds } from './suite.ts';

type AnyCommand = Command<never, unknown>;

function isCommand(value: unknown): value is AnyCommand {
  return typeof value === 'object' && value !== null && 'netFn' in value && 'request' in value;
}

const commands = [boot, chassis, device, payload, session, storage, user]
  .flatMap((module): unknown[] => Object.values(module))
  .filter(isCommand);
const codecs: Codec<never>[] = [openSessionRequest, openSessionResponse, rakp1, rakp2, rakp3, rakp4].map(
  (codec) => codec as Codec<never>,
);
const decoders: ((bytes: Buffer) => unknown)[] = [
  ...commands.flatMap((command) => [command.request.decode, command.response.decode]),
  ...codecs.map((codec) => codec.decode),
  presencePong.decode,
  boot.bootFlags.decode,
  solFromBmc.decode,
  solFromConsole.decode,
  decodeRequest,
  decodeResponse,
  decodeFru,
  decodeSensorRecord,
  decodeLogRecord,
  decodeSuiteIds,
];

const datagrams = fc.uint8Array({ maxLength: 120, size: 'max' }).map((bytes) => Buffer.from(bytes));

describe('decoders', () => {
  it('cover all commands', () => assert.ok(commands.length >= 24));

  it('never throw on random bytes', () => {
    fc.assert(
      fc.property(datagrams, (bytes) => {
        for (const decode of decoders) decode(bytes);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never throw on packets with a valid header and random content', () => {
    const keys = cipherSuites.map((suite) => ({
      suite,
      integrityKey: secretKey(Buffer.alloc(20)),
      confidentialityKey: secretKey(Buffer.alloc(16)),
    }));
    const headers = fc.constantFrom('0600ff06000011be', '0600ff0700', '0600ff0706', '0600ff0706c0');
    fc.assert(
      fc.property(headers, datagrams, (header, rest) => {
        const packet = decodePacket(Buffer.concat([Buffer.from(header, 'hex'), rest]));
        if (packet?.format === 'rmcpPlus') for (const key of keys) openPacket(key, packet);
      }),
      { numRuns: 5_000 },
    );
  });

  it('describe any event, with a sensor of any kind', () => {
    const entries = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).fill(0x02, 2, 3));
    const records = fc.uint8Array({ minLength: 60, maxLength: 60, size: 'max' }).map((bytes) => {
      const record = Buffer.from(bytes);
      record[3] = (record[3]! & 1) + 1;
      record[47] = record[31] = 0xc4;
      return decodeSensorRecord(record);
    });
    let described = 0;
    fc.assert(
      fc.property(entries, records, (bytes, sensor) => {
        const entry = decodeLogRecord(bytes)!;
        const sensors = sensor === undefined ? [] : [{ ...sensor, number: entry.event!.sensor }];
        assert.match(describeLogRecord(entry, sensors).text, /\S: \S/);
        for (const { number } of sensors.flatMap(expandSharing)) assert.ok(number >= entry.event!.sensor);
        described += sensors.length;
      }),
      { numRuns: 2_000 },
    );
    assert.ok(described > 100, `only ${described} with a sensor`);
  });

  it('never throw on a modified FRU inventory with valid checksums', () => {
    const inventory = encodeFru({
      product: { manufacturer: 'a', product: 'b', partNumber: 'c', version: '', serial: 'd', assetTag: '' },
    });
    fc.assert(
      fc.property(fc.nat(inventory.length - 2), fc.nat(255), (at, value) => {
        const changed = Buffer.from(inventory);
        const last = at < 8 ? 7 : changed.length - 1;
        if (at === last) return;
        changed.writeUInt8((changed.readUInt8(last) + changed.readUInt8(at) - value) & 0xff, last);
        changed.writeUInt8(value, at);
        decodeFru(changed);
      }),
      { numRuns: 2_000 },
    );
  });
});
