// Runs each transfer in its own thread, which never delays the API. A thread that is aborted, or whose main thread stops, kills its
// restic before it ends.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError } from '#lib/api-error.ts';
import { runWhenIdle } from '#lib/idle-thread.ts';
import { runTransfer, type RunTransfer, type TransferRequest, type TransferResult } from './transfer.ts';

type Report =
  | { readonly result: TransferResult }
  | { readonly error: { readonly code?: ErrorCode; readonly message: string; readonly internal?: string | undefined } };

/** How long an aborted transfer may take to end without being killed. */
const maxStopMs = 5000;

export const runTransferInThread: RunTransfer = async (request, signal) => {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./transfer-thread.js', import.meta.url), { workerData: request, execArgv: [] });
  const reported = Promise.withResolvers<Report>();
  worker.once('message', (report: Report) => reported.resolve(report));
  worker.once('error', (error) => reported.reject(error));
  worker.once('exit', () => reported.reject(new Error('the thread of a transfer ended')));
  let killing: NodeJS.Timeout | undefined;
  const abort = (): void => {
    worker.postMessage('abort');
    killing = setTimeout(() => void worker.terminate(), maxStopMs);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    const report = await reported.promise.finally(() => signal.throwIfAborted());
    if ('result' in report) return report.result;
    const { code, message, internal } = report.error;
    if (code === undefined) throw new Error(message);
    throw new ApiError(code, { message, ...(internal !== undefined && { internal }) });
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(killing);
    await worker.terminate();
  }
};

/** In the thread: performs the transfer that it was started with, and reports the result. */
export async function serveTransfer(): Promise<void> {
  runWhenIdle();
  const controller = new AbortController();
  parentPort!.once('message', () => controller.abort(new Error('the transfer was aborted')));
  let report: Report;
  try {
    report = { result: await runTransfer(workerData as TransferRequest, controller.signal) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    report = {
      error: error instanceof ApiError ? { code: error.code, message, internal: error.internal } : { message },
    };
  }
  parentPort!.postMessage(report);
  parentPort!.close();
}
