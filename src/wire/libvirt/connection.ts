// One connection to a libvirt daemon over its socket, for as many calls at once as there are: each has a serial number, by
// which its answer finds it. A stream (a console, an upload) is a call that goes on.
import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';
import { LibvirtError, timedOut } from './error.ts';
import {
  encodeMessage,
  keepalive,
  messageSplitter,
  messageStatus,
  messageType,
  program,
  type Message,
} from './message.ts';
import type { Procedure } from './procedures.ts';
import { rpcStream, type RpcStream } from './stream.ts';
import { decode, decodeFront, encode, int32, optional, struct, text } from './xdr.ts';

export interface Connection {
  readonly isOpen: boolean;
  call<A, R>(procedure: Procedure<A, R>, args: A, signal: AbortSignal): Promise<R>;
  openStream<A>(procedure: Procedure<A, undefined>, args: A, signal: AbortSignal): Promise<Duplex>;
  close(): void;
}

const noPayload = Buffer.alloc(0);

export async function connect(path: string, signal: AbortSignal): Promise<Connection> {
  const socket = createConnection({ path });
  try {
    await once(socket, 'connect', { signal });
  } catch (cause) {
    socket.destroy();
    throw new LibvirtError('unreachable', 'nobody listens on the socket', { cause });
  }
  const waiting = new Map<number, (outcome: Message | LibvirtError) => void>();
  const streams = new Map<number, RpcStream>();
  let lastSerial = 0;
  let ended: LibvirtError | undefined;

  const end = (error: LibvirtError): void => {
    if (ended !== undefined) return;
    ended = error;
    socket.destroy();
    for (const settle of waiting.values()) settle(error);
    for (const stream of streams.values()) stream.fail(error);
  };
  const receive = (message: Message): void => {
    if (message.program === program.keepalive) {
      if (message.procedure === keepalive.ping)
        send({ ...message, procedure: keepalive.pong, serial: 0, payload: noPayload });
    } else if (message.type === messageType.reply) waiting.get(message.serial)?.(message);
    else if (message.type === messageType.stream) streams.get(message.serial)?.receive(message);
  };
  const split = messageSplitter();
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of split(chunk)) receive(message);
    } catch (error) {
      end(error instanceof LibvirtError ? error : new LibvirtError('badAnswer', 'not understood', { cause: error }));
    }
  });
  socket.on('error', (cause) => end(new LibvirtError('unreachable', 'the connection broke', { cause })));
  socket.on('close', () => end(new LibvirtError('unreachable', 'the daemon closed the connection')));

  const send = (message: Message, sent?: (error?: Error | null) => void): void =>
    void socket.write(encodeMessage(message), sent);

  /** The answer of a call, and under which serial number it went. */
  const ask = async <A, R>(procedure: Procedure<A, R>, args: A, signal: AbortSignal) => {
    if (ended !== undefined) throw ended;
    if (signal.aborted) throw timedOut(signal);
    const serial = (lastSerial = (lastSerial + 1) >>> 0);
    const { promise, resolve } = Promise.withResolvers<Message | LibvirtError>();
    const abort = (): void => resolve(timedOut(signal));
    waiting.set(serial, resolve);
    signal.addEventListener('abort', abort);
    try {
      const payload = encode(procedure.args, args);
      const { program, number } = procedure;
      send({ program, procedure: number, type: messageType.call, serial, status: messageStatus.ok, payload });
      const outcome = await promise;
      if (outcome instanceof LibvirtError) throw outcome;
      if (outcome.status === messageStatus.error) throw refusal(outcome.payload);
      return { serial, payload: outcome.payload };
    } finally {
      signal.removeEventListener('abort', abort);
      waiting.delete(serial);
    }
  };

  return {
    get isOpen() {
      return ended === undefined;
    },
    call: async (procedure, args, signal) => decode(procedure.result, (await ask(procedure, args, signal)).payload),
    async openStream(procedure, args, signal) {
      const { serial } = await ask(procedure, args, signal);
      if (ended !== undefined) throw ended;
      const stream = rpcStream({
        send: (status, payload, sent) =>
          send({ ...procedure, procedure: procedure.number, type: messageType.stream, serial, status, payload }, sent),
        refusal,
        forget: () => void streams.delete(serial),
      });
      streams.set(serial, stream);
      return stream.duplex;
    },
    close: () => end(new LibvirtError('unreachable', 'the connection was closed')),
  };
}

const daemonError = struct({ code: int32, domain: int32, message: optional(text) });

function refusal(payload: Buffer): LibvirtError {
  const { code, message } = decodeFront(daemonError, payload);
  return new LibvirtError('refused', message ?? `error ${code}`, { code });
}
