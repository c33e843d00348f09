// sFlow version 5 as a switch samples it. Each datagram says that one packet of many looked like this, so a few of them
// make a collector see a flood while hardly any traffic passes.
import { createSocket } from 'node:dgram';
import ipaddr from 'ipaddr.js';

export interface Flood extends Disposable {
  stop(): void;
}

const samplingRate = 1000;
const samplesPerDatagram = 5;
const datagramsPerTurn = 2;
const turnMs = 100;
const frameBytes = 1000;
const udp = 17;

/** Sends about 100,000 reported packets a second to each target until stopped. */
export function startFlood(collector: { address: string; port: number }, targets: readonly string[]): Flood {
  const socket = createSocket('udp4');
  // A missing collector shows in the test's result.
  socket.on('error', () => {});
  let sequence = 0;
  const timer = setInterval(() => {
    for (const target of targets) {
      for (let count = 0; count < datagramsPerTurn; count++) {
        const samples = Array.from({ length: samplesPerDatagram }, (_, index) => sampleOf(target, ++sequence, index));
        socket.send(datagramOf(sequence, samples), collector.port, collector.address);
      }
    }
  }, turnMs);
  let isOver = false;
  const stop = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    socket.close();
  };
  return { stop, [Symbol.dispose]: stop };
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4));
  return bytes;
}

function datagramOf(sequence: number, samples: readonly Buffer[]): Buffer {
  const agent = Buffer.from(ipaddr.parse('192.0.2.2').toByteArray());
  return Buffer.concat([words(5, 1), agent, words(0, sequence, sequence * turnMs, samples.length), ...samples]);
}

function sampleOf(target: string, sequence: number, index: number): Buffer {
  const header = frameTo(target, index);
  const padding = Buffer.alloc((4 - (header.length % 4)) % 4);
  const raw = Buffer.concat([words(1, frameBytes, 4, header.length), header, padding]);
  const flow = words(sequence, 1, samplingRate, sequence * samplingRate, 0, 1, 2, 1);
  const body = Buffer.concat([flow, words(1, raw.length), raw]);
  return Buffer.concat([words(1, body.length), body]);
}

/** The first bytes of a frame that carries a UDP packet. */
function frameTo(target: string, index: number): Buffer {
  const to = ipaddr.parse(target);
  const isFour = to.kind() === 'ipv4';
  const from = ipaddr.parse(isFour ? `198.51.100.${10 + index}` : `2001:db9::${10 + index}`);
  const ethernet = Buffer.from(`020000000001020000000002${isFour ? '0800' : '86dd'}`, 'hex');
  const ip = Buffer.alloc(isFour ? 20 : 40);
  const packetBytes = frameBytes - ethernet.length;
  if (isFour) {
    ip[0] = 0x45;
    ip.writeUInt16BE(packetBytes, 2);
    ip[8] = 60;
    ip[9] = udp;
  } else {
    ip[0] = 0x60;
    ip.writeUInt16BE(packetBytes - ip.length, 4);
    ip[6] = udp;
    ip[7] = 60;
  }
  Buffer.from(from.toByteArray()).copy(ip, isFour ? 12 : 8);
  Buffer.from(to.toByteArray()).copy(ip, isFour ? 16 : 24);
  const segment = Buffer.alloc(8);
  segment.writeUInt16BE(53, 0);
  segment.writeUInt16BE(4444, 2);
  segment.writeUInt16BE(packetBytes - ip.length, 4);
  return Buffer.concat([ethernet, ip, segment]);
}
