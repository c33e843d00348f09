// Runs commands on a daemon of FRR through its VTY socket, as vtysh does: a command ends with a zero byte, and its
// response with three zero bytes and a status. One command runs at a time.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ApiError } from '#lib/api-error.ts';

export interface Vty {
  /** Runs a command and returns its output. */
  run(command: string, signal: AbortSignal): Promise<string>;
  /** Configures all groups of commands. A rejected command ends its group, not the others, and is thrown after them. */
  configure(groups: readonly (readonly string[])[], signal: AbortSignal): Promise<void>;
  /** Called after each reconnect. */
  onReconnect(listener: () => void): void;
  close(): void;
}

const reconnectMs = 1000;
/** A daemon that takes longer for one command counts as unreachable. */
const commandTimeoutMs = 8000;
const endOfResponse = Buffer.alloc(3);
/** Many times the configuration of a large router. */
const maxResponseBytes = 64 * 1024 * 1024;

/** The daemon did not accept a command; the session is as before. */
class RejectedError extends ApiError {}

export function openVty(path: string): Vty {
  const listeners = new Set<() => void>();
  let socket: Socket | undefined;
  let isClosed = false;
  let previous: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function open(signal: AbortSignal): Promise<Socket> {
    if (socket !== undefined) return socket;
    const opening = connect(path);
    await once(opening, 'connect', { signal }).catch((error: unknown) => {
      opening.destroy();
      throw error;
    });
    opening.on('error', () => {});
    opening.once('close', () => {
      socket = undefined;
      if (!isClosed) retryLater();
    });
    await send(opening, 'enable', signal).catch((error: unknown) => {
      opening.destroy();
      throw error;
    });
    return (socket = opening);
  }

  /** Notices when the daemon is back, even if nothing is sent to it. */
  function retryLater(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void inTurn(() => open(AbortSignal.timeout(commandTimeoutMs))).then(
        () => listeners.forEach((listener) => listener()),
        () => !isClosed && retryLater(),
      );
    }, reconnectMs).unref();
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = previous.then(work, work);
    previous = turn.catch(() => {});
    return turn;
  }

  async function inSession<T>(signal: AbortSignal, work: (run: (command: string) => Promise<string>) => Promise<T>) {
    const limit = () => AbortSignal.any([signal, AbortSignal.timeout(commandTimeoutMs)]);
    try {
      const session = await open(limit());
      return await work((command) => send(session, command, limit()));
    } catch (error) {
      // The session may be in the middle of a response or of a configuration.
      socket?.destroy();
      if (error instanceof ApiError) throw error;
      throw new ApiError('router_unreachable', { internal: String(error), cause: error });
    }
  }

  async function configureAll(groups: readonly (readonly string[])[], signal: AbortSignal): Promise<void> {
    let rejection: RejectedError | undefined;
    await inSession(signal, async (run) => {
      await run('configure terminal');
      for (const group of groups)
        try {
          for (const command of group) await run(command);
        } catch (error) {
          if (!(error instanceof RejectedError)) throw error;
          rejection ??= error;
        }
      await run('end');
    });
    if (rejection !== undefined) throw rejection;
  }

  return {
    run: (command, signal) => inTurn(() => inSession(signal, (run) => run(command))),
    configure: (groups, signal) => inTurn(() => configureAll(groups, signal)),
    onReconnect: (listener) => void listeners.add(listener),
    close() {
      isClosed = true;
      clearTimeout(timer);
      socket?.destroy();
    },
  };
}

async function send(socket: Socket, command: string, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let hasZero = false;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxResponseBytes)
      return reject(new ApiError('router_error', { internal: `${command}: the response is too long` }));
    // Text has no zero byte, so that only the end of a response is put together.
    hasZero ||= chunk.includes(0);
    if (!hasZero) return;
    const response = Buffer.concat(chunks);
    const end = response.indexOf(endOfResponse);
    if (end >= 0 && response.length > end + endOfResponse.length) resolve(response);
  };
  const onClose = (): void => reject(new Error('the daemon closed the session'));
  const onAbort = (): void => reject(signal.reason as Error);
  socket.on('data', onData).once('close', onClose);
  signal.addEventListener('abort', onAbort);
  let response: Buffer;
  try {
    signal.throwIfAborted();
    socket.write(`${command}\0`);
    response = await promise;
  } finally {
    socket.off('data', onData).off('close', onClose);
    signal.removeEventListener('abort', onAbort);
  }
  const end = response.indexOf(endOfResponse);
  const text = response.toString('utf8', 0, end);
  if (response[end + endOfResponse.length] !== 0)
    throw new RejectedError('router_error', { internal: `${command}: ${text.trim()}` });
  return text;
}
