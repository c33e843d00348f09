import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { asfType, presencePong } from './asf.ts';
import { getChannelCipherSuites, suitePieceBytes } from './commands/session.ts';
import { IpmiError } from './error.ts';
import { deadlineIn } from './exchange.ts';
import { openFleet } from './fleet.ts';
import { decodeRequest, encodeResponse } from './message.ts';
import { decodePacket, encodeAsf, encodeSessionless, type Packet } from './packet.ts';
import { getOfferedSuites } from './sessionless.ts';
import { openIpmiTransport } from './transport.ts';

const pace = { retransmitMs: 100, attempts: 5 };

interface TinyBmc {
  port: number;
  formats: Packet['format'][];
}

/** Responds to the ping and the request for cipher suites only. */
async function startTinyBmc(context: TestContext, address: string, records: string): Promise<TinyBmc> {
  const formats: Packet['format'][] = [];
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  context.after(() => socket.close());
  const respond = (packet: Packet): Buffer | undefined => {
    if (packet.format === 'asf') {
      const data = presencePong.encode({ enterprise: 4542, supportsIpmi: true });
      return encodeAsf({ type: asfType.presencePong, tag: packet.tag, data });
    }
    const request = packet.format === 'sessionless' ? decodeRequest(packet.payload) : undefined;
    const suiteRequest = request && getChannelCipherSuites.request.decode(request.data);
    if (request === undefined || suiteRequest === undefined) return undefined;
    const start = suiteRequest.piece * suitePieceBytes;
    const piece = Buffer.from(records, 'hex').subarray(start, start + suitePieceBytes);
    const data = getChannelCipherSuites.response.encode({ channel: 1, records: piece });
    return encodeSessionless(encodeResponse({ ...request, netFn: request.netFn + 1, completionCode: 0, data }));
  };
  socket.on('message', (datagram, from) => {
    const packet = decodePacket(datagram);
    if (packet === undefined) return;
    formats.push(packet.format);
    const reply = respond(packet);
    if (reply !== undefined) socket.send(reply, from.port, from.address);
  });
  socket.bind(0, address);
  await once(socket, 'listening');
  return { port: socket.address().port, formats };
}

const suite0 = 'c000004080';
const suite3 = 'c003014181';
const suite17 = 'c011034481';
const oemSuite = 'c180b9040000014181';

async function offeredSuiteIds(context: TestContext, records: string): Promise<number[]> {
  const { port } = await startTinyBmc(context, '127.0.0.1', records);
  await using transport = await openIpmiTransport();
  const suites = await getOfferedSuites(transport.peer('127.0.0.1', port), pace, deadlineIn(5_000, undefined));
  return suites.map((suite) => suite.id);
}

describe('cipher suites', () => {
  it('are tried strongest first, in whatever order they are offered', async (context) => {
    assert.deepEqual(await offeredSuiteIds(context, suite0 + suite3 + suite17), [17, 3]);
  });

  it('are found in a list of several pieces, after vendor-specific ones', async (context) => {
    assert.deepEqual(await offeredSuiteIds(context, suite0.repeat(7) + oemSuite + suite3), [3]);
  });

  it('without protection are never used, and a BMC with no others gets no login', async (context) => {
    const bmc = await startTinyBmc(context, '127.0.0.1', suite0);
    await using fleet = await openFleet({ ...pace, deadlineMs: 2_000 });
    const login = { address: '127.0.0.1', port: bmc.port, username: 'admin', password: 'secret' };
    await assert.rejects(
      fleet.bmc(login).deviceId(),
      (error) => error instanceof IpmiError && error.kind === 'unsupported',
    );
    assert.deepEqual(new Set(bmc.formats), new Set(['sessionless']));
  });
});

describe('the presence ping', () => {
  for (const address of ['127.0.0.1', '0:0:0:0:0:0:0:1']) {
    it(`is answered from ${address}`, async (context) => {
      const { port } = await startTinyBmc(context, address, '');
      await using fleet = await openFleet(pace);
      assert.deepEqual(await fleet.ping({ address, port }), { enterprise: 4542, supportsIpmi: true });
    });
  }

  it('rejects host names', async () => {
    await using fleet = await openFleet(pace);
    assert.throws(() => fleet.bmc({ address: 'localhost', username: 'a', password: 'b' }), IpmiError);
  });
});
