// Client and lab BMC understand each other because every message decodes to what was encoded.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { presencePong } from './asf.ts';
import type { Codec, Command } from './codec.ts';
import { bootDevices, bootFlags, getBootOptions, setBootOptions } from './commands/boot.ts';
import { chassisControl, chassisControls, getChassisStatus, restorePolicies } from './commands/chassis.ts';
import { coldReset, getDeviceId } from './commands/device.ts';
import { activatePayload, deactivatePayload, getSolConfiguration, setSolConfiguration } from './commands/payload.ts';
import {
  closeSession,
  getSessionInfo,
  getChannelAuthenticationCapabilities,
  getChannelCipherSuites,
  privileges,
  setSessionPrivilege,
} from './commands/session.ts';
import {
  getFruInventoryArea,
  getSdr,
  getLogEntry,
  getLogInfo,
  getSdrRepositoryInfo,
  getSensorReading,
  getSensorReadingFactors,
  readFruData,
  reserveLog,
  reserveSdrRepository,
} from './commands/storage.ts';
import { getUserAccess, getUserName, setUserAccess, setUserName, setUserPassword } from './commands/user.ts';
import { decodeFru, encodeFru } from './fru.ts';
import { openSessionRequest, openSessionResponse, rakp1, rakp2, rakp3, rakp4 } from './handshake.ts';
import { secretKey } from './keys.ts';
import { decodeRequest, decodeResponse, encodeRequest, encodeResponse } from './message.ts';
import { decodePacket, encodeAsf, encodeUnprotected, encodeSessionless, type AsfPacket } from './packet.ts';
import { openPacket, sealPacket } from './seal.ts';
import { logEventLayout } from './event-log.ts';
import { decodeSensorRecord, encodeSensorRecord, type SensorRecord } from './sensor-record.ts';
import { solFromBmc, solFromConsole } from './sol.ts';
import { cipherSuites, decodeSuiteIds, encodeSuiteRecords } from './suite.ts';

function record<Value extends object>(model: { [Key in keyof Value]: fc.Arbitrary<Value[Key]> }): fc.Arbitrary<Value> {
  return fc.record<Value>(model, { noNullPrototype: true }) as fc.Arbitrary<Value>;
}

const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
const byte = bits(8);
const word = bits(16);
const long = bits(32);
const flag = fc.boolean();
const bytes = (minLength: number, maxLength = minLength) =>
  fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array));
const printable = (maxLength: number) => fc.string({ unit: 'grapheme-ascii', maxLength });
/** Trailing spaces are not part of packed text. */
const packed = (maxLength: number) => printable(maxLength).map((text) => text.trimEnd());
const empty = fc.constant(null);
const signed = (count: number) => fc.integer({ min: -(2 ** (count - 1)), max: 2 ** (count - 1) - 1 });
const anyOf = <Name extends string>(codes: Readonly<Record<Name, number>>) =>
  fc.constantFrom(...(Object.keys(codes) as Name[]));

function roundTrips<Value>(name: string, codec: Codec<Value>, values: fc.Arbitrary<Value>): void {
  it(`${name} round-trips`, () => {
    fc.assert(
      fc.property(values, (value) => assert.deepEqual(codec.decode(codec.encode(value)), value)),
      { numRuns: 200 },
    );
  });
}

function commandRoundTrips<Request, Response>(
  command: Command<Request, Response>,
  requests: fc.Arbitrary<Request>,
  responses: fc.Arbitrary<Response>,
): void {
  roundTrips(`the request of ${command.name}`, command.request, requests);
  roundTrips(`the response of ${command.name}`, command.response, responses);
}

const algorithms = { authentication: bits(6), integrity: bits(6), confidentiality: bits(6) };
const status = fc.integer({ min: 1, max: 255 });
const rejection = record({ tag: byte, status, consoleSessionId: long });
const accepted = { tag: byte, status: fc.constant(0 as const), consoleSessionId: long };

describe('the handshake', () => {
  roundTrips('the presence pong', presencePong, record({ enterprise: long, supportsIpmi: flag }));
  roundTrips(
    'Open Session',
    openSessionRequest,
    record({ tag: byte, privilege: bits(4), consoleSessionId: long, ...algorithms }),
  );
  roundTrips(
    'the response to Open Session',
    openSessionResponse,
    fc.oneof(rejection, record({ ...accepted, privilege: bits(4), bmcSessionId: long, ...algorithms })),
  );
  const username = printable(16);
  roundTrips(
    'RAKP 1',
    rakp1,
    record({ tag: byte, bmcSessionId: long, consoleRandom: bytes(16), role: byte, username }),
  );
  roundTrips(
    'RAKP 2',
    rakp2,
    fc.oneof(
      rejection,
      record({ ...accepted, bmcRandom: bytes(16), bmcGuid: bytes(16), keyExchangeCode: bytes(20, 32) }),
    ),
  );
  roundTrips('RAKP 3', rakp3, record({ tag: byte, status: byte, bmcSessionId: long, keyExchangeCode: bytes(0, 32) }));
  roundTrips('RAKP 4', rakp4, fc.oneof(rejection, record({ ...accepted, integrityCheck: bytes(12, 16) })));
});

describe('the commands', () => {
  const parameter = bits(7);
  const flags = record({
    isValid: flag,
    device: anyOf(bootDevices),
    isPersistent: flag,
    isUefi: flag,
  });
  commandRoundTrips(
    getDeviceId,
    empty,
    record({
      deviceId: byte,
      deviceRevision: bits(4),
      firmware: fc.tuple(bits(7), byte).map(([major, minor]) => `${major}.${minor.toString(16).padStart(2, '0')}`),
      ipmiVersion: fc.constantFrom('1.5', '2.0'),
      supportsChassis: flag,
      supportsFru: flag,
      supportsSdr: flag,
      manufacturerId: bits(24),
      productId: word,
      auxiliary: bytes(0, 4),
    }),
  );
  commandRoundTrips(coldReset, empty, empty);
  commandRoundTrips(setSessionPrivilege, byte, byte);
  commandRoundTrips(
    closeSession,
    fc.oneof(record({ id: fc.integer({ min: 1, max: 2 ** 32 - 1 }) }), record({ handle: byte })),
    empty,
  );
  commandRoundTrips(
    getSessionInfo,
    byte,
    record({ handle: byte, maxSessions: bits(6), activeSessions: bits(6), login: bytes(0, 3) }),
  );
  commandRoundTrips(
    getChannelAuthenticationCapabilities,
    record({ channel: bits(4), privilege: bits(4) }),
    record({ channel: bits(4), supportsRmcpPlus: flag, isKgSet: flag }),
  );
  commandRoundTrips(
    getChannelCipherSuites,
    record({ channel: bits(4), piece: bits(6) }),
    record({ channel: bits(4), records: bytes(0, 16) }),
  );
  commandRoundTrips(
    getChassisStatus,
    empty,
    record({
      isPowerOn: flag,
      restorePolicy: anyOf(restorePolicies),
      hasPowerFault: flag,
      hasPowerOverload: flag,
      wasLastPowerOnByCommand: flag,
      isIntrusionActive: flag,
      hasDriveFault: flag,
      hasCoolingFault: flag,
    }),
  );
  commandRoundTrips(chassisControl, anyOf(chassisControls), empty);
  roundTrips('the boot flags', bootFlags, flags);
  commandRoundTrips(setBootOptions, record({ parameter, data: bytes(0, 20) }), empty);
  commandRoundTrips(getBootOptions, record({ parameter }), record({ parameter, data: bytes(0, 20) }));
  const user = bits(6);
  const access = {
    privilege: anyOf({ ...privileges, none: 0 }),
    hasMessaging: flag,
    hasLinkAuthentication: flag,
    isCallbackOnly: flag,
  };
  commandRoundTrips(
    getUserAccess,
    record({ channel: bits(4), user }),
    record({
      ...access,
      maxUsers: bits(6),
      enabledUsers: bits(6),
      fixedNames: bits(6),
      isEnabled: fc.constantFrom(true, false, undefined),
    }),
  );
  commandRoundTrips(setUserAccess, record({ ...access, channel: bits(4), user, changesBits: flag }), empty);
  commandRoundTrips(getUserName, byte, printable(16));
  commandRoundTrips(setUserName, record({ user, name: printable(16) }), empty);
  const onOff = record({ operation: fc.constantFrom('disable' as const, 'enable' as const), user });
  const withPassword = record({
    operation: fc.constantFrom('set' as const, 'test' as const),
    user,
    passwordBytes: fc.constantFrom(16 as const, 20 as const),
    password: printable(16),
  });
  commandRoundTrips(setUserPassword, fc.oneof(onOff, withPassword), empty);
  commandRoundTrips(getFruInventoryArea, byte, record({ bytes: word, isAccessedByWords: flag }));
  commandRoundTrips(readFruData, record({ fru: byte, offset: word, count: byte }), bytes(0, 64));
  const times = { freeBytes: word, lastAdded: long, lastErased: long };
  commandRoundTrips(getSdrRepositoryInfo, empty, record({ records: word, ...times }));
  commandRoundTrips(getLogInfo, empty, record({ entries: word, ...times }));
  commandRoundTrips(reserveLog, empty, word);
  commandRoundTrips(reserveSdrRepository, empty, word);
  commandRoundTrips(
    getSdr,
    record({ reservation: word, record: word, offset: byte, count: byte }),
    record({ nextRecord: word, data: bytes(0, 64) }),
  );
  commandRoundTrips(
    getLogEntry,
    record({ reservation: word, record: word, offset: byte, count: byte }),
    record({ nextRecord: word, data: bytes(16, 16) }),
  );
  const states = fc.option(word, { nil: undefined });
  commandRoundTrips(getSensorReading, byte, record({ raw: byte, isAvailable: flag, states }));
  commandRoundTrips(
    getSensorReadingFactors,
    record({ number: byte, raw: byte }),
    record({
      nextReading: byte,
      multiplier: signed(10),
      offset: signed(10),
      offsetExponent: signed(4),
      resultExponent: signed(4),
    }),
  );
  const instance = record({ payload: bits(6), instance: bits(4) });
  commandRoundTrips(activatePayload, instance, record({ inboundBytes: word, outboundBytes: word, udpPort: word }));
  commandRoundTrips(deactivatePayload, instance, empty);
  commandRoundTrips(setSolConfiguration, record({ channel: bits(4), parameter: byte, data: bytes(0, 8) }), empty);
  commandRoundTrips(getSolConfiguration, record({ channel: bits(4), parameter: byte }), bytes(0, 8));
});

describe('contents of commands', () => {
  const packet = {
    sequence: bits(4),
    acknowledged: bits(4),
    acceptedCharacters: byte,
    isNack: flag,
    isBreak: flag,
    data: bytes(0, 200),
  };
  const never = fc.constant(false);
  roundTrips('a SOL packet from the BMC', solFromBmc, record({ ...packet, isDeactivating: flag, isUnavailable: flag }));
  roundTrips(
    'a SOL packet from the console',
    solFromConsole,
    record({ ...packet, isDeactivating: never, isUnavailable: never }),
  );
  const sensor = {
    recordId: word,
    owner: byte,
    lun: bits(2),
    number: byte,
    entity: byte,
    instance: byte,
    sensorType: byte,
    readingType: byte,
    readable: word,
    isPercentage: flag,
    unitCode: byte,
    name: packed(16),
  };
  const conversion = record({
    format: fc.constantFrom('unsigned' as const, 'onesComplement' as const, 'twosComplement' as const, 'none' as const),
    multiplier: signed(10),
    offset: signed(10),
    offsetExponent: signed(4),
    resultExponent: signed(4),
    linearisation: bits(7),
  });
  const thresholds = record({
    upperNonRecoverable: byte,
    upperCritical: byte,
    upperWarning: byte,
    lowerNonRecoverable: byte,
    lowerCritical: byte,
    lowerWarning: byte,
  });
  const sharing = record({ count: bits(4), endsInLetter: flag, firstSuffix: bits(7) });
  roundTrips<SensorRecord>(
    'a sensor record',
    { encode: encodeSensorRecord, decode: decodeSensorRecord },
    fc.oneof(record({ ...sensor, sharing }), record({ ...sensor, conversion, thresholds })),
  );
  roundTrips(
    'an event',
    logEventLayout,
    record({
      recordId: word,
      type: byte,
      seconds: bits(32),
      generator: word,
      revision: byte,
      sensorType: byte,
      sensor: byte,
      readingType: bits(7),
      isDeasserted: flag,
      data: bytes(3, 3),
    }),
  );
  const text = packed(40);
  roundTrips(
    'a FRU inventory',
    { encode: encodeFru, decode: decodeFru },
    fc.record(
      {
        chassis: record({ type: byte, partNumber: text, serial: text }),
        board: record({
          manufacturedMinutes: bits(24),
          manufacturer: text,
          product: text,
          serial: text,
          partNumber: text,
        }),
        product: record({
          manufacturer: text,
          product: text,
          partNumber: text,
          version: text,
          serial: text,
          assetTag: text,
        }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  );
  it('cipher suite records round-trip', () => {
    assert.deepEqual(decodeSuiteIds(encodeSuiteRecords(cipherSuites)), [17, 3]);
  });
});

describe('packets', () => {
  const message = { netFn: bits(5).map((half) => half * 2), code: byte, sequence: bits(6), data: bytes(0, 100) };
  roundTrips('a request', { encode: encodeRequest, decode: decodeRequest }, record(message));
  roundTrips(
    'a response',
    { encode: encodeResponse, decode: decodeResponse },
    record({ ...message, netFn: message.netFn.map((even) => even + 1), completionCode: byte }),
  );
  roundTrips(
    'an ASF packet',
    { encode: encodeAsf, decode: decodeAsf },
    record({ format: fc.constant('asf' as const), type: byte, tag: byte, data: bytes(0, 100) }),
  );

  it('a packet outside a session round-trips', () => {
    fc.assert(
      fc.property(bytes(0, 200), (payload) => {
        assert.deepEqual(decodePacket(encodeSessionless(payload)), { format: 'sessionless', payload });
        const open = decodePacket(encodeUnprotected(0x12, payload));
        assert.equal(open?.format === 'rmcpPlus' && open.payloadType, 0x12);
        assert.deepEqual(open?.format === 'rmcpPlus' && open.payload, payload);
      }),
    );
  });

  for (const suite of cipherSuites) {
    it(`a protected packet of suite ${suite.id} round-trips, and a change of any bit is detected`, () => {
      const integrityKey = secretKey(Buffer.alloc(suite.hashBytes, 7));
      const keys = { suite, integrityKey, confidentialityKey: secretKey(Buffer.alloc(16, 9)) };
      const contents = record({ payloadType: bits(6), sessionId: long, sequence: long, payload: bytes(0, 200) });
      fc.assert(
        fc.property(contents, fc.nat(), (content, position) => {
          const datagram = sealPacket(keys, content);
          const packet = decodePacket(datagram);
          assert.ok(packet?.format === 'rmcpPlus');
          const { payloadType, sessionId, sequence } = packet;
          assert.deepEqual({ payloadType, sessionId, sequence, payload: openPacket(keys, packet) }, content);
          const bit = (4 * 8 + position) % (datagram.length * 8 - 4 * 8);
          const forged = Buffer.from(datagram);
          forged.writeUInt8(forged.readUInt8(4 + (bit >> 3)) ^ (1 << (bit & 7)), 4 + (bit >> 3));
          const forgedPacket = decodePacket(forged);
          if (forgedPacket?.format === 'rmcpPlus') assert.equal(openPacket(keys, forgedPacket), undefined);
        }),
        { numRuns: 300 },
      );
    });
  }
});

function decodeAsf(bytes: Buffer): AsfPacket | undefined {
  const packet = decodePacket(bytes);
  return packet?.format === 'asf' ? packet : undefined;
}
