// One connection to a libvirt daemon over its Unix socket, for concurrent calls: the serial number matches responses to
// calls. A stream (a console, an upload) continues the call that opened it.
import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';
import { LibvirtError, timeoutError } from './error.ts';
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
import { decode, decodePrefix, encode, int32, optional, struct, text } from './xdr.ts';

export interface Connection {
  readonly isOpen: boolean;
  /** `onAnswered` is called once the daemon works on the call no longer, also if the caller has given it up before. */
  call<A, R>(procedure: Procedure<A, R>, args: A, signal: AbortSignal, onAnswered?: () => void): Promise<R>;
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
    throw new LibvirtError('unreachable', 'the daemon is not listening on its socket', { cause });
  }
  const pending = new Map<number, (outcome: Message | LibvirtError) => void>();
  const unanswered = new Map<number, () => void>();
  const streams = new Map<number, RpcStream>();
  let lastSerial = 0;
  let endError: LibvirtError | undefined;

  const end = (error: LibvirtError): void => {
    if (endError !== undefined) return;
    endError = error;
    socket.destroy();
    for (const settle of pending.values()) settle(error);
    for (const serial of unanswered.keys()) markAnswered(serial);
    for (const stream of streams.values()) stream.fail(error);
  };
  const markAnswered = (serial: number): void => {
    const onAnswered = unanswered.get(serial);
    unanswered.delete(serial);
    onAnswered?.();
  };
  const receive = (message: Message): void => {
    if (message.program === program.keepalive) {
      if (message.procedure === keepalive.ping)
        send({ ...message, procedure: keepalive.pong, serial: 0, payload: noPayload });
    } else if (message.type === messageType.reply) {
      pending.get(message.serial)?.(message);
      markAnswered(message.serial);
    } else if (message.type === messageType.stream) streams.get(message.serial)?.receive(message);
  };
  const split = messageSplitter();
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of split(chunk)) receive(message);
    } catch (error) {
      end(
        error instanceof LibvirtError ? error : new LibvirtError('badResponse', 'malformed message', { cause: error }),
      );
    }
  });
  socket.on('error', (cause) => end(new LibvirtError('unreachable', 'the connection broke', { cause })));
  socket.on('close', () => end(new LibvirtError('unreachable', 'the daemon closed the connection')));

  const send = (message: Message, sent?: (error?: Error | null) => void): void =>
    void socket.write(encodeMessage(message), sent);

  const nextSerial = (): number => (lastSerial = (lastSerial + 1) >>> 0);
  /** Returns the response to a call. */
  const request = async <A, R>(
    procedure: Procedure<A, R>,
    args: A,
    signal: AbortSignal,
    { serial = nextSerial(), onAnswered }: { serial?: number; onAnswered?: (() => void) | undefined } = {},
  ): Promise<Buffer> => {
    const { promise, resolve } = Promise.withResolvers<Message | LibvirtError>();
    const abort = (): void => resolve(timeoutError(signal));
    let isSent = false;
    pending.set(serial, resolve);
    if (onAnswered !== undefined) unanswered.set(serial, onAnswered);
    signal.addEventListener('abort', abort);
    try {
      if (endError !== undefined) throw endError;
      if (signal.aborted) throw timeoutError(signal);
      const payload = encode(procedure.args, args);
      const { program, number } = procedure;
      send({ program, procedure: number, type: messageType.call, serial, status: messageStatus.ok, payload });
      isSent = true;
      const outcome = await promise;
      if (outcome instanceof LibvirtError) throw outcome;
      if (outcome.status === messageStatus.error) throw decodeError(outcome.payload);
      return outcome.payload;
    } finally {
      signal.removeEventListener('abort', abort);
      pending.delete(serial);
      if (!isSent) markAnswered(serial);
    }
  };

  return {
    get isOpen() {
      return endError === undefined;
    },
    call: async (procedure, args, signal, onAnswered) =>
      decode(procedure.result, await request(procedure, args, signal, { onAnswered })),
    async openStream(procedure, args, signal) {
      const serial = nextSerial();
      const header = { ...procedure, procedure: procedure.number, type: messageType.stream, serial };
      const stream = rpcStream({
        send: (status, payload, sent) => send({ ...header, status, payload }, sent),
        toError: decodeError,
        release: () => void streams.delete(serial),
      });
      // It may fail before the caller has it.
      stream.duplex.on('error', () => {});
      // Before the call, because a busy daemon sends the first data of a stream before the response.
      streams.set(serial, stream);
      await request(procedure, args, signal, { serial }).catch((error: LibvirtError) => {
        stream.fail(error);
        throw error;
      });
      if (endError !== undefined) throw endError;
      return stream.duplex;
    },
    close: () => end(new LibvirtError('unreachable', 'the connection was closed')),
  };
}

const daemonError = struct({ code: int32, domain: int32, message: optional(text) });

function decodeError(payload: Buffer): LibvirtError {
  const { code, message } = decodePrefix(daemonError, payload);
  return new LibvirtError('rejected', message ?? `error ${code}`, { code });
}
