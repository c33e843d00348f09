// A read-only TFTP server. UDP source addresses can be spoofed, so a client gets little before it responds: one
// datagram with two retransmissions, and a limited number of transfers per address. If all places are taken, whoever does not
// respond, or has the most, makes room.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decodeReply, decodeRequest, encodeError, tftpError, type ReadRequest } from './packet.ts';
import { createTransfer } from './transfer.ts';

export interface TftpServerOptions {
  readonly address: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Returns the content of a file, or undefined if it does not exist. */
  find(name: string): Promise<Buffer | undefined>;
  onError(error: unknown): void;
  readonly retransmitMs?: number;
}
interface ActiveTransfer {
  readonly reader: string;
  readonly since: number;
  isConfirmed(): boolean;
  end(): void;
}
export interface TftpServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** Returns the number of active transfers. */
  transferCount(): number;
}

const maxTransfers = 256;
const maxTransfersPerAddress = 8;
/** Firmware acknowledges the first datagram in less. */
const promptMs = 100;
const maxRetransmissions = 5;
const maxUnconfirmedRetransmissions = 2;
const defaultRetransmitMs = 1000;

export async function startTftpServer(options: TftpServerOptions): Promise<TftpServer> {
  const family = options.address.includes(':') ? 'udp6' : 'udp4';
  const main = createSocket(family);
  /** The oldest comes first. */
  const transfers = new Map<Socket, ActiveTransfer>();

  const sendError = (from: RemoteInfo, ...error: Parameters<typeof encodeError>): void =>
    main.send(encodeError(...error), from.port, from.address, () => {});

  const receive = async (datagram: Buffer, from: RemoteInfo): Promise<void> => {
    const request = decodeRequest(datagram);
    if (request.kind === 'write') return sendError(from, tftpError.accessViolation, 'This server is read-only');
    if (request.kind !== 'read') return;
    if (request.mode !== 'octet' && request.mode !== 'netascii')
      return sendError(from, tftpError.illegal, 'Unknown mode');
    const file = await options.find(request.file.replace(/^\/+/, ''));
    if (file === undefined) return sendError(from, tftpError.notFound, 'No such file');
    if (transfersOf(from.address).length < maxTransfersPerAddress && hasRoom(from.address))
      await sendFile(request, file, from);
  };

  const transfersOf = (address: string): ActiveTransfer[] =>
    [...transfers.values()].filter(({ reader }) => reader === address);

  /** Ends a transfer if all places are taken, and another address has more than this one would have. */
  function hasRoom(address: string): boolean {
    if (transfers.size < maxTransfers) return true;
    const active = [...transfers.values()];
    const unanswered = active.find(
      (transfer) => !transfer.isConfirmed() && transfer.since < performance.now() - promptMs,
    );
    const counts = Map.groupBy(active, ({ reader }) => reader);
    const most = [...counts.values()].reduce((best, next) => (next.length > best.length ? next : best));
    const hasMore = most.length > (counts.get(address)?.length ?? 0) + 1;
    const ended = unanswered ?? (hasMore ? most[0] : undefined);
    ended?.end();
    return ended !== undefined;
  }

  const sendFile = async (request: ReadRequest, file: Buffer, reader: RemoteInfo): Promise<void> => {
    const transfer = createTransfer(request, file);
    const socket = createSocket(family);
    const timeoutMs = transfer.timeoutMs ?? options.retransmitMs ?? defaultRetransmitMs;
    let retransmissions = 0;
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(timer);
      if (transfers.delete(socket)) socket.close();
    };
    const { isConfirmed } = transfer;
    transfers.set(socket, { reader: reader.address, since: performance.now(), isConfirmed, end });
    const send = (): void => {
      socket.send(transfer.current(), reader.port, reader.address, () => {});
      timer = setTimeout(() => {
        if (++retransmissions > (isConfirmed() ? maxRetransmissions : maxUnconfirmedRetransmissions)) end();
        else send();
      }, timeoutMs);
    };
    socket.on('error', end);
    onDatagram(socket, (datagram, from) => {
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
      retransmissions = 0;
      send();
    });
    socket.bind(0, options.address);
    await once(socket, 'listening');
    // The server may have been closed while this waited.
    if (transfers.has(socket)) send();
  };

  onDatagram(main, (datagram, from) => void receive(datagram, from).catch(options.onError));
  main.bind(options.port, options.address);
  await once(main, 'listening');
  main.on('error', options.onError);
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

/** Leaves out those from port 0, to which nothing can be sent: Node throws. */
function onDatagram(socket: Socket, handle: (datagram: Buffer, from: RemoteInfo) => void): void {
  socket.on('message', (datagram, from) => {
    if (from.port !== 0) handle(datagram, from);
  });
}
