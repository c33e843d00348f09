// Runs each transfer in a process of its own, which only gets time that nothing else wants (SCHED_IDLE), on one core. On
// all cores it would displace the API's data from every cache (bench/backups.ts).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError } from '#lib/api-error.ts';
import { allowedCores } from '#lib/cores.ts';
import type { RunTransfer, TransferRequest, TransferResult } from './transfer.ts';

/** To the process. */
export type Message = { readonly request: TransferRequest } | { readonly abort: true };
/** From it. */
export type Report =
  | { readonly result: TransferResult }
  | { readonly error: { readonly code?: ErrorCode; readonly message: string; readonly internal?: string | undefined } };

/** Nothing else of the server's environment, which has its secrets: the process reads what customers wrote to their disks. */
const passedOn = [
  'PATH',
  'HOME',
  'TMPDIR',
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_COMPILE_CACHE',
  'MALLOC_ARENA_MAX',
  'MALLOC_TRIM_THRESHOLD_',
  'MALLOC_MMAP_THRESHOLD_',
];
/** How long an aborted transfer may take to remove its files before it is killed. */
const maxStopMs = 5000;
const file = fileURLToPath(new URL('./transfer-process.ts', import.meta.url));

export const runTransferInProcess: RunTransfer = async (request, signal) => {
  signal.throwIfAborted();
  // It dies with the server, and restic with it. Detached: Ctrl+C in a terminal ends the server, which then aborts its transfers.
  const command = ['chrt', '--idle', '0', 'taskset', '--cpu-list', String(chooseCore()), process.execPath, file];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', ...command], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
    env: Object.fromEntries(passedOn.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : []))),
  });
  const ended = once(child, 'exit');
  const reported = Promise.withResolvers<Report>();
  // Nobody waits for it if sending fails.
  reported.promise.catch(() => {});
  child.once('message', (report) => reported.resolve(report as Report));
  ended.then(() => reported.reject(new Error('the process of a transfer ended')), reported.reject);
  // A process that has ended is noticed by its end. Without free file descriptors there is neither a process nor `send`.
  const send = (message: Message): void => void (child.send as typeof child.send | undefined)?.(message, () => {});
  let killing: NodeJS.Timeout | undefined;
  const abort = (): void => {
    send({ abort: true });
    killing = setTimeout(() => child.kill('SIGKILL'), maxStopMs);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    send({ request });
    const report = await reported.promise.finally(() => signal.throwIfAborted());
    if ('result' in report) return report.result;
    const { code, message, internal } = report.error;
    if (code === undefined) throw new Error(message);
    throw new ApiError(code, { message, ...(internal !== undefined && { internal }) });
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(killing);
    child.kill('SIGKILL');
    await ended.catch(() => {});
  }
};

/** Any core but the first one, so that one is always left. */
function chooseCore(): number {
  const [first = 0, ...others] = allowedCores();
  return others[Math.floor(Math.random() * others.length)] ?? first;
}
