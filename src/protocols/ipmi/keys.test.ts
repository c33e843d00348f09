// The datagrams were recorded from a login of ipmitool as admin with the password secret12, including the BMC's
// responses.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setSessionPrivilege } from './commands/session.ts';
import { isAccepted, openSessionRequest, openSessionResponse, rakp1, rakp2, rakp3, rakp4 } from './handshake.ts';
import {
  bmcProof,
  consoleProof,
  finalCheck,
  secretKey,
  sessionIntegrityKey,
  sessionKeys,
  type KeyExchange,
  type SessionKeys,
} from './keys.ts';
import { decodeRequest } from './message.ts';
import { decodePacket, type RmcpPlusPacket } from './packet.ts';
import { openPacket } from './seal.ts';
import { findSuite } from './suite.ts';

const recordings = [
  {
    suite: 3,
    open: '0600ff0706100000000000000000200000000000a4a3a2a0000000080100000001000008010000000200000801000000',
    opened: '0600ff0706110000000000000000240000000400a4a3a2a0fc999ba9000000080100000001000008010000000200000801000000',
    rakp1: '0600ff0706120000000000000000210000000000fc999ba98c68b6ebe821f1f008a0d109a60497e41400000561646d696e',
    rakp2:
      '0600ff07061300000000000000003c0000000000a4a3a2a0681d1a252325cfc2bee2f3c7c55484b2eee646ef41ffe61f042972fef876096443d380629babbfcae0621efc7014774f7d574315',
    rakp3: '0600ff07061400000000000000001c0000000000fc999ba984bbd322aed198295e98a7cf5dcb67452576e7c9',
    rakp4: '0600ff0706150000000000000000140000000000a4a3a2a08f54d69826d7f511c5fe5de9',
    setPrivilege:
      '0600ff0706c0fc999ba9030000002000e20a323f3a96f0f80efef696f7f63c9bbbb4b8f8db569223b9403c959126cdd0ffff0207300b12af215ac5880f6b67bd',
  },
  {
    suite: 17,
    open: '0600ff0706100000000000000000200000000000a4a3a2a0000000080300000001000008040000000200000801000000',
    opened: '0600ff0706110000000000000000240000000400a4a3a2a0b0605633000000080300000001000008040000000200000801000000',
    rakp1: '0600ff0706120000000000000000210000000000b0605633ff8f418c4cda210b19afc652bd374ec01400000561646d696e',
    rakp2:
      '0600ff0706130000000000000000480000000000a4a3a2a08624bcd0aa69f67f713c64c04a9a8721eee646ef41ffe61f042972fef8760964f69842be6e3362e76b14eae0724e8fd1b81d139d2ec751c1f30cc7e7c97f7c4a',
    rakp3:
      '0600ff0706140000000000000000280000000000b06056337f2e0304d1b9e4e0181687a93706d2f7ec46f17ef79e1955cd5732f4b8b0c797',
    rakp4: '0600ff0706150000000000000000180000000000a4a3a2a0a22d6919d21c76df06e88ecd5fd9b440',
    setPrivilege:
      '0600ff0706c0b0605633030000002000e9f9278f231dbe7211596c0f7a49650f92b1ffc31d5b6d6fbab4f4c1e9df51b8ffff0207430cf82c3cf8f392c52920387fd5d3f0',
  },
];

const password = secretKey('secret12');

function packetOf(hex: string): RmcpPlusPacket {
  const packet = decodePacket(Buffer.from(hex, 'hex'));
  assert.ok(packet?.format === 'rmcpPlus');
  return packet;
}

function defined<Value>(value: Value | undefined): Value {
  assert.notEqual(value, undefined);
  return value as Value;
}

function exchangeOf(recording: (typeof recordings)[number]): KeyExchange {
  const request = defined(openSessionRequest.decode(packetOf(recording.open).payload));
  const openResponse = defined(openSessionResponse.decode(packetOf(recording.opened).payload));
  const rakp1Request = defined(rakp1.decode(packetOf(recording.rakp1).payload));
  const rakp2Response = defined(rakp2.decode(packetOf(recording.rakp2).payload));
  assert.ok(isAccepted(openResponse) && isAccepted(rakp2Response));
  return {
    suite: defined(findSuite(request)),
    consoleSessionId: request.consoleSessionId,
    bmcSessionId: openResponse.bmcSessionId,
    consoleRandom: rakp1Request.consoleRandom,
    bmcRandom: rakp2Response.bmcRandom,
    bmcGuid: rakp2Response.bmcGuid,
    role: rakp1Request.role,
    username: rakp1Request.username,
  };
}

function keysOf(recording: (typeof recordings)[number]): SessionKeys {
  const exchange = exchangeOf(recording);
  return sessionKeys(exchange.suite, sessionIntegrityKey(exchange, password));
}

for (const recording of recordings) {
  describe(`an ipmitool login with cipher suite ${recording.suite}`, () => {
    it('requests the configured suite', () => {
      assert.equal(exchangeOf(recording).suite.id, recording.suite);
    });

    it('contains the proofs that we compute from the password', () => {
      const exchange = exchangeOf(recording);
      const rakp2Response = defined(rakp2.decode(packetOf(recording.rakp2).payload));
      assert.ok(isAccepted(rakp2Response));
      assert.deepEqual(rakp2Response.keyExchangeCode, bmcProof(exchange, password));
      const proof = defined(rakp3.decode(packetOf(recording.rakp3).payload));
      assert.deepEqual(proof.keyExchangeCode, consoleProof(exchange, password));
      const rakp4Response = defined(rakp4.decode(packetOf(recording.rakp4).payload));
      assert.ok(isAccepted(rakp4Response));
      assert.deepEqual(rakp4Response.integrityCheck, finalCheck(exchange, sessionIntegrityKey(exchange, password)));
    });

    it('is followed by a packet that our keys open', () => {
      const payload = defined(openPacket(keysOf(recording), packetOf(recording.setPrivilege)));
      const request = defined(decodeRequest(payload));
      assert.equal(request.code, setSessionPrivilege.code);
      assert.equal(setSessionPrivilege.request.decode(request.data), 4);
    });

    it('cannot be read with a different password', () => {
      const exchange = exchangeOf(recording);
      const keys = sessionKeys(exchange.suite, sessionIntegrityKey(exchange, secretKey('secret13')));
      assert.equal(openPacket(keys, packetOf(recording.setPrivilege)), undefined);
    });
  });
}
