// A TFTP server that gives a few files and takes none. UDP lets anybody write any sender's address, so until a reader has
// answered it gets little: one datagram and two repetitions, and each address only so many transfers at a time.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decodeReply, decodeRequest, encodeError, tftpError, type ReadRequest } from './packet.ts';
import { beginTransfer } from './transfer.ts';

export interface TftpServerOptions {
  readonly address: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** The content of a file, undefined where there is none of this name. */
  find(name: string): Promise<Buffer | undefined>;
  onFault(error: unknown): void;
  readonly retransmitMs?: number;
}
export interface TftpServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** Transfers under way. */
  transferCount(): number;
}

const mostTransfers = 256;
const mostTransfersOfAddress = 8;
const repetitions = 5;
const unconfirmedRepetitions = 2;
const defaultRetransmitMs = 1000;

export async function startTftpServer(options: TftpServerOptions): Promise<TftpServer> {
  const family = options.address.includes(':') ? 'udp6' : 'udp4';
  const main = createSocket(family);
  const transfers = new Map<Socket, { readonly reader: string; end(): void }>();

  const refuse = (from: RemoteInfo, ...error: Parameters<typeof encodeError>): void =>
    main.send(encodeError(...error), from.port, from.address, () => {});

  const receive = async (datagram: Buffer, from: RemoteInfo): Promise<void> => {
    const request = decodeRequest(datagram);
    if (request.kind === 'write') return refuse(from, tftpError.accessViolation, 'This server takes no files');
    if (request.kind !== 'read') return;
    if (request.mode !== 'octet' && request.mode !== 'netascii') return refuse(from, tftpError.illegal, 'Unknown mode');
    const file = await options.find(request.file.replace(/^\/+/, ''));
    if (file === undefined) return refuse(from, tftpError.notFound, 'No such file');
    const ofAddress = [...transfers.values()].filter(({ reader }) => reader === from.address).length;
    if (transfers.size < mostTransfers && ofAddress < mostTransfersOfAddress) await give(request, file, from);
  };

  const give = async (request: ReadRequest, file: Buffer, reader: RemoteInfo): Promise<void> => {
    const transfer = beginTransfer(request, file);
    const socket = createSocket(family);
    const timeoutMs = transfer.timeoutMs ?? options.retransmitMs ?? defaultRetransmitMs;
    let repeated = 0;
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(timer);
      if (transfers.delete(socket)) socket.close();
    };
    transfers.set(socket, { reader: reader.address, end });
    const send = (): void => {
      socket.send(transfer.current(), reader.port, reader.address, () => {});
      timer = setTimeout(() => {
        if (++repeated > (transfer.isConfirmed() ? repetitions : unconfirmedRepetitions)) end();
        else send();
      }, timeoutMs);
    };
    socket.on('error', end);
    socket.on('message', (datagram, from) => {
      if (from.port !== reader.port || from.address !== reader.address) {
        socket.send(encodeError(tftpError.unknownTransfer, 'Unknown transfer'), from.port, from.address, () => {});
        return;
      }
      const reply = decodeReply(datagram);
      if (reply.kind === 'error') return end();
      const next = reply.kind === 'ack' ? transfer.acknowledge(reply.block) : 'ignored';
      if (next === 'done') return end();
      if (next === 'ignored') return;
      clearTimeout(timer);
      repeated = 0;
      send();
    });
    socket.bind(0, options.address);
    await once(socket, 'listening');
    // The server may have been closed meanwhile.
    if (transfers.has(socket)) send();
  };

  main.on('message', (datagram, from) => void receive(datagram, from).catch(options.onFault));
  main.bind(options.port, options.address);
  await once(main, 'listening');
  main.on('error', options.onFault);
  const { address, port } = main.address();
  return {
    address,
    port,
    transferCount: () => transfers.size,
    async [Symbol.asyncDispose]() {
      for (const { end } of transfers.values()) end();
      const closed = once(main, 'close');
      main.close();
      await closed;
    },
  };
}
