// Updates of zones as DNS tools send them: nsupdate with a key, and messages made by hand for what no tool sends.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { decodeMessage, encodeMessage, type DecodedMessage } from '#protocols/dns/message.ts';
import { parseName } from '#protocols/dns/name.ts';
import type { TsigAlgorithm, TsigKey } from '#protocols/dns/tsig.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { opcodes, rrTypes } from '#protocols/dns/types.ts';
import { findBinary } from './needs.ts';
import { requestResult } from './request.ts';

export interface NewTsigKey {
  readonly id: string;
  readonly tsigname: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: string;
}

export function createTsigKey(
  server: { readonly url: string },
  key: string,
  params: Record<string, unknown> = {},
): Promise<NewTsigKey> {
  return requestResult(server, 'POST', '/v2/dns/tsig', { key, params: { name: 'test', ...params } });
}

export function protocolKey({ tsigname, algorithm, secret }: NewTsigKey): TsigKey {
  return { name: tsigname, algorithm, secret: Buffer.from(secret, 'base64') };
}

/** Returns NOERROR, or the code that nsupdate prints, such as `NXRRSET` or `NOTAUTH(BADSIG)`. */
export async function nsupdate(
  server: { readonly address: string; readonly port: number },
  key: NewTsigKey | undefined,
  zone: string,
  lines: readonly string[],
  options: readonly string[] = [],
): Promise<string> {
  const child = spawn(findBinary('nsupdate')!, [...options], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const script = [
    `server ${server.address} ${server.port}`,
    'check-names off',
    ...(key === undefined ? [] : [`key ${key.algorithm}:${key.tsigname} ${key.secret}`]),
    ...(zone === '' ? [] : [`zone ${zone}`]),
    ...lines,
    'send',
  ];
  child.stdin.end(`${script.join('\n')}\n`);
  const [code] = (await once(child, 'close')) as [number];
  return /update failed: (\S+)/.exec(output)?.[1] ?? (code === 0 ? 'NOERROR' : output);
}

/** An unsigned UPDATE that adds one TXT record. */
export function updateMessage(zone: string, name: string, text: string): Buffer {
  return encodeMessage({
    id: 4711,
    flags: 0,
    opcode: opcodes.UPDATE,
    rcode: 0,
    questions: [{ name: parseName(zone), type: rrTypes.SOA, class: 1 }],
    answers: [],
    authorities: [{ name, type: rrTypes.TXT, ttl: 60, rdata: [contentToWire(rrTypes.TXT, `"${text}"`)] }],
    additionals: [],
  });
}

/** Sends bytes over UDP and returns the answer, with its bytes. */
export async function sendUdp(
  server: { readonly address: string; readonly port: number },
  bytes: Buffer,
): Promise<DecodedMessage & { readonly bytes: Buffer }> {
  const socket = createSocket('udp4');
  try {
    socket.send(bytes, server.port, server.address);
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(20_000) })) as [Buffer];
    return { ...decodeMessage(answer), bytes: answer };
  } finally {
    socket.close();
  }
}
